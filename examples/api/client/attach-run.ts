import { createCloudBrowser } from "@cloud-browser/client";
import { attachRun } from "@cloud-browser/client/runs";

// `after`: the id of the last event that another process has read; without it, all events.
const run = attachRun(createCloudBrowser(), "c1b6a2de-4f7e-4a52-8f0a-9e2d5b7c3f60", { after: "2" });
let count = 0;
for await (const event of run.stream) if (event.type !== "done") count += 1;
console.log(count, run.lastEventId); // 8 11
