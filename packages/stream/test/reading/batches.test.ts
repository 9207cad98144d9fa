import { afterAll, beforeAll, expect, test } from "vitest";
import { readAutomationStream, StreamError, type StreamEvent } from "../../src/index.ts";
import { getBytes, listCuts } from "../chunking.ts";
import { createPulse, settle } from "../pulse.ts";
import { done, createSource, status } from "../source.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

/** All of an iteration, and the code of the error that ended it. */
async function collect<Item>(items: AsyncIterable<Item>): Promise<{ items: Item[]; error: string | undefined }> {
  const all: Item[] = [];
  try {
    for await (const item of items) all.push(item);
  } catch (error) {
    if (!(error instanceof StreamError)) throw error;
    return { items: all, error: error.code };
  }
  return { items: all, error: undefined };
}

const delta = 'data: {"type":"text_delta","delta":"é😀"}\n';
const texts = [
  { name: "a whole stream", text: `\uFEFF${status}${delta}: ping\r\n\ndata: x\n${delta}data: {"type":"tick"}\r\r${done}`, error: undefined },
  { name: "a stream without a last line end", text: `${delta}${done.trim()}`, error: undefined },
  { name: "a stream with something behind its end", text: `${delta}${done}${status}`, error: undefined },
  { name: "a stream that ends early", text: `${status}${delta}data: {"type":`, error: "ended-early" },
  { name: "nothing but heartbeats", text: ": a\n\n: b\n\n", error: "ended-early" },
]; // prettier-ignore
test.for(texts)(
  "gives in batches and as a ReadableStream what the iteration gives, at every chunking: $name",
  async ({ text, error }) => {
    const want = await collect(readAutomationStream(createSource([text]).stream));
    expect(want.error).toBe(error);
    for (const { name, chunks } of listCuts(getBytes(text))) {
      const batched = readAutomationStream(createSource(chunks).stream);
      const batches = await collect(batched.batches());
      expect({ name, ...batches, items: batches.items.flat() }).toEqual({ name, ...want });
      expect(batches.items.every((batch) => batch.length > 0)).toBe(true);
      expect(await batched.outcome()).toMatchObject(error ? { error: { code: error } } : { type: "done" });

      const streamed = readAutomationStream(createSource(chunks).stream);
      expect({ name, ...(await collect(streamed.toReadableStream())) }).toEqual({ name, ...want });
      expect(await streamed.outcome()).toMatchObject(error ? { error: { code: error } } : { type: "done" });
    }
  },
);

function listTypes(batches: StreamEvent[][]): string[] {
  return batches.map((batch) => batch.map(({ type }) => type).join(" "));
}

test("makes one batch of the events of one chunk", async () => {
  const { stream } = createSource([`${status}${delta}`, ": ping\n", `${delta}${done}${status}`]);
  const { items } = await collect(readAutomationStream(stream).batches());
  expect(listTypes(items)).toEqual(["status text_delta", "text_delta done"]);
});

test("reads no chunk before a batch is asked for, and none ahead", async () => {
  const { stream, state } = createSource([status, status, done]);
  const batches = readAutomationStream(stream).batches()[Symbol.asyncIterator]();
  await settle();
  expect(state.pulls).toBe(0);
  await batches.next();
  await settle();
  expect(state.pulls).toBe(1);
});

const failures = [
  { name: "a damaged line, when that throws", last: "data: x\n", error: "invalid-json" },
  { name: "an event that is too large", last: `data: ${"x".repeat(200)}\n`, error: "event-too-large" },
];
test.for(failures)("gives the batch of events before $name in the same chunk, and then throws, once", async ({ last, error }) => {
  const { stream, state } = createSource([`${status}${delta}${last}${done}`], "hang");
  const reading = readAutomationStream(stream, { damage: "throw", maxEventBytes: 100 });
  const batches = reading.batches()[Symbol.asyncIterator]();
  expect(listTypes([(await batches.next()).value ?? []])).toEqual(["status text_delta"]);
  await expect(batches.next()).rejects.toMatchObject({ code: error, snapshot: { events: 2, text: "é😀" } });
  expect(await batches.next()).toEqual({ done: true, value: undefined });
  expect(await reading.outcome()).toMatchObject({ type: "broken", error: { code: error } });
  expect(state.cancelled).toBe(true);
}); // prettier-ignore

