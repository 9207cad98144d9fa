import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { readAutomationStream } from "../../src/index.ts";
import { getBytes } from "../chunking.ts";
import { done, readTypes, createSource, sse, status } from "../source.ts";

test("throws its error once, and is done then", async () => {
  const iterator = readAutomationStream(createSource([status]).stream)[Symbol.asyncIterator]();
  expect(await iterator.next()).toMatchObject({ done: false });
  await expect(iterator.next()).rejects.toMatchObject({ code: "ended-early" });
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});

test("answers requests for events in their order, also when several wait", async () => {
  const iterator = readAutomationStream(createSource([status, `${status}${done}`]).stream)[Symbol.asyncIterator]();
  const results = await Promise.all([iterator.next(), iterator.next(), iterator.next(), iterator.next()]);
  expect(results.map(({ value }) => value?.type)).toEqual(["status", "status", "done", undefined]);
});

test("releases the source at the terminal event, and reports the rest of the current chunk", async () => {
  const reports: object[] = [];
  const { stream, state } = createSource([`${done}data: {"type":"status"}\n\ndata: {`, status], "hang");
  const types = await readTypes(readAutomationStream(stream, { onReport: (report) => reports.push(report) }));
  expect(types).toEqual(["done"]);
  expect(reports).toEqual([
    { kind: "after-terminal", line: 3 },
    { kind: "after-terminal", line: 5 },
  ]);
  expect(state).toEqual({ pulls: 1, cancelled: true });
  expect(stream.locked).toBe(false);
});

const breaking = [
  { name: "an event is too large", chunks: [`data: ${"x".repeat(200)}`] },
  { name: "the chunk is damaged, and that ends the reading", chunks: ["data: x\n"] },
];
test.for(breaking)("releases the source when $name", async ({ chunks }) => {
  const { stream, state } = createSource(chunks, "hang");
  const outcome = await readAutomationStream(stream, { damage: "throw", maxEventBytes: 100 }).outcome();
  expect(outcome.type).toBe("broken");
  expect(state.cancelled).toBe(true);
});

test("releases a response that it refuses", async () => {
  const { stream, state } = createSource(["<html>"], "hang");
  const response = new Response(stream, { headers: { "content-type": "text/html" } });
  expect((await readAutomationStream(response).outcome()).type).toBe("broken");
  expect(state.cancelled).toBe(true);
});

test("reads nothing before the first request, and no chunk ahead of a slow consumer", async () => {
  const { stream, state } = createSource([status, status, done]);
  const iterator = readAutomationStream(stream)[Symbol.asyncIterator]();
  expect(state.pulls).toBe(0);
  await iterator.next();
  expect(state.pulls).toBe(1);
});

const leavings: { name: string; leave: (stream: ReturnType<typeof readAutomationStream>) => Promise<unknown> }[] = [
  {
    name: "break",
    async leave(stream) {
      for await (const event of stream) if (event.type === "status") break;
    },
  },
  { name: "cancel before any read", leave: (stream) => stream.cancel() },
  {
    name: "cancel while a read hangs",
    async leave(stream) {
      const iterator = stream[Symbol.asyncIterator]();
      await iterator.next();
      await iterator.next();
      const hanging = iterator.next();
      await stream.cancel();
      expect(await hanging).toEqual({ done: true, value: undefined });
    },
  },
  {
    name: "await using",
    async leave(stream) {
      await using reading = stream;
      await reading[Symbol.asyncIterator]().next();
    },
  },
];
test.for(leavings)("leaves quietly by $name", async ({ leave }) => {
  const { stream, state } = createSource([`${status}${status}`], "hang");
  const reading = readAutomationStream(stream);
  await leave(reading);
  expect(await reading.outcome()).toEqual({ type: "left" });
  expect(state.cancelled).toBe(true);
});

test("is left when the consumer breaks before the terminal event of the same chunk", async () => {
  const reading = readAutomationStream(createSource([`${status}${done}`]).stream);
  for await (const event of reading) if (event.type === "status") break;
  expect(await reading.outcome()).toEqual({ type: "left" });
});

test("keeps its outcome when it is cancelled after the end", async () => {
  const reading = readAutomationStream(createSource([done]).stream);
  await readTypes(reading);
  await reading.cancel();
  expect((await reading.outcome()).type).toBe("done");
});

