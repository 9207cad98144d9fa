// Runs a task; Ctrl-C cancels it at the service, a second one leaves at once: node cancel-by-ctrl-c.ts "the task"
import { createCloudBrowser } from "@cloud-browser/client";
import { createControl } from "@cloud-browser/client/control";

const { data: stream, response } = await createCloudBrowser()
  .automate({ query: process.argv[2] ?? "" })
  .withResponse();
const run = response.headers.get("x-service-run-id"); // a header of this repository's service
process.once("SIGINT", () => {
  process.once("SIGINT", () => process.exit(130));
  console.log("cancelling …");
  if (run) void createControl().runs.cancel(run);
  else void stream.cancel(); // elsewhere: the reading stops; whether the run does is not shown
});

for await (const event of stream) if (event.type === "tool_start") console.log(event.name);
const outcome = await stream.outcome();
console.log(outcome.type); // cancelled, as the service says so in the stream
process.exitCode = outcome.type === "done" ? 0 : 130;
