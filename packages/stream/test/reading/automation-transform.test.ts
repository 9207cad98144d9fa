import { afterAll, beforeAll, expect, test } from "vitest";
import { createAutomationTransform, StreamError, type StreamEvent, type StreamReport } from "../../src/index.ts";
import { getBytes, cuts } from "../chunking.ts";
import { settled } from "../pulse.ts";
import { done, followed, createSource, status } from "../source.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const delta = 'data: {"type":"text_delta","delta":"é😀"}\n';
const texts = [
  { name: "a whole stream", text: `\uFEFF${status}${delta}: ping\r\n\r\ndata: {"type":"tick"}\r${done}`, want: ["status", "text_delta", "unknown", "done"] },
  { name: "a stream without a last line end", text: `${status}${done.trim()}`, want: ["status", "done"] },
  { name: "a stream with something behind its end", text: `${status}${done}${status}`, want: ["status", "done"] },
  { name: "each other terminal event", text: 'data: {"type":"cancelled"}\n', want: ["cancelled"] },
  { name: "a stream that ends early", text: `${status}${delta}`, want: ["status", "text_delta", "throws ended-early"] },
  { name: "a stream that ends within an event", text: `${status}data: {"type":"done"`, want: ["status", "throws ended-early"] },
  { name: "a sentinel, which is no end", text: `${status}data: [DONE]\n`, want: ["status", "throws ended-early"] },
  { name: "nothing", text: "", want: ["throws ended-early"] },
]; // prettier-ignore
test.for(texts)("pipes through at every chunking: $name", async ({ text, want }) => {
  for (const { name, chunks } of cuts(getBytes(text))) {
    const events = createSource(chunks).stream.pipeThrough(createAutomationTransform());
    expect({ name, got: await followed(events) }).toEqual({ name, got: want });
  }
});

test("delivers an event at the end of its line, while the writable side stays open", async () => {
  const { readable, writable } = createAutomationTransform();
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  void writer.write(getBytes(delta));
  expect((await reader.read()).value).toEqual({ type: "text_delta", delta: "é😀" });
});

test("ends at the terminal event although the writable side never closes, and releases what is piped in", async () => {
  const { stream, seen } = createSource([status, done, status], "hang");
  expect(await followed(stream.pipeThrough(createAutomationTransform()))).toEqual(["status", "done"]);
  await settled();
  expect(seen.cancelled).toBe(true);
});

test("takes no more bytes than are asked for", async () => {
  const { stream, seen } = createSource([status, status, status, status, status, done]);
  const reader = stream.pipeThrough(createAutomationTransform()).getReader();
  await reader.read();
  await settled();
  expect(seen.pulls).toBeLessThanOrEqual(3);
  await reader.cancel();
  await settled();
  expect(seen.cancelled).toBe(true);
});

test("passes on why what is piped in failed", async () => {
  const cause = new Error("reset");
  const reader = createSource([status], cause).stream.pipeThrough(createAutomationTransform()).getReader();
  expect((await reader.read()).value?.type).toBe("status");
  await expect(reader.read()).rejects.toMatchObject({ code: "connection-lost", cause });
});

test("reports lines that are not events, and those after the terminal one in the same chunk", async () => {
  const reports: StreamReport[] = [];
  const { stream } = createSource([`data: x\n\n${done}${status}data: {`], "hang");
  const transform = createAutomationTransform({ onReport: (report) => reports.push(report) });
  expect(await followed(stream.pipeThrough(transform))).toEqual(["done"]);
  expect(reports).toEqual([
    { kind: "invalid-json", line: 1 },
    { kind: "after-terminal", line: 5 },
    { kind: "after-terminal", line: 7 },
  ]);
});

