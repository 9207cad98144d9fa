import { expect, test } from "vitest";
import { playRecording } from "../../src/recording/player.ts";
import { recordStream, type RecordOptions } from "../../src/recording/recorder.ts";
import { getBytes, listCuts } from "../chunking.ts";
import { drain, joinLines } from "./recording-file.ts";

async function* give(chunks: readonly Uint8Array[], error?: Error): AsyncGenerator<Uint8Array> {
  yield* chunks;
  if (error) throw error;
}

const getLatin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

async function record(chunks: readonly Uint8Array[], options?: RecordOptions, error?: Error): Promise<string> {
  const recorder = recordStream(give(chunks, error), options);
  await drain(recorder.source);
  return recorder.recording();
}

const play = async (text: string): Promise<string[]> => (await drain(playRecording(text))).chunks.map(getLatin1);

const contents = [
  {
    name: "text of one to four bytes per character",
    bytes: getBytes('data: {"type":"text_delta","delta":"aé€😀"}\r\n\n'),
  },
  {
    name: "bytes that are no UTF-8, NUL, BOM and escapes",
    bytes: Uint8Array.of(0xef, 0xbb, 0xbf, 0, 255, 128, 10, 92, 34),
  },
  { name: "nothing", bytes: new Uint8Array(0) },
];
test.for(contents)("gives back $name, however it was cut", async ({ bytes }) => {
  for (const { name, chunks } of listCuts(bytes)) {
    const recorder = recordStream(give(chunks));
    const passed = await drain(recorder.source);
    expect(passed.chunks.every((chunk, index) => chunk === chunks[index])).toBe(true);
    expect(passed.chunks).toHaveLength(chunks.length);
    expect({ name, got: await play(recorder.recording()) }).toEqual({ name, got: chunks.map(getLatin1) });
  }
});

test("plays a large chunk that is not UTF-8, and empty chunks", async () => {
  const large = Uint8Array.from({ length: 100_001 }, (_, index) => (index * 7) % 256);
  const { chunks } = await drain(playRecording(await record([new Uint8Array(0), large, new Uint8Array(0)])));
  expect(chunks.map(({ length }) => length)).toEqual([0, 100_001, 0]);
  expect(Buffer.compare(chunks[1] ?? new Uint8Array(0), large)).toBe(0);
});

test("writes the documented lines: text, or base64 within a character, with times from the first request", async () => {
  let time = 1000;
  const recorder = recordStream(give([getBytes("a\n"), Uint8Array.of(0xc3), Uint8Array.of(0xa9)]), {
    now: () => (time += 10.06),
  });
  expect(recorder.recording()).toBe(joinLines('{"end":"open"}'));
  time = 5000;
  await drain(recorder.source);
  expect(recorder.recording()).toBe(
    joinLines(
      '{"atMs":10.1,"text":"a\\n"}',
      '{"atMs":20.1,"base64":"ww=="}',
      '{"atMs":30.2,"base64":"qQ=="}',
      '{"end":"complete"}',
    ),
  );
});

test("keeps what came, also when the consumer changes the chunk", async () => {
  const recorder = recordStream(give([getBytes("abc")]));
  for await (const chunk of recorder.source) chunk.fill(0);
  expect(await play(recorder.recording())).toEqual(["abc"]);
});

test("passes the error of the source on, records that there was one, and plays one", async () => {
  const error = new Error("s3cr3t");
  const recorder = recordStream(give([getBytes("a")], error));
  expect(await drain(recorder.source)).toEqual({ chunks: [getBytes("a")], error });
  expect(recorder.recording()).toMatch(/\n\{"end":"error"\}\n$/);
  expect(recorder.recording()).not.toContain("s3cr3t");
  const replay = await drain(playRecording(recorder.recording()));
  expect(replay).toMatchObject({ chunks: [getBytes("a")], error: { name: "StreamError", code: "connection-lost" } });
});

/** A source that counts, and hangs after its chunks. */
function createHanging(chunks: readonly Uint8Array[]) {
  const state = { pulls: 0, released: 0 };
  const source: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const value = chunks[state.pulls++];
        return value ? { done: false, value } : new Promise<never>(() => {});
      },
      async return() {
        state.released++;
        return { done: true, value: undefined };
      },
    }),
  };
  return { state, source };
}

