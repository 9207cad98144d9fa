#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { writeContract } from "./own-words.mjs";

const textOf = (name) =>
  readFileSync(new URL(name === "openapi.yaml" ? `../${name}` : `../generated/${name}`, import.meta.url), "utf8");
const { code, said: message } = writeContract(process.argv.slice(2), textOf);
process[code === 0 ? "stdout" : "stderr"].write(message);
process.exitCode = code;
