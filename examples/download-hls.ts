// Downloads the replay of a session as HLS, which plays offline.
//
//   node --conditions=@cloud-browser/source examples/download-hls.ts
//
// Needs nothing: a server within the program plays the service.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCloudBrowser } from "@cloud-browser/client";
import { downloadHls, parsePlaylist, segmentsBetween, waitForReplay } from "@cloud-browser/client/replay";
import { startReplayService } from "./servers/replay-service.ts";

await using service = await startReplayService();
const client = createCloudBrowser({ apiKey: "any-key", baseUrl: service.url });
const folder = await mkdtemp(join(tmpdir(), "replay-"));

const replay = await waitForReplay(client, "s1", { until: "playlist", intervalMs: 100 });
const { segmentCount, bytes, playlistPath } = await downloadHls(client, "s1", join(folder, "hls"), { replay });
console.log(`${segmentCount} segments, ${bytes} bytes: ${(await readdir(join(folder, "hls"))).sort().join(", ")}`);

const playlist = parsePlaylist(await readFile(playlistPath, "utf8"));
const late = segmentsBetween(playlist, 4.5, 5);
console.log(`from 4.5 to 5 seconds: ${late.map(({ uri }) => uri).join(", ")}`);
await rm(folder, { recursive: true });
