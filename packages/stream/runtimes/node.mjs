// Node.js: node node.mjs <case file> [origin of the loopback server]
import { readFileSync } from "node:fs";
import process from "node:process";
import * as stream from "@cloud-browser/stream";
import { runCases } from "./cases.mjs";

const [file, origin] = process.argv.slice(2);
const result = await runCases({ stream, cases: JSON.parse(readFileSync(file, "utf8")), origin });
console.log(JSON.stringify(result));
process.exitCode = result.failed.length > 0 ? 1 : 0;
