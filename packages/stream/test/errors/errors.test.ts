import { inspect } from "node:util";
import { expect, test } from "vitest";
import {
  createSnapshot,
  readAutomationStream,
  reduceSnapshot,
  StreamError,
  type AutomationSource,
  type AutomationStreamOptions,
  type StreamErrorCode,
  type StreamEvent,
} from "../../src/index.ts";
import { createPulse } from "../pulse.ts";
import { createSource, sse } from "../source.ts";

/** A canary for everything that a stream may carry. */
const secret = "s3cr3t";
const carried = [
  `data: {"type":"text_delta","delta":"${secret}"}\n`,
  `data: {"type":"notte_session_data","viewer_url":"https://v.example/?token=${secret}"}\n\n`,
  `data: {"type":"tool_result","content":{"${secret}":"${secret}"}}\n`,
  `data: {"type":"${secret}"}\n`,
].join("");

interface Case {
  readonly source: () => AutomationSource;
  /** Made anew for each reading, as a signal fires once. */
  readonly options?: () => AutomationStreamOptions;
  /** How many events come before. */
  readonly events: number;
}

/** A record, so that the compiler misses no code. */
const cases: { readonly [Code in StreamErrorCode]: readonly Case[] } = {
  "ended-early": [
    { source: () => createSource([carried]).stream, events: 4 },
    { source: () => createSource([`${carried}data: {"${secret}`]).stream, events: 4 },
    { source: () => createSource([`: ${secret}\n`]).stream, events: 0 },
  ],
  "connection-lost": [
    { source: () => createSource([carried], new Error("reset")).stream, events: 4 },
    { source: () => createSource([carried], new DOMException("x", "AbortError")).stream, events: 4 },
    { source: () => createSource([carried], new DOMException("x", "TimeoutError")).stream, events: 4 },
  ],
  "first-event-timeout": [
    {
      source: () => createPulse("stream", `: ${secret}\n`).source,
      options: () => ({ timeouts: { eventsMs: 20 } }),
      events: 0,
    },
  ],
  "bytes-timeout": [
    { source: () => createPulse("stream", carried).source, options: () => ({ timeouts: { bytesMs: 20 } }), events: 4 },
  ],
  "events-timeout": [
    {
      source: () => createPulse("stream", carried, `: ${secret}\n`).source,
      options: () => ({ timeouts: { eventsMs: 40 } }),
      events: 4,
    },
  ],
  "total-timeout": [
    { source: () => createPulse("stream", carried).source, options: () => ({ timeouts: { totalMs: 20 } }), events: 4 },
  ],
  "invalid-json": [
    {
      source: () => createSource([`${carried}data: {"${secret}\n\n`]).stream,
      options: () => ({ damage: "throw" }),
      events: 4,
    },
    {
      source: () => createSource([`${carried}data: ["${secret}"]\n`]).stream,
      options: () => ({ damage: "throw" }),
      events: 4,
    },
  ],
  "missing-type": [
    {
      source: () => createSource([`${carried}data: {"a":"${secret}"}\n`]).stream,
      options: () => ({ damage: "throw" }),
      events: 4,
    },
  ],
  "event-too-large": [
    {
      source: () => createSource([`${carried}data: {"${secret.repeat(50)}`], "hang").stream,
      options: () => ({ maxEventBytes: 100 }),
      events: 4,
    },
  ],
  "not-a-stream": [
    { source: () => new Response(secret, { headers: { "content-type": "text/html" } }), events: 0 },
    { source: () => new Response(`{"detail":"${secret}"}`, { headers: sse }), events: 0 },
    { source: () => createSource([`<html>${secret}`]).stream, events: 0 },
    { source: () => createSource([`{"type":"status","status":"${secret}"}\n`, "{}\n"]).stream, events: 0 },
  ],
  "http-status": [
    { source: () => new Response(`{"detail":"${secret}"}`, { status: 401, headers: sse }), events: 0 },
    { source: () => new Response(carried, { status: 500, headers: sse }), events: 0 },
    { source: () => new Response(null, { status: 503 }), events: 0 },
    { source: () => new Response(createSource([], new Error("reset")).stream, { status: 502 }), events: 0 },
    {
      source: () => new Response(createSource([], "hang").stream, { status: 502 }),
      options: () => ({ timeouts: { bytesMs: 20 } }),
      events: 0,
    },
  ],
  aborted: [
    {
      source: () => createPulse("stream", carried).source,
      options: () => ({ signal: AbortSignal.timeout(50) }),
      events: 4,
    },
    { source: () => createSource([carried]).stream, options: () => ({ signal: AbortSignal.abort() }), events: 0 },
  ],
  misuse: [{ source: createTextSource, events: 0 }],
};
const rows = Object.entries(cases).flatMap(([code, some]) => some.map((one, at) => ({ code, at: at + 1, ...one })));

