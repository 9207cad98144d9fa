import { createCloudBrowser } from "@cloud-browser/client";
import { parsePlaylist, waitForReplay } from "@cloud-browser/client/replay";

const replay = await waitForReplay(createCloudBrowser(), "s1", { deadlineMs: 60_000 });
const { segments } = parsePlaylist(replay.playlist_content ?? "");
console.log(segments.length, "segments");
