// A process that runs a service, argument: its data folder, until it is killed. Prints its address and its key.
// Its parent limits how large its files may become (prlimit): then every write fails, as on a full disk.
import { writeSync } from "node:fs";
import { startService } from "../../src/service.ts";

const [, , data = ""] = process.argv;
const { url, apiKey } = await startService({ data, allow: ["127.0.0.1"] });
writeSync(1, `${JSON.stringify({ url, apiKey })}\n`);
