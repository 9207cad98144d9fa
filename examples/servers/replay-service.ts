import type { IncomingMessage, ServerResponse } from "node:http";
import { listen, type LocalServer } from "./listen.ts";

/** What stands for a video, and for its segments. */
const files: Record<string, Buffer> = {
  "/replay.mp4": Buffer.alloc(300_000, "video"),
  "/0.ts": Buffer.alloc(20_000, "first"),
  "/1.ts": Buffer.alloc(10_000, "second"),
};

/** A service that has a replay when it is asked for the second time, and loses the connection within the video once. */
export function startReplayService(): Promise<LocalServer> {
  let [requestCount, lost] = [0, false];
  return listen((request, response) => {
    const file = files[request.url?.replace(/\?.*/, "") ?? ""];
    if (file) {
      const breaks = !lost && file.length > 100_000;
      lost ||= breaks;
      sendFile(file, request, response, breaks);
    } else {
      response.writeHead(++requestCount === 1 ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(makeReplay(`http://${request.headers.host}`)));
    }
  });
}

function makeReplay(base: string): object {
  const segments = ["#EXTINF:4,", `${base}/0.ts?signature=s`, "#EXTINF:2,", `${base}/1.ts?signature=s`];
  const playlist = ["#EXTM3U", "#EXT-X-TARGETDURATION:4", ...segments, "#EXT-X-ENDLIST", ""];
  return { mp4_url: `${base}/replay.mp4?signature=s`, playlist_content: playlist.join("\n") };
}

function sendFile(file: Buffer, { headers }: IncomingMessage, response: ServerResponse, breaks: boolean): void {
  const start = Number(/bytes=(\d+)/.exec(headers.range ?? "")?.[1] ?? 0);
  response.writeHead(start > 0 ? 206 : 200, {
    etag: '"1"',
    "accept-ranges": "bytes",
    "content-length": file.length - start,
    ...(start > 0 && { "content-range": `bytes ${start}-${file.length - 1}/${file.length}` }),
  });
  if (breaks) response.write(file.subarray(0, 100_000), () => setTimeout(() => response.destroy(), 50));
  else response.end(file.subarray(start));
}
