// Starts a run that needs no reader, and follows it from where another reader stopped.
//
//   node go-on-after-a-loss.ts "the task"
import { createCloudBrowser } from "@cloud-browser/client";
import { attachRun, startRun } from "@cloud-browser/client/runs";

const client = createCloudBrowser();
const run = await startRun(client, { query: process.argv[2] ?? "" });
if (!run.isDetached || !run.id) throw new Error("this service ends a run with its reader");

let read = 0;
for await (const event of run.stream) {
  console.log(`first reader: ${event.type}`);
  if (++read === 2) break; // a crash, a deployment, a closed laptop: keep run.id and run.lastEventId
}
const { id, lastEventId } = run;

// Any time later, in any process.
const again = attachRun(client, id, { after: lastEventId });
for await (const event of again.stream) console.log(`second reader: ${event.type}`);
console.log((await again.stream.outcome()).type);
