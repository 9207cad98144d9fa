// A process that checks data against a schema and prints the verdict. It says when the check has begun, so that it can be paused.
import { validateData } from "../../src/structure/schema/validate-data.ts";

await validateData({ type: "string" }, { value: "the thread is started" });
const verdict = validateData({ type: "string", pattern: "^(a+)+$" }, { value: `${"a".repeat(24)}!` });
console.log("begun");
console.log(`verdict ${(await verdict).kind}`);
