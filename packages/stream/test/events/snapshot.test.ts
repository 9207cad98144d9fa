import { expect, test } from "vitest";
import {
  createSnapshot,
  readAutomationStream,
  reduceSnapshot,
  type AutomationSnapshot,
  type StreamEvent,
} from "../../src/index.ts";
import { getBytes, listCuts } from "../chunking.ts";
import { createSource } from "../source.ts";

const id = "5b0f7d0e-63a1-4a3c-9c51-0d6a2f6e8b11";
const metadata = { thread_id: "t" };
const uploaded = {
  type: "function_uploaded",
  function_id: id,
  function_name: "next_ferry",
  created_at: "2026-11-20",
} as const;
const created = { function_id: id, function_name: "next_ferry", created_at: "2026-11-20" };

const reductions: { name: string; events: StreamEvent[]; want: Partial<AutomationSnapshot> }[] = [
  { name: "no event", events: [], want: { events: 0, text: "", status: null, function: null, total_cost_usd: null } },
  { name: "the newest status", events: [{ type: "status", status: "a" }, { type: "status", status: "b" }], want: { status: "b" } },
  { name: "text, put together", events: [{ type: "text_delta", delta: "a" }, { type: "text_delta", delta: "é😀" }], want: { text: "aé😀", thinking: "" } },
  { name: "reasoning, put together", events: [{ type: "thinking_delta", delta: "a" }, { type: "thinking_delta", delta: "b" }], want: { thinking: "ab", text: "" } },
  {
    name: "tools, in order",
    events: [{ type: "tool_start", name: "open" }, { type: "tool_result", content: { a: [1] } }, { type: "tool_start", name: "close" }],
    want: { tools: [{ type: "tool_start", name: "open" }, { type: "tool_result", content: { a: [1] } }, { type: "tool_start", name: "close" }] },
  },
  { name: "messages, by their number", events: [{ type: "message_complete", role: "assistant" }, { type: "message_complete", role: "x" }], want: { messages: 2 } },
  { name: "the address of the viewer", events: [{ type: "notte_session_data", viewer_url: "https://v.example/?t=1" }], want: { viewer_url: "https://v.example/?t=1" } },
  { name: "the function that was created", events: [uploaded], want: { function: created } },
  { name: "the function's identifier from done alone", events: [{ type: "done", total_cost_usd: 0.5, function_id: id, metadata }], want: { function: { function_id: id, function_name: null, created_at: null }, total_cost_usd: 0.5, ended: "done" } },
  { name: "the function as it was uploaded, also after done", events: [uploaded, { type: "done", total_cost_usd: 0, function_id: id, metadata }], want: { function: created, total_cost_usd: 0, ended: "done" } },
  { name: "done without a function", events: [{ type: "done", total_cost_usd: 0.5, metadata }], want: { function: null, total_cost_usd: 0.5, ended: "done" } },
  { name: "error, at an unknown cost", events: [{ type: "error", error: "x", detail: null }], want: { ended: "error", total_cost_usd: null } },
  { name: "timeout, at an unknown cost", events: [{ type: "timeout", reason: "x", detail: null }], want: { ended: "timeout", total_cost_usd: null } },
  { name: "cancelled, at an unknown cost", events: [{ type: "cancelled", reason: "x" }], want: { ended: "cancelled", total_cost_usd: null } },
  { name: "unlisted events, by their number", events: [{ type: "unknown", originalType: "tick", event: { type: "tick" } }], want: { unknown: 1 } },
]; // prettier-ignore

function reduceAll(events: readonly StreamEvent[]): AutomationSnapshot {
  return events.reduce(reduceSnapshot, createSnapshot());
}

function freeze<Thing>(thing: Thing): Thing {
  if (typeof thing === "object" && thing !== null) Object.values(Object.freeze(thing)).forEach(freeze);
  return thing;
}

test.for(reductions)("has $name, and nothing else", ({ events, want }) => {
  expect(reduceAll(events)).toEqual({ ...createSnapshot(), events: events.length, ...want });
});