test("leaves quietly when the consumer of batches breaks", async () => {
  const { stream, state } = createSource([status, status], "hang");
  const reading = readAutomationStream(stream);
  for await (const batch of reading.batches()) if (batch.length > 0) break;
  expect(await reading.outcome()).toEqual({ type: "left" });
  expect(state).toEqual({ pulls: 1, cancelled: true });
});

test("is done when the consumer breaks at the batch that ends the stream", async () => {
  const reading = readAutomationStream(createSource([`${status}${done}`]).stream);
  for await (const batch of reading.batches()) if (batch.length > 0) break;
  expect((await reading.outcome()).type).toBe("done");
});

test.for(["batches", "toReadableStream", "iteration"] as const)("calls a second way to read misuse: after %s", async (way) => {
  const reading = readAutomationStream(createSource([done]).stream);
  if (way === "iteration") reading[Symbol.asyncIterator]();
  else reading[way]();
  const misuse = expect.objectContaining({ code: "misuse" }) as unknown;
  expect(() => reading.batches()).toThrow(misuse);
  expect(() => reading.toReadableStream()).toThrow(misuse);
  expect(() => reading[Symbol.asyncIterator]()).toThrow(misuse);
  await reading.cancel();
}); // prettier-ignore

test("reads for a ReadableStream only when its reader asks", async () => {
  const { stream, state } = createSource([`${status}${status}`, status, done]);
  const reader = readAutomationStream(stream).toReadableStream().getReader();
  await settle();
  expect(state.pulls).toBe(0);
  const types: unknown[] = [];
  for (const pulls of [1, 1, 2, 3]) {
    types.push((await reader.read()).value?.type);
    await settle();
    expect(state.pulls).toBe(pulls);
  }
  expect(types).toEqual(["status", "status", "status", "done"]);
  expect(await reader.read()).toEqual({ done: true, value: undefined });
  expect(stream.locked).toBe(false);
});

test("releases the source when the reader of a ReadableStream cancels, also while it waits", async () => {
  for (const waits of [false, true]) {
    const { stream, state } = createSource([status], "hang");
    const reading = readAutomationStream(stream);
    const reader = reading.toReadableStream().getReader();
    await reader.read();
    const waiting = waits ? reader.read() : undefined;
    await reader.cancel("enough");
    expect(await waiting).toEqual(waits ? { done: true, value: undefined } : undefined);
    expect(await reading.outcome()).toEqual({ type: "left" });
    expect(state.cancelled).toBe(true);
  }
  await settle();
  expect(unhandled).toEqual([]);
});

test("fails a ReadableStream with the error of the stream", async () => {
  const cause = new Error("reset");
  const reader = readAutomationStream(createSource([status], cause).stream)
    .toReadableStream()
    .getReader();
  expect((await reader.read()).value?.type).toBe("status");
  await expect(reader.read()).rejects.toMatchObject({ code: "connection-lost", cause, snapshot: { events: 1 } });
  await expect(reader.closed).rejects.toMatchObject({ code: "connection-lost" });
});

test("fails a ReadableStream when the signal aborts while it waits", async () => {
  const controller = new AbortController();
  const { source, state } = createPulse("stream", status);
  const reader = readAutomationStream(source, { signal: controller.signal }).toReadableStream().getReader();
  await reader.read();
  const waiting = reader.read();
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  expect(state.released).toBe(true);
});

test("pipes through what others made", async () => {
  const upper = new TransformStream<StreamEvent, string>({
    transform: (event, controller) => controller.enqueue(event.type.toUpperCase()),
  });
  const { stream } = createSource([`${status}${delta}`, `${delta}${done}`], "hang");
  const { items } = await collect(readAutomationStream(stream).toReadableStream().pipeThrough(upper));
  expect(items).toEqual(["STATUS", "TEXT_DELTA", "TEXT_DELTA", "DONE"]);
});

