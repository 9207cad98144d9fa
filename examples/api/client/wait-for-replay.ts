import { createCloudBrowser } from "@cloud-browser/client";
import { waitForReplay } from "@cloud-browser/client/replay";

const replay = await waitForReplay(createCloudBrowser(), "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", {
  deadlineMs: 120_000,
});
console.log(replay.video_duration_ms); // 6000
