import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { downloadReplay, type FileFetch, type ReplayClient, type ReplayResponse } from "../../src/replay.ts";
import { getBytes, getContent } from "./replay-host.ts";
import { quick } from "./replay-video.ts";

const video = Uint8Array.from(getBytes(getContent("parts", 5000)));
const replay: ReplayResponse = {
  mp4_url: "https://files.example/v",
  playlist_content: "",
  expires_at: "",
  video_start_ms: 0,
  video_duration_ms: 0,
};
const client: ReplayClient = { replay: async () => replay };

/** Answers with parts of at most so many bytes, as RFC 9110 § 15.3.7 allows; but first with a whole that breaks off. */
function getHost(most: number, headers: Record<string, string>): FileFetch & { requestCount: number } {
  const fetch: FileFetch = async (_, init) => {
    host.requestCount++;
    const range = /^bytes=(\d+)-/.exec(new Headers(init.headers).get("range") ?? "")?.[1];
    if (range === undefined) return new Response(breakOff(video.subarray(0, most)), { headers });
    const start = Number(range);
    const part = video.slice(start, start + most);
    const reported = `bytes ${start}-${start + part.length - 1}/${video.length}`;
    return new Response(part, { status: 206, headers: { ...headers, "content-range": reported } });
  };
  const host = Object.assign(fetch, { requestCount: 0 });
  return host;
}

function breakOff(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let wasSent = false;
  return new ReadableStream({
    pull(controller) {
      if (wasSent) controller.error(new Error("cut"));
      else controller.enqueue(bytes);
      wasSent = true;
    },
  });
}

function createMemoryTarget(): [WritableStream<Uint8Array>, () => Buffer] {
  const chunks: Uint8Array[] = [];
  return [new WritableStream({ write: (chunk) => void chunks.push(chunk) }), () => Buffer.concat(chunks)];
}

test.for([
  { name: "of the first response", headers: { "content-length": "5000" } },
  { name: "of ranges only", headers: {} },
])("a part that ends before the size $name is not the end", async ({ headers }) => {
  const fetch = getHost(600, { etag: '"1"', ...headers });
  const [stream, getWritten] = createMemoryTarget();
  const reported: (number | undefined)[] = [];
  const onProgress = ({ totalBytes }: { totalBytes: number | undefined }): void => void reported.push(totalBytes);
  const result = await downloadReplay(client, "s1", stream, { ...quick, fetch, onProgress });
  expect(result).toMatchObject({ bytes: video.length, resumes: 8 });
  expect(getWritten().equals(video)).toBe(true);
  expect(fetch.requestCount).toBe(9);
  expect(reported.at(-1)).toBe(video.length);
});

test("a size from ranges that changes means another file", async () => {
  let requestCount = 0;
  const fetch: FileFetch = async (address, init) => {
    const response = await getHost(600, { etag: '"1"' })(address, init);
    if (++requestCount === 3) response.headers.set("content-range", "bytes 1200-1799/6000");
    return response;
  };
  const [stream] = createMemoryTarget();
  await expect(downloadReplay(client, "s1", stream, { ...quick, fetch })).rejects.toMatchObject({ code: "download" });
});

test("a file that is stored compressed is decoded in Deno, too", async () => {
  // Deno decodes nothing for who accepts `identity` alone, and says so in no way.
  const fetch: FileFetch = async (_, init) => {
    const isKept = new Headers(init.headers).get("accept-encoding") === "identity";
    const stored = gzipSync(video);
    const headers = { "content-encoding": "gzip", "content-length": `${stored.length}` };
    return new Response(isKept ? stored : video, { headers });
  };
  const [stream, getWritten] = createMemoryTarget();
  await downloadReplay(client, "s1", stream, { ...quick, fetch });
  expect(getWritten().equals(video)).toBe(true);
});
