// Node.js: node node.mjs <not used> <origin of the loopback server>
import process from "node:process";
import * as client from "@cloud-browser/client";
import * as cookies from "@cloud-browser/client/cookies";
import * as replay from "@cloud-browser/client/replay";
import { runCases } from "./cases.mjs";

const result = await runCases({ client, cookies, replay, origin: process.argv[3] });
console.log(JSON.stringify(result));
process.exitCode = result.failed.length > 0 ? 1 : 0;
