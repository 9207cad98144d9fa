// Plays the replay of a session in a page of your own: node play-in-a-page.ts <session> [port]
//
// The key stays in this process. The page is given presigned addresses, anew whenever it asks, as they expire.
import { createServer } from "node:http";
import { ClientError, createCloudBrowser } from "@cloud-browser/client";

const [session = "", port = "0"] = process.argv.slice(2);
const client = createCloudBrowser();
const page = `<!doctype html><title>Replay</title><video controls width="960"></video><script type="module">
  const video = document.querySelector("video");
  const load = async () => (video.src = (await (await fetch("/replay")).json()).mp4_url);
  video.onerror = async () => { const at = video.currentTime; await load(); video.currentTime = at; }; // expired
  await load();
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
