import { createCloudBrowser } from "@cloud-browser/client";

const { mp4_url, video_duration_ms } = await createCloudBrowser().replay("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
console.log(`${video_duration_ms} ms in ${new URL(mp4_url).pathname}`); // 6000 ms in /replay.mp4
