// A process that checks data against a schema, stops itself (SIGSTOP) while the check is under way, and prints the verdict once it continues.
import { setTimeout as wait } from "node:timers/promises";
import { validateData } from "../../src/structure/schema/validate-data.ts";

await validateData({ type: "string" }, { value: "the thread is started" });
const verdict = validateData({ type: "string", pattern: "^(a+)+$" }, { value: `${"a".repeat(22)}!` });
await wait(10); // the check takes a few times as long, and a fraction of its processor time
console.log("begun");
process.kill(process.pid, "SIGSTOP");
console.log(`verdict ${(await verdict).kind}`);
