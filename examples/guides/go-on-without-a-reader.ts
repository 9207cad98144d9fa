import { createCloudBrowser } from "@cloud-browser/client";
import { startRun } from "@cloud-browser/client/runs";

const run = await startRun(createCloudBrowser(), { query: "Find the next ferry from pier 3." });
for await (const event of run.stream) console.log(run.lastEventId, event.type);
