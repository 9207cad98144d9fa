// Loaded before a command (`node --import`): this process can add no byte to a file beyond its 10,000th, as on a disk that is full.
import { execFileSync } from "node:child_process";

execFileSync("prlimit", ["--pid", String(process.pid), "--fsize=10000:"]);