test("answers requests for batches in their order, also when several wait", async () => {
  const { source } = createPulse("iterator", `${status}${delta}`, delta);
  const reading = readAutomationStream(source);
  const batches = reading.batches()[Symbol.asyncIterator]();
  const results = await Promise.all([batches.next(), batches.next(), batches.next()]);
  expect(listTypes(results.map(({ value }) => value ?? []))).toEqual(["status text_delta", "text_delta", "text_delta"]);
  await reading.cancel();
});

test("gives successive events to 1,000 requests at once, and ends those beyond the last", async () => {
  const lines = Array.from({ length: 500 }, (_, at) => `data: {"type":"text_delta","delta":"${at}"}\n`);
  const chunks = [lines.slice(0, 200).join(""), ...lines.slice(200), done];
  const iterator = readAutomationStream(createSource(chunks).stream)[Symbol.asyncIterator]();
  const results = await Promise.all(Array.from({ length: 1000 }, () => iterator.next()));
  const deltas = results.map(({ value }) => (value?.type === "text_delta" ? value.delta : value?.type));
  expect(deltas.slice(0, 502)).toEqual([...Array.from({ length: 500 }, (_, at) => `${at}`), "done", undefined]);
  expect(results.filter((result) => result.done)).toHaveLength(499);
});

test("throws to one of several requests that wait, and ends the others", async () => {
  const iterator = readAutomationStream(createSource([status], new Error("reset")).stream)[Symbol.asyncIterator]();
  const results = await Promise.allSettled([iterator.next(), iterator.next(), iterator.next(), iterator.next()]);
  expect(results.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(results.slice(2)).toEqual(Array.from({ length: 2 }, () => ({ status: "fulfilled", value: { done: true } })));
});

test.for(["stream", "iterator"] as const)("ends all requests that wait when return() is called: %s", async (shape) => {
  const { source, state } = createPulse(shape, undefined);
  const reading = readAutomationStream(source);
  const iterator = reading[Symbol.asyncIterator]();
  const waiting = [iterator.next(), iterator.next()];
  expect(await iterator.return?.()).toEqual({ done: true, value: undefined });
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ done: true, value: undefined })));
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
  expect(await reading.outcome()).toEqual({ type: "left" });
  await settle();
  expect(state.released).toBe(true);
});

test("leaves no rejection unhandled in 1,000 aborts, with and without a reader", async () => {
  for (let time = 0; time < 1000; time++) {
    const controller = new AbortController();
    const { stream, state } = createSource([status], time % 2 ? "hang" : new Error("reset"));
    const reading = readAutomationStream(stream, { signal: controller.signal });
    const way = time % 5;
    const waiting: Promise<unknown>[] = [];
    if (way === 1) waiting.push(collect(reading));
    if (way === 2) waiting.push(collect(reading.batches()));
    if (way === 3) waiting.push(collect(reading.toReadableStream()));
    if (way === 4) waiting.push(reading.outcome());
    if (time % 3) await Promise.resolve();
    if (time % 7 === 0) await settle();
    controller.abort();
    await Promise.all(waiting);
    expect((await reading.outcome()).type).toBe("broken");
    expect(state.cancelled || time % 2 === 0).toBe(true);
  }
  await settle();
  expect(unhandled).toEqual([]);
});

test("throws its abort to who asks later, although it was cancelled in between", async () => {
  const reading = readAutomationStream(createSource([status, done]).stream, { signal: AbortSignal.abort("enough") });
  await reading.cancel();
  await expect(reading[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: "aborted", cause: "enough" });
  expect(await reading.outcome()).toMatchObject({ type: "broken", error: { code: "aborted" } });
});

const reportActs: { name: string; want: string | undefined }[] = [
  { name: "cancels", want: undefined },
  { name: "aborts", want: "aborted" },
];
test.for(reportActs)("delivers nothing more when onReport $name, not even of the chunk in hand", async ({ name, want }) => {
  const controller = new AbortController();
  const reading = readAutomationStream(createSource([status, `data: x\n${delta}${delta}`, done]).stream, {
    signal: controller.signal,
    onReport: () => (name === "aborts" ? controller.abort() : void reading.cancel()),
  });
  const { items, error } = await collect(reading);
  expect({ types: items.map(({ type }) => type), error }).toEqual({ types: ["status"], error: want });
  expect(reading.snapshot.events).toBe(1);
}); // prettier-ignore
