// Runs a task, with its progress in one line, and its result when it is done: node show-progress.ts "the task"
import { createCloudBrowser } from "@cloud-browser/client";

const query = process.argv[2] ?? "";
await using stream = await createCloudBrowser().automate({ query });
const show = process.stderr.isTTY ? (line: string) => process.stderr.write(`\r\u001B[K${line}`) : console.log;
for await (const event of stream) {
  if (event.type === "tool_start") show(`${stream.snapshot.tools.length}. ${event.name}`);
  if (event.type === "function_uploaded") show(`function ${event.function_name}`);
}
const outcome = await stream.outcome();
console.log(`\n${stream.snapshot.text.trim()}`);
console.log(outcome.type === "done" ? `done for ${outcome.event.total_cost_usd} USD` : `ended with ${outcome.type}`);
process.exitCode = outcome.type === "done" ? 0 : 1;
