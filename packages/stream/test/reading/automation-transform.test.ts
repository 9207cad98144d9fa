import { afterAll, beforeAll, expect, test } from "vitest";
import { createAutomationTransform, StreamError, type StreamEvent, type StreamReport } from "../../src/index.ts";
import { getBytes, listCuts } from "../chunking.ts";
import { settle } from "../pulse.ts";
import { done, readTypes, createSource, status } from "../source.ts";

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
  for (const { name, chunks } of listCuts(getBytes(text))) {
    const events = createSource(chunks).stream.pipeThrough(createAutomationTransform());
    expect({ name, types: await readTypes(events) }).toEqual({ name, types: want });
  }
});

test("delivers an event at the end of its line, while the writable side stays open", async () => {
  const { readable, writable } = createAutomationTransform();
  const [reader, writer] = [readable.getReader(), writable.getWriter()];
  void writer.write(getBytes(delta));
  expect((await reader.read()).value).toEqual({ type: "text_delta", delta: "é😀" });
});

test("ends at the terminal event although the writable side never closes, and releases what is piped in", async () => {
  const { stream, state } = createSource([status, done, status], "hang");
  expect(await readTypes(stream.pipeThrough(createAutomationTransform()))).toEqual(["status", "done"]);
  await settle();
  expect(state.cancelled).toBe(true);
});

test("takes no more bytes than are asked for", async () => {
  const { stream, state } = createSource([status, status, status, status, status, done]);
  const reader = stream.pipeThrough(createAutomationTransform()).getReader();
  await reader.read();
  await settle();
  expect(state.pulls).toBeLessThanOrEqual(3);
  await reader.cancel();
  await settle();
  expect(state.cancelled).toBe(true);
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
  expect(await readTypes(stream.pipeThrough(transform))).toEqual(["done"]);
  expect(reports).toEqual([
    { kind: "invalid-json", line: 1 },
    { kind: "after-terminal", line: 5 },
    { kind: "after-terminal", line: 7 },
  ]);
});

const cases = [
  { name: "damage: throw", options: { damage: "throw" }, text: `${status}data: x\n${done}`, want: ["status", "throws invalid-json"] },
  { name: "damage: throw, on a line without its end", options: { damage: "throw" }, text: `${status}data: x`, want: ["status", "throws invalid-json"] },
  { name: "damage: throw, on an object without a type", options: { damage: "throw" }, text: `${status}data: {}\n${done}`, want: ["status", "throws missing-type"] },
  { name: "maxEventBytes", options: { maxEventBytes: 100 }, text: `${status}data: ${"x".repeat(200)}\n${done}`, want: ["status", "throws event-too-large"] },
  { name: "oversize: skip", options: { maxEventBytes: 100, oversize: "skip" }, text: `${status}data: ${"x".repeat(200)}\n${done}`, want: ["status", "done"] },
] as const; // prettier-ignore
test.for(cases)("takes the option $name, and delivers the events before an error", async ({ options, text, want }) => {
  for (const chunks of [[text], Array.from(getBytes(text), (byte) => Uint8Array.of(byte))]) {
    const { readable, writable } = createAutomationTransform(options);
    const piping = createSource(chunks)
      .stream.pipeTo(writable)
      .catch((error: unknown) => error);
    const types: string[] = [];
    const reader = readable.getReader();
    try {
      for (let item = await reader.read(); !item.done; item = await reader.read()) types.push(item.value.type);
    } catch (error) {
      types.push(error instanceof StreamError ? `throws ${error.code}` : String(error));
    }
    expect(types).toEqual(want);
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
  const readAll = async (): Promise<void> => {
    for await (const event of readable) events.push(event);
  };
  await expect(readAll()).rejects.toMatchObject({ code: name, snapshot: { events: 2, text: "é😀" } });
  await writing;
  const [late] = await Promise.allSettled([writer.write(getBytes(text))]);
  expect(late.status).toBe("rejected");
});

test("calls a chunk that is not bytes misuse", async () => {
  const { readable, writable } = createAutomationTransform();
  const writer: WritableStreamDefaultWriter<unknown> = writable.getWriter();
  const writing = Promise.allSettled([writer.write(done), writer.close(), writer.closed]);
  expect(await readTypes(readable)).toEqual(["throws misuse"]);
  await writing;
});

test("leaves no rejection unhandled, however it ends", async () => {
  for (const { text } of texts.slice(0, -1)) {
    await readTypes(
      createSource([text], "hang")
        .stream.pipeThrough(createAutomationTransform({ damage: "throw" }))
        .pipeThrough(passFirst()),
    );
    await readTypes(createSource([text]).stream.pipeThrough(createAutomationTransform()));
  }
  await settle();
  expect(unhandled).toEqual([]);
});

/** Lets one event through, and ends. */
function passFirst(): TransformStream<StreamEvent, StreamEvent> {
  return new TransformStream({
    transform(event, controller) {
      controller.enqueue(event);
      controller.terminate();
    },
  });
}

test("can be left quietly after the terminal event has come, and before it was read", async () => {
  const events = createSource([`${status}${status}${done}`], "hang").stream.pipeThrough(createAutomationTransform());
  const types: string[] = [];
  for await (const event of events) {
    types.push(event.type);
    break;
  }
  expect(types).toEqual(["status"]);
});

test("calls an impossible option misuse at once", () => {
  expect(() => createAutomationTransform({ maxEventBytes: 0 })).toThrow(expect.objectContaining({ code: "misuse" }));
});
