// Loaded before a command (`node --import`): this process can add no byte to a file beyond its 10,000th, as on a disk that is full.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
await run("prlimit", ["--pid", String(process.pid), "--fsize=10000:"]);