test("reads when asked and not before, and releases the source when it is left", async () => {
  const { source, state } = createHanging([getBytes("a"), getBytes("b")]);
  const recorder = recordStream(source);
  expect(state).toEqual({ pulls: 0, released: 0 });
  for await (const chunk of recorder.source) {
    expect(chunk).toEqual(getBytes("a"));
    expect(state).toEqual({ pulls: 1, released: 0 });
    expect(recorder.recording()).toContain('{"end":"open"}');
    break;
  }
  await Promise.resolve();
  expect(state).toEqual({ pulls: 1, released: 1 });
  expect(recorder.recording()).toMatch(/"text":"a"\}\n\{"end":"left"\}\n$/);
  expect(await drain(recorder.source)).toEqual({ chunks: [] });
  expect(state.pulls).toBe(1);
});

test("releases a source that hangs, without waiting for it", async () => {
  const { source, state } = createHanging([]);
  const recorder = recordStream(source);
  const iterator = recorder.source[Symbol.asyncIterator]();
  void iterator.next();
  expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
  await Promise.resolve();
  expect(state).toEqual({ pulls: 1, released: 1 });
});

test("does not record what comes after it was left, nor passes it on", async () => {
  let arrive: ((result: IteratorResult<Uint8Array>) => void) | undefined;
  const next = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve) => {
      arrive = resolve;
    });
  const recorder = recordStream({ [Symbol.asyncIterator]: () => ({ next }) });
  const iterator = recorder.source[Symbol.asyncIterator]();
  const pending = iterator.next();
  await iterator.return?.();
  arrive?.({ done: false, value: getBytes("late") });
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(recorder.recording()).toBe(joinLines('{"end":"left"}'));
});

async function* giveLate(): AsyncGenerator<Uint8Array> {
  await new Promise((resolve) => setTimeout(resolve, 10));
  yield getBytes("a");
}

test("measures time by itself", async () => {
  const recorder = recordStream(giveLate());
  const start = performance.now();
  await drain(recorder.source);
  const ms = performance.now() - start;
  const atMs = Number(/"atMs":([\d.]+)/.exec(recorder.recording())?.[1]);
  expect(atMs).toBeGreaterThanOrEqual(9);
  expect(atMs).toBeLessThanOrEqual(ms + 0.05); // recordings round to tenths
});

test("cancels the body of a response that is left while it hangs, and does not throw for it", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (cancelled = true) });
  const recorder = recordStream(new Response(body));
  const iterator = recorder.source[Symbol.asyncIterator]();
  const pending = iterator.next();
  await iterator.return?.();
  expect(await pending).toEqual({ done: true, value: undefined });
  expect(cancelled).toBe(true);
  expect(body.locked).toBe(false);
  expect(recorder.recording()).toBe(joinLines('{"end":"left"}'));
});

const limits = [
  { name: "as much as may be", maxBytes: 6, chunks: ["aaa", "bbb"], cut: true },
  { name: "the chunks that fit, and no smaller one later", maxBytes: 5, chunks: ["aaa"], cut: true },
  { name: "everything when nothing is beyond", maxBytes: 7, chunks: ["aaa", "bbb", "c"], cut: false },
  { name: "nothing without room", maxBytes: 0, chunks: [], cut: true },
];
test.for(limits)("keeps $name, and passes all of it", async ({ maxBytes, chunks, cut }) => {
  const recorder = recordStream(give(["aaa", "bbb", "c"].map(getBytes)), { maxBytes });
  expect((await drain(recorder.source)).chunks).toHaveLength(3);
  expect(await play(recorder.recording())).toEqual(chunks);
  expect(recorder.recording().endsWith(`{"end":"complete"${cut ? ',"truncated":true' : ""}}\n`)).toBe(true);
});

const clocks: { name: string; now: unknown }[] = [
  { name: "rejects", now: () => Promise.reject(new Error("mine")) },
  { name: "counts in bigints", now: () => 5n },
  { name: "knows no number", now: () => NaN },
];
test.for(clocks)("a clock that $name truncates the recording, and the stream goes on", async ({ now }) => {
  const unhandled: unknown[] = [];
  const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", onUnhandled);
  const result: unknown = Reflect.apply(recordStream, undefined, [give([getBytes("a"), getBytes("b")]), { now }]);
  const recorder: ReturnType<typeof recordStream> = Object(result);
  expect((await drain(recorder.source)).chunks.map(getLatin1)).toEqual(["a", "b"]);
  expect(await play(recorder.recording())).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve));
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});