test.for(reductions.slice(1))("changes neither the event nor the snapshot before: $name", ({ events }) => {
  let before = freeze(createSnapshot());
  for (const event of [...events, ...events]) {
    const copy = structuredClone(before);
    const after = reduceSnapshot(before, freeze(structuredClone(event)));
    expect(before).toStrictEqual(copy);
    expect(after).not.toBe(before);
    expect(after).toEqual(reduceSnapshot(before, event));
    before = freeze(after);
  }
});

test.for(reductions)("survives JSON whole: $name", ({ events }) => {
  const snapshot = reduceAll(events);
  const copy: unknown = JSON.parse(JSON.stringify(snapshot));
  expect(copy).toStrictEqual(snapshot);
});

test("starts anew each time", () => {
  expect(createSnapshot()).toStrictEqual(createSnapshot());
  expect(createSnapshot()).not.toBe(createSnapshot());
});

const lines = [
  ...reductions.flatMap(({ events }) => events).filter(({ type }) => !/^(?:done|error|timeout|cancelled)$/.test(type)),
  { type: "done", total_cost_usd: 0.5, function_id: id, metadata },
].map((event) => `data: ${JSON.stringify("event" in event ? event.event : event)}\n`);

const chunkings = [
  { name: "in one chunk", chunks: [lines.join("")] },
  { name: "one event per chunk", chunks: lines },
  { name: "one byte per chunk", chunks: Array.from(getBytes(lines.join("")), (byte) => Uint8Array.of(byte)) },
];
test.for(chunkings)("has at every point the summary of the delivered events: $name", async ({ chunks }) => {
  const reading = readAutomationStream(createSource(chunks).stream);
  let want = createSnapshot();
  expect(reading.snapshot).toEqual(want);
  for await (const event of reading) {
    want = reduceSnapshot(want, event);
    expect(reading.snapshot).toEqual(want);
  }
  expect(want).toMatchObject({ events: lines.length, ended: "done" });
  expect(reading.snapshot).toEqual(want);
});
test.for(chunkings)("is the same with batches: $name", async ({ chunks }) => {
  const reading = readAutomationStream(createSource(chunks).stream);
  let want = createSnapshot();
  for await (const batch of reading.batches()) {
    want = batch.reduce(reduceSnapshot, want);
    expect(reading.snapshot).toEqual(want);
  }
  expect(want.events).toBe(lines.length);
});
test.for(chunkings)("is the same when only the outcome is awaited: $name", async ({ chunks }) => {
  const reading = readAutomationStream(createSource(chunks).stream);
  await reading.outcome();
  expect(reading.snapshot).toMatchObject({ events: lines.length, text: "aé😀", ended: "done" });
});

test("gives a snapshot that later events do not change, and that is not the reader's own", async () => {
  const reading = readAutomationStream(createSource(lines).stream);
  const snapshots: [AutomationSnapshot, string][] = [];
  for await (const event of reading) {
    const { snapshot } = reading;
    snapshots.push([snapshot, JSON.stringify(snapshot)]);
    Reflect.set(reading.snapshot, "text", event.type);
  }
  expect(snapshots).toHaveLength(lines.length);
  for (const [snapshot, was] of snapshots) expect(JSON.stringify(snapshot)).toBe(was);
  expect(reading.snapshot.text).toBe("aé😀");
});

test("stops at the event where the consumer left", async () => {
  const reading = readAutomationStream(createSource([lines.join("")]).stream);
  for await (const _ of reading) break;
  expect(reading.snapshot.events).toBe(1);
});