/** A source of text where bytes belong. */
function createTextSource(): ReadableStream<Uint8Array> {
  const text = new ReadableStream({ start: (controller) => controller.enqueue(secret) });
  return text;
}

/** The events of an iteration, and what it threw. */
async function readBroken<Item>(items: AsyncIterable<Item>): Promise<{ items: Item[]; error: StreamError }> {
  const all: Item[] = [];
  try {
    for await (const item of items) all.push(item);
  } catch (error) {
    if (error instanceof StreamError) return { items: all, error };
    throw error;
  }
  throw new Error("the iteration ended without an error");
}

/** Everything that a log may show of a thing. */
function showAll(thing: unknown): string {
  const error = thing instanceof Error ? [thing.message, thing.stack, String(thing)] : [];
  return [...error, JSON.stringify(thing), inspect(thing, { depth: 9 }), inspect({ thing })].join("\n");
}

test.for(rows)(
  "breaks off with $code, which carries the snapshot until then and shows nothing of it: case $at",
  async ({ code, source, options, events }) => {
    const reading = readAutomationStream(source(), options?.());
    const { items, error } = await readBroken(reading);
    expect(error).toMatchObject({ name: "StreamError", code });
    expect(items).toHaveLength(events);
    expect(error.snapshot).toEqual(items.reduce(reduceSnapshot, createSnapshot()));
    const outcome = await reading.outcome();
    expect(outcome).toEqual({ type: "broken", error });
    expect(outcome.type === "broken" && outcome.error).toBe(error);
    for (const thing of [error, outcome, new Error("above", { cause: error }), new AggregateError([error])]) {
      expect(showAll(thing)).not.toContain(secret);
    }
    expect(Object.keys(error)).not.toContain("snapshot");
    expect(Object.keys(error)).not.toContain("head");
  },
);

test.for(rows)(
  "says the same of $code to who reads batches, a ReadableStream or only the outcome: case $at",
  async ({ code, source, options, events }) => {
    const batches = readAutomationStream(source(), options?.());
    const batched = await readBroken(batches.batches());
    expect({ code: batched.error.code, events: batched.items.flat().length }).toEqual({ code, events });
    expect(batched.error.snapshot?.events).toBe(events);
    const streamed = await readBroken(readAutomationStream(source(), options?.()).toReadableStream());
    expect({ code: streamed.error.code, events: streamed.items.length }).toEqual({ code, events });
    expect(streamed.error.snapshot?.events).toBe(events);
    const outcome = await readAutomationStream(source(), options?.()).outcome();
    expect(outcome).toMatchObject({ type: "broken", error: { code, snapshot: { events } } });
  },
);

test("takes the snapshot of the error when the error is thrown, not when it was found", async () => {
  const reading = readAutomationStream(createSource([carried], new Error("reset")).stream);
  const events: StreamEvent[] = [];
  await expect(
    (async () => {
      for await (const event of reading) {
        events.push(event);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })(),
  ).rejects.toMatchObject({ code: "connection-lost", snapshot: { events: 4, text: secret, unknown: 1 } });
  expect(events).toHaveLength(4);
});

test("leaves what an abort drops out of the snapshot", async () => {
  const controller = new AbortController();
  const reading = readAutomationStream(createSource([carried]).stream, { signal: controller.signal });
  const iterator = reading[Symbol.asyncIterator]();
  await iterator.next();
  controller.abort();
  await expect(iterator.next()).rejects.toMatchObject({ code: "aborted", snapshot: { events: 1, viewer_url: null } });
});

const heads = [
  { name: "a refused response", make: () => new Response("<html>", { headers: { "content-type": "text/html" } }), head: "<html>", status: 200 },
  { name: "an error status", make: () => new Response("gone", { status: 410 }), head: "gone", status: 410 },
  { name: "bytes that are no stream", make: () => createSource(["{", '"a":1}']).stream, head: '{"a":1}', status: undefined },
  { name: "much of it", make: () => createSource([`<${"x".repeat(2000)}`]).stream, head: `<${"x".repeat(511)}`, status: undefined },
]; // prettier-ignore
test.for(heads)("carries the beginning and the status of $name, at most 512 bytes", async ({ make, head, status }) => {
  const { error } = await readBroken(readAutomationStream(make()));
  expect(error.head).toBe(head);
  expect(error.status).toBe(status);
});

test.for(["ended-early", "bytes-timeout", "not-a-stream", "aborted"] as const)(
  "an error says in words what its code %s means, and which status came",
  (code) => {
    expect(new StreamError(code).message).toMatch(/^[a-z]\w* \w+ /u);
    expect(new StreamError(code, undefined, { status: 503 }).message).toContain("503");
    expect(new StreamError(code, "own words").message).toBe("own words");
  },
);