const options = [
  { name: "damage: throw", given: { damage: "throw" }, text: `${status}data: x\n${done}`, want: ["status", "throws invalid-json"] },
  { name: "damage: throw, on a line without its end", given: { damage: "throw" }, text: `${status}data: x`, want: ["status", "throws invalid-json"] },
  { name: "damage: throw, on an object without a type", given: { damage: "throw" }, text: `${status}data: {}\n${done}`, want: ["status", "throws missing-type"] },
  { name: "maxEventBytes", given: { maxEventBytes: 100 }, text: `${status}data: ${"x".repeat(200)}\n${done}`, want: ["status", "throws event-too-large"] },
  { name: "oversize: skip", given: { maxEventBytes: 100, oversize: "skip" }, text: `${status}data: ${"x".repeat(200)}\n${done}`, want: ["status", "done"] },
] as const; // prettier-ignore
test.for(options)("takes the option $name, and delivers the events before an error", async ({ given, text, want }) => {
  for (const chunks of [[text], Array.from(getBytes(text), (byte) => Uint8Array.of(byte))]) {
    const { readable, writable } = createAutomationTransform(given);
    const piping = createSource(chunks)
      .stream.pipeTo(writable)
      .catch((error: unknown) => error);
    const got: string[] = [];
    const reader = readable.getReader();
    try {
      for (let item = await reader.read(); !item.done; item = await reader.read()) got.push(item.value.type);
    } catch (error) {
      got.push(error instanceof StreamError ? `throws ${error.code}` : String(error));
    }
    expect(got).toEqual(want);
    await piping;
  }
});

const failing = [
  { name: "ended-early", text: `${status}${delta}` },
  { name: "invalid-json", text: `${status}${delta}data: x\n` },
  { name: "event-too-large", text: `${status}${delta}data: ${"x".repeat(200)}` },
];
test.for(failing)("fails with a snapshot until then, and takes no more: $name", async ({ name, text }) => {
  const { readable, writable } = createAutomationTransform({ damage: "throw", maxEventBytes: 100 });
  const writer = writable.getWriter();
  const writing = Promise.allSettled([writer.write(getBytes(text)), writer.close(), writer.closed]);
  const events: StreamEvent[] = [];
  const read = async (): Promise<void> => {
    for await (const event of readable) events.push(event);
  };
  await expect(read()).rejects.toMatchObject({ code: name, snapshot: { events: 2, text: "é😀" } });
  await writing;
  const [late] = await Promise.allSettled([writer.write(getBytes(text))]);
  expect(late.status).toBe("rejected");
});

test("calls a chunk that is not bytes misuse", async () => {
  const { readable, writable } = createAutomationTransform();
  const writer: WritableStreamDefaultWriter<unknown> = writable.getWriter();
  const writing = Promise.allSettled([writer.write(done), writer.close(), writer.closed]);
  expect(await followed(readable)).toEqual(["throws misuse"]);
  await writing;
});

test("leaves no rejection unhandled, however it ends", async () => {
  for (const { text } of texts.slice(0, -1)) {
    await followed(
      createSource([text], "hang")
        .stream.pipeThrough(createAutomationTransform({ damage: "throw" }))
        .pipeThrough(first()),
    );
    await followed(createSource([text]).stream.pipeThrough(createAutomationTransform()));
  }
  await settled();
  expect(unhandled).toEqual([]);
});

/** Lets one event through, and ends. */
function first(): TransformStream<StreamEvent, StreamEvent> {
  return new TransformStream({
    transform(event, controller) {
      controller.enqueue(event);
      controller.terminate();
    },
  });
}

test("can be left quietly after the terminal event has come, and before it was read", async () => {
  const events = createSource([`${status}${status}${done}`], "hang").stream.pipeThrough(createAutomationTransform());
  const got: string[] = [];
  for await (const event of events) {
    got.push(event.type);
    break;
  }
  expect(got).toEqual(["status"]);
});

test("calls an impossible option misuse at once", () => {
  expect(() => createAutomationTransform({ maxEventBytes: 0 })).toThrow(expect.objectContaining({ code: "misuse" }));
});