test("releases a generator, whose finally runs", async () => {
  let isClosed = false;
  async function* generate(): AsyncGenerator<Uint8Array> {
    try {
      yield getBytes(status);
      yield getBytes(done);
      yield getBytes(status);
    } finally {
      isClosed = true;
    }
  }
  await readAutomationStream(generate()).outcome();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(true);
});

test("settles when the signal aborts, even when the source never does", async () => {
  const controller = new AbortController();
  const { stream, state } = createSource([`${status}${status}`], "hang");
  const reading = readAutomationStream(stream, { signal: controller.signal });
  const types = readTypes(reading);
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort("enough");
  expect(await types).toEqual(["status", "status", "throws aborted"]);
  expect(await reading.outcome()).toMatchObject({ type: "broken", error: { code: "aborted", cause: "enough" } });
  expect(state.cancelled).toBe(true);
});

test("settles when the signal aborts, even when the source is an iterator without return", async () => {
  const forever = new Promise<never>(() => {});
  const source = { [Symbol.asyncIterator]: () => ({ next: () => forever, return: () => forever }) };
  const controller = new AbortController();
  const reading = readAutomationStream(source, { signal: controller.signal });
  const types = readTypes(reading);
  controller.abort();
  expect(await types).toEqual(["throws aborted"]);
});

test("reads nothing when the signal has aborted before", async () => {
  const { stream, state } = createSource([done]);
  const reading = readAutomationStream(stream, { signal: AbortSignal.abort() });
  expect(await readTypes(reading)).toEqual(["throws aborted"]);
  expect(state).toEqual({ pulls: 0, cancelled: true });
});

test("has its outcome at once when the signal aborts between reads", async () => {
  const controller = new AbortController();
  const reading = readAutomationStream(createSource([done]).stream, { signal: controller.signal });
  controller.abort();
  expect(await reading.outcome()).toMatchObject({ type: "broken", error: { code: "aborted" } });
});

test("leaves no listener on a signal that serves many streams", async () => {
  const { signal } = new AbortController();
  for (const chunks of [[done], [status], ["{}"]]) {
    await readAutomationStream(createSource(chunks).stream, { signal }).outcome();
  }
  const reading = readAutomationStream(createSource([], "hang").stream, { signal });
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  await reading.cancel();
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("takes a chunk that is not bytes as misuse", async () => {
  const source = new ReadableStream({ start: (controller) => controller.enqueue("text") });
  expect(await readTypes(readAutomationStream(source))).toEqual(["throws misuse"]);
});

const misuses: { name: string; act: () => unknown }[] = [
  {
    name: "a second iteration",
    act() {
      const reading = readAutomationStream(createSource([done]).stream);
      reading[Symbol.asyncIterator]();
      return reading[Symbol.asyncIterator]();
    },
  },
  {
    name: "an iteration after outcome()",
    act() {
      const reading = readAutomationStream(createSource([done]).stream);
      void reading.outcome();
      return reading[Symbol.asyncIterator]();
    },
  },
  {
    name: "a locked body",
    act() {
      const response = new Response(done, { headers: sse });
      void response.text();
      return readAutomationStream(response);
    },
  },
  { name: "a source that is none", act: () => Reflect.apply(readAutomationStream, undefined, [{}]) },
];
test.for(misuses)("calls it misuse at once: $name", (misuse) => {
  expect(() => misuse.act()).toThrow(expect.objectContaining({ name: "StreamError", code: "misuse" }));
});

test("does not show the address of the viewer to those who serialize, copy or inspect it", async () => {
  const secret = "https://viewer.example/live?token=s3cr3t";
  const data = `data: ${JSON.stringify({ type: "notte_session_data", viewer_url: secret })}\n\n`;
  const stream = readAutomationStream(createSource([data, done]).stream);
  expect(await readTypes(stream)).toEqual(["notte_session_data", "done"]);
  expect(stream.snapshot.viewer_url).toBe(secret);
  const texts = [
    JSON.stringify(stream),
    JSON.stringify({ stream }),
    inspect(stream, { getters: true, showHidden: false, depth: 9 }),
  ];
  for (const text of [...texts, JSON.stringify({ ...stream }), JSON.stringify(Object.entries(stream))]) {
    expect(text).not.toContain("s3cr3t");
  }
});
