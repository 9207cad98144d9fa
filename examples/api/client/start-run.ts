import { createCloudBrowser } from "@cloud-browser/client";
import { startRun } from "@cloud-browser/client/runs";

const run = await startRun(createCloudBrowser(), { query: "When does the next ferry leave from pier 3?" });
console.log(run.isDetached, run.id); // true c1b6a2de-4f7e-4a52-8f0a-9e2d5b7c3f60
console.log((await run.stream.outcome()).type); // done
