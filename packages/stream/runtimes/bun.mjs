// Bun: bun bun.mjs <case file> [origin of the loopback server]
import * as stream from "@cloud-browser/stream";
import { runCases } from "./cases.mjs";

const [file, origin] = Bun.argv.slice(2);
const result = await runCases({ stream, cases: await Bun.file(file).json(), origin });
console.log(JSON.stringify(result));
process.exitCode = result.failed.length > 0 ? 1 : 0;