const wrong = [
  "null",
  "5",
  "true",
  "[1]",
  "{}",
  '{"toString":1}',
  '{"toString":1,"valueOf":2}',
  '{"__proto__":{"x":1}}',
];
const hostileFields = [
  ...["text_delta", "thinking_delta"].map((type) => ({ type, fields: ["delta"] })),
  { type: "status", fields: ["status"] },
  { type: "tool_start", fields: ["name"] },
  { type: "tool_result", fields: ["content"] },
  { type: "message_complete", fields: ["role"] },
  { type: "notte_session_data", fields: ["viewer_url"] },
  { type: "function_uploaded", fields: ["function_id", "function_name", "created_at"] },
  { type: "done", fields: ["total_cost_usd", "function_id", "metadata"] },
  { type: "error", fields: ["error", "detail"] },
  { type: "timeout", fields: ["reason", "detail"] },
  { type: "cancelled", fields: ["reason"] },
  { type: "tick", fields: ["type_"] },
];
const hostile = hostileFields.flatMap(({ type, fields }) => [
  { name: `${type} without any field`, line: `data: {"type":"${type}"}\n` },
  { name: `${type} with fields that are named like members of every object`, line: `data: {"type":"${type}","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"toJSON":1}\n` },
  ...wrong.map((value) => ({
    name: `${type} with fields of ${value}`,
    line: `data: {"type":"${type}",${fields.map((field) => `"${field}":${value}`).join()}}\n`,
  })),
]); // prettier-ignore
test.for(hostile)("neither throws nor is polluted, and text stays text: $name", async ({ line }) => {
  const events: StreamEvent[] = [];
  const reading = readAutomationStream(createSource([line, line, ...lines.slice(-1)]).stream);
  for await (const event of reading) events.push(event);
  expect(reading.snapshot).toMatchObject({ events: events.length });
  expect(Object.keys(reading.snapshot)).toEqual(Object.keys(createSnapshot()));
  expect([typeof reading.snapshot.text, typeof reading.snapshot.thinking]).toEqual(["string", "string"]);
  expect(Reflect.get({}, "polluted")).toBe(undefined);
  expect(Object.getPrototypeOf(reading.snapshot)).toBe(Object.prototype);
  expect(() => JSON.stringify(reading.snapshot)).not.toThrow();
});

test.for(["", ',"delta":null', ',"delta":{}'])(
  "adds nothing to the text for a delta without text: %s",
  async (field) => {
    const chunk = `data: {"type":"text_delta"${field}}\ndata: {"type":"thinking_delta"${field}}\n`;
    const reading = readAutomationStream(createSource([chunk]).stream);
    await reading.outcome();
    expect(reading.snapshot).toMatchObject({ events: 2, text: "", thinking: "" });
  },
);

const bare = hostileFields.map(({ type }) => type).filter((type) => type !== "tick");
test.for(bare)("survives JSON whole also when fields are missing: %s", async (type) => {
  const reading = readAutomationStream(createSource([`data: {"type":"${type}"}\n`]).stream);
  await reading.outcome();
  const copy: unknown = JSON.parse(JSON.stringify(reading.snapshot));
  expect(copy).toStrictEqual(reading.snapshot);
});

test("has no function when done names null", async () => {
  const chunk = 'data: {"type":"done","total_cost_usd":1,"function_id":null,"metadata":{"thread_id":"t"}}\n';
  const reading = readAutomationStream(createSource([chunk]).stream);
  await reading.outcome();
  expect(reading.snapshot.function).toBe(null);
});

/** Processor time of the fastest of three runs, in microseconds. */
async function measureCost(act: () => Promise<void>): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    runs.push(user + system);
  }
  return Math.min(...runs);
}

/** The streams of that test end early. */
function ignore(): void {}

const many: { name: string; count: number; event: StreamEvent }[] = [
  { name: "deltas", count: 100_000, event: { type: "text_delta", delta: "abcd" } },
  { name: "events of tools", count: 16_000, event: { type: "tool_start", name: "open" } },
];
test.for(many)("takes as long for $count $name in one stream as in sixteen", async ({ count, event }) => {
  const line = getBytes(`data: ${JSON.stringify(event)}\n`.repeat(count / 16));
  const read = async (times: number): Promise<void> => {
    const reading = readAutomationStream(createSource(Array.from({ length: times }, () => line)).stream);
    for await (const _ of reading.batches()) expect(reading.snapshot.ended).toBe(null);
  };
  const small = await measureCost(async () => {
    for (let time = 0; time < 16; time++) await read(1).catch(ignore);
  });
  const large = await measureCost(() => read(16).catch(ignore));
  expect(large).toBeLessThan(4 * small + 20_000);
});

test("reads the same at every cut of the bytes", async () => {
  for (const { chunks } of listCuts(getBytes(lines.slice(-3).join("")))) {
    const reading = readAutomationStream(createSource(chunks).stream);
    await reading.outcome();
    expect(reading.snapshot).toMatchObject({ events: 3, ended: "done", total_cost_usd: 0.5 });
  }
});
