// Deno: deno run --allow-read --allow-net=127.0.0.1 deno.mjs <case file> [origin of the loopback server]
import * as stream from "@cloud-browser/stream";
import { runCases } from "./cases.mjs";

const [file, origin] = Deno.args;
const result = await runCases({ stream, cases: JSON.parse(await Deno.readTextFile(file)), origin });
console.log(JSON.stringify(result));
Deno.exitCode = result.failed.length > 0 ? 1 : 0;
