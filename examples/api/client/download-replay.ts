import { createCloudBrowser } from "@cloud-browser/client";
import { downloadReplay } from "@cloud-browser/client/replay";

const { bytes } = await downloadReplay(createCloudBrowser(), "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", "replay.mp4");
console.log(bytes); // 300000
