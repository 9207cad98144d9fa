// oxlint-disable unicorn/consistent-function-scoping -- what a test is about is in it
import { expect, test } from "vitest";
import { createCloudBrowser } from "../../src/index.ts";
import { downloadReplay } from "../../src/replay.ts";
import { attachRun } from "../../src/runs.ts";

/** So many chunks that a test that is red ends, too. */
const many = 500_000;

/** A body that always has the next chunk at hand. */
function createReadyBody(chunk: Uint8Array): ReadableStream<Uint8Array> {
  let remaining = many;
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (remaining-- > 0) controller.enqueue(chunk.slice());
    else controller.close();
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

const chunks = [
  { name: "empty chunks", chunk: new Uint8Array() },
  { name: "chunks of a byte", chunk: Uint8Array.of(32) },
];
const base = { apiKey: "key", baseUrl: "https://service.example", retries: 0 };
const replay = {
  mp4_url: "https://files.example/video",
  playlist_content: "",
  expires_at: "",
  video_start_ms: 0,
  video_duration_ms: 0,
};
const replays = { replay: async () => replay };
const readCode = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "resolved",
    (thrown: unknown) => Object(thrown).code,
  );

const bodies = chunks.flatMap((each) =>
  [200, 422, 500].map((status) => ({ name: each.name, chunk: each.chunk, status })),
);
test.for(bodies)(
  "a limit expires while a body of $name, of status $status, is always ready",
  async ({ chunk, status }) => {
    const client = createCloudBrowser({ ...base, fetch: async () => new Response(createReadyBody(chunk), { status }) });
    expect(await readCode(client.cookies("s1", { timeouts: { totalMs: 30 } }))).toBe("timeout");
  },
);

test.for(chunks)("an abort fires while a file of $name is always ready", async ({ chunk }) => {
  const fetch = async (): Promise<Response> => new Response(createReadyBody(chunk));
  const signal = AbortSignal.timeout(30);
  expect(await readCode(downloadReplay(replays, "s1", new WritableStream(), { fetch, signal }))).toBe("aborted");
});

test("a file of empty chunks has no bytes within stallMs", async () => {
  const fetch = async (): Promise<Response> => new Response(createReadyBody(new Uint8Array()));
  const download = downloadReplay(replays, "s1", new WritableStream(), { fetch, stallMs: 60, maxAttempts: 1 });
  expect(await readCode(download)).toBe("download");
});

test.for([
  { name: "empty chunks", text: "" },
  { name: "no line end", text: "x" },
  { name: "an event that was seen", text: "id: 1\ndata: {}\n\n" },
])("an abort fires while the events of a run are always ready: $name", async ({ text }) => {
  let requestCount = 0;
  const fetch = async (): Promise<Response> =>
    requestCount++ === 0
      ? new Response(createReadyBody(new TextEncoder().encode(text)))
      : new Response("", { status: 404 });
  const run = attachRun(createCloudBrowser({ ...base, fetch }), "run-1", {
    after: "1",
    signal: AbortSignal.timeout(30),
  });
  const outcome = await run.stream.outcome();
  expect(outcome.type === "broken" && outcome.error.code).toBe("aborted");
});

test("an abort fires between retries without a delay", async () => {
  let remaining = many / 10;
  const fetch = async (): Promise<Response> => {
    if (remaining-- > 0) throw new Error("refused");
    return Response.json({ cookies: [] });
  };
  const client = createCloudBrowser({ ...base, fetch, retries: { max: many, baseMs: 0, maxMs: 0 } });
  expect(await readCode(client.cookies("s1", { signal: AbortSignal.timeout(30) }))).toBe("aborted");
});
