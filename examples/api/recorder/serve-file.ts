import { stat, writeFile } from "node:fs/promises";
import { serveFile } from "@cloud-browser/recorder";

await writeFile("replay.mp4", "a video");
const { size, mtimeMs } = await stat("replay.mp4");
const request = new Request("http://127.0.0.1/replay.mp4", { headers: { range: "bytes=2-" } });
const response = await serveFile(request, { path: "replay.mp4", size, type: "video/mp4", modifiedMs: mtimeMs });
console.log(response.status, response.headers.get("content-range"), await response.text()); // 206 bytes 2-6/7 video
