import { createCloudBrowser } from "@cloud-browser/client";
import { downloadHls } from "@cloud-browser/client/replay";

const { segmentCount } = await downloadHls(createCloudBrowser(), "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", "replay");
console.log(`${segmentCount} segments, to be played from replay/playlist.m3u8`); // 2 segments…
