// Plays the replay of a session in a page of your own: node play-in-a-page.ts <session> [port]
//
// The key stays in this process. The page is given presigned addresses, anew whenever it asks, as they expire.
import { createServer } from "node:http";
import { ClientError, createCloudBrowser } from "@cloud-browser/client";

const [session = "", port = "0"] = process.argv.slice(2);
const client = createCloudBrowser();
const page = `<!doctype html><title>Replay</title><video controls width="960"></video><script type="module">
  const video = document.querySelector("video");
  let expires;
  const load = async (from) => {
    const replay = await (await fetch("/replay")).json();
    expires = Date.parse(replay.expires_at);
    video.src = replay.mp4_url;
    video.currentTime = from;
  };
  video.onerror = () => Date.now() >= expires && load(video.currentTime);
  await load(0);
</script>`;

const server = createServer(async ({ url }, response) => {
  if (url !== "/replay") return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  try {
    const { mp4_url, expires_at, video_duration_ms } = await client.replay(session);
    const body = JSON.stringify({ mp4_url, expires_at, video_duration_ms });
    return response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" }).end(body);
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return response.writeHead(error.status ?? 502).end(error.code); // not-found: not ready, or already deleted
  }
});
server.listen(Number(port), "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : port}/`);
});
