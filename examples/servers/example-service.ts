import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listen, type LocalServer } from "./listen.ts";

const session = "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";
const runId = "c1b6a2de-4f7e-4a52-8f0a-9e2d5b7c3f60";
const readExample = (name: string): string =>
  readFileSync(new URL(`../../spec/examples/${name}`, import.meta.url), "utf8");

/** Bytes that stand for a video, and for its segments. */
const files: Readonly<Record<string, Buffer>> = {
  "/replay.mp4": Buffer.alloc(300_000, "video"),
  "/0.ts": Buffer.alloc(20_000, "first"),
  "/1.ts": Buffer.alloc(10_000, "second"),
};

/** A service that answers with the examples of the contract: one session, which has a replay, and one run. */
export function startExampleService(): Promise<LocalServer> {
  return listen(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://service").pathname;
    const body = await text(request);
    const file = files[path];
    const json = (value: string, status = 200): unknown =>
      response.writeHead(status, { "content-type": "application/json" }).end(value);
    if (file) return response.writeHead(200, { etag: '"1"', "content-length": file.length }).end(file);
    if (path.startsWith("/control/runs/")) return sendEvents(request, response);
    if (path.startsWith("/control/sessions")) {
      return json(JSON.stringify({ session_id: session, state: request.method === "DELETE" ? "ended" : "active" }));
    }
    if (path === "/api/automation/start") {
      const isDetached = request.headers["prefer"] === "respond-async";
      response.writeHead(isDetached ? 202 : 200, { "content-type": "text/event-stream", "x-service-run-id": runId });
      return response.end(readExample("automation/automation.200.done.sse"));
    }
    if (!path.startsWith(`/sessions/${session}/`)) return json('{"detail":"no such session"}', 404);
    if (path.endsWith("/cookies")) return json(readExample("cookies/cookies.200.typical.json"));
    if (path.endsWith("/replay")) return json(writeReplay(`http://${request.headers.host}`));
    return json(scrape(JSON.parse(body)));
  });
}

function scrape(request: Readonly<Record<string, unknown>>): string {
  if (request["only_images"] === true) return readExample("scrape/scrape.200.images.json");
  if (request["response_format"] === undefined) return readExample("scrape/scrape.200.markdown.json");
  return JSON.stringify({
    markdown: "",
    images: [],
    structured: { success: true, data: { title: "Day ticket", cents: 1850 } },
  });
}

function writeReplay(base: string): string {
  const segments = ["#EXTINF:4,", `${base}/0.ts?signature=s`, "#EXTINF:2,", `${base}/1.ts?signature=s`];
  const playlist = ["#EXTM3U", "#EXT-X-TARGETDURATION:4", ...segments, "#EXT-X-ENDLIST", ""];
  const mp4_url = `${base}/replay.mp4?signature=s`;
  return JSON.stringify({ mp4_url, playlist_content: playlist.join("\n"), video_duration_ms: 6_000 });
}

/** Sends the events of the run with their numbers, from the one after `Last-Event-ID` on. */
function sendEvents({ headers }: IncomingMessage, response: ServerResponse): void {
  const after = Number(headers["last-event-id"] ?? 0);
  const events = readExample("automation/automation.200.done.sse").trimEnd().split("\n\n");
  const numbered = events.map((event, index) => `id: ${index + 1}\n${event}\n\n`).slice(after);
  response.writeHead(200, { "content-type": "text/event-stream" }).end(numbered.join(""));
}
