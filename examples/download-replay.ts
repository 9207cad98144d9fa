// Waits for the replay of a session, and downloads its video. The connection is lost on the way.
//
//   node --conditions=@cloud-browser/source examples/download-replay.ts
//
// Needs nothing: a server within the program plays the service.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCloudBrowser } from "@cloud-browser/client";
import { downloadReplay, waitForReplay } from "@cloud-browser/client/replay";
import { startReplayService } from "./servers/replay-service.ts";

await using service = await startReplayService();
const client = createCloudBrowser({ apiKey: "any-key", baseUrl: service.url });
const folder = await mkdtemp(join(tmpdir(), "replay-"));

const replay = await waitForReplay(client, "s1", {
  intervalMs: 100,
  onWait: ({ status }) => console.log(`not yet: ${status}`),
});
const { bytes, resumes } = await downloadReplay(client, "s1", join(folder, "replay.mp4"), {
  replay,
  retryDelayMs: 10,
  onProgress: ({ receivedBytes, totalBytes = NaN }) => {
    if (receivedBytes === totalBytes) console.log("100 %");
  },
});
console.log(`${bytes} bytes, resumed ${resumes === 1 ? "once" : `${resumes} times`}`);
await rm(folder, { recursive: true });
