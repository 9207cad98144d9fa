import { expect, test, vi } from "vitest";
import { streamRunEvents, type RunEvents } from "../../src/runs/event-body.ts";
import { RunLog } from "../../src/runs/run-log.ts";
import type { RunEvent } from "../../src/storage/run-store.ts";

const delta = (text: string): { readonly type: "text_delta"; readonly delta: string } => ({
  type: "text_delta",
  delta: text,
});
const nothing = (): void => {};

/** A log, and what it wrote with each write. */
function logged(bytes?: number): {
  readonly log: RunLog;
  readonly writes: { readonly events: readonly number[]; readonly oldest: number }[];
  readonly faults: unknown[];
  readonly store: { isBroken: boolean };
} {
  const writes: { readonly events: readonly number[]; readonly oldest: number }[] = [];
  const faults: unknown[] = [];
  const store = { isBroken: false };
  const append = async (_: string, events: readonly RunEvent[], oldest: number): Promise<void> => {
    if (store.isBroken) throw new Error("disk full");
    writes.push({ events: events.map(({ seq }) => seq), oldest });
  };
  const onFault = (error: unknown): void => void faults.push(error);
  const options = { id: "a", records: { append }, onFault, ...(bytes === undefined ? {} : { bytes }) };
  return { log: new RunLog(options), writes, faults, store };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads a body to its end. */
function readText(body: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(body).text();
}

test("events are written together, and a run does not wait for that", async () => {
  const { log, writes } = logged();
  for (const text of ["a", "b", "c"]) log.add(delta(text));
  expect(writes).toEqual([]);
  await vi.waitFor(() => expect(writes).toEqual([{ events: [1, 2, 3], oldest: 1 }]));
  log.add(delta("d"));
  await log.flush();
  await log.flush();
  expect(writes.slice(1)).toEqual([{ events: [4], oldest: 1 }]);
});

test("events that could not be written are reported, and written with the next ones", async () => {
  const { log, writes, faults, store } = logged();
  store.isBroken = true;
  log.add(delta("a"));
  await log.flush();
  expect(faults).toHaveLength(1);
  store.isBroken = false;
  log.add(delta("b"));
  await log.flush();
  expect(writes).toEqual([{ events: [1, 2], oldest: 1 }]);
});

test("the newest events are kept, one at least, and a reader learns which are not", async () => {
  const { log, writes } = logged(500);
  for (const text of ["a", "b", "c"]) log.add(delta(text.repeat(100)));
  await log.flush();
  expect(writes).toEqual([{ events: [2, 3], oldest: 2 }]);
  log.add(delta("d".repeat(1_000)));
  await log.flush();
  expect(writes[1]).toEqual({ events: [4], oldest: 4 });
  log.end('{"type":"done"}');
  const text = await readText(streamRunEvents(log, 1, nothing));
  expect(text).toMatch(
    /^: events 2 to 3 are not kept\n\nid: 4\ndata: \{.*d{1000}.*\}\n\nid: end\ndata: \{"type":"done"\}\n\n$/,
  );
});

test("a reader gets past events, then new ones, and ends with the run", async () => {
  const { log } = logged();
  log.add(delta("a"));
  log.add(delta("b"));
  const closed = vi.fn<() => void>();
  const whole = readText(streamRunEvents(log, 0, closed));
  const rest = readText(streamRunEvents(log, 1, nothing));
  await vi.waitFor(nothing);
  log.add(delta("c"));
  await vi.waitFor(nothing);
  expect(closed).not.toHaveBeenCalled();
  log.end('{"type":"done"}');
  const [a, b, c] = [1, 2, 3].map((seq) => `id: ${seq}\ndata: ${JSON.stringify(delta(" abc"[seq] ?? ""))}\n\n`);
  const end = 'id: end\ndata: {"type":"done"}\n\n';
  expect(await whole).toBe([a, b, c, end].join(""));
  expect(await rest).toBe([b, c, end].join(""));
  expect(closed).toHaveBeenCalledOnce();
});

test("nothing is read ahead of a reader, and a disconnected reader holds nothing", async () => {
  const next = vi.fn<RunEvents["readAfter"]>(async (after) => {
    return { events: [{ seq: after + 1, event: "{}" }], outcome: undefined };
  });
  const closed = vi.fn<() => void>();
  const reader = streamRunEvents({ readAfter: next, waitForMore: () => new Promise(nothing) }, 0, closed).getReader();
  await turn();
  expect(next).not.toHaveBeenCalled();
  await reader.read();
  await reader.read();
  await turn();
  expect(next).toHaveBeenCalledTimes(2);
  await reader.cancel();
  await reader.cancel();
  expect(closed).toHaveBeenCalledOnce();
  expect(next).toHaveBeenCalledTimes(2);
});

test("a waiting reader gets keep-alive comments, and can disconnect meanwhile", async () => {
  vi.useFakeTimers();
  try {
    const { log } = logged();
    const closed = vi.fn<() => void>();
    const reader = streamRunEvents(log, 0, closed).getReader();
    const quiet = reader.read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(new TextDecoder().decode((await quiet).value)).toBe(": alive\n\n");
    const waiting = reader.read();
    await reader.cancel();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(closed).toHaveBeenCalledOnce();
    log.end("{}");
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("a failed read ends the body with its error, and releases the reader's slot", async () => {
  const closed = vi.fn<() => void>();
  const failing: RunEvents = { readAfter: () => Promise.reject(new Error("no database")), waitForMore: async () => {} };
  await expect(readText(streamRunEvents(failing, 0, closed))).rejects.toThrow("no database");
  expect(closed).toHaveBeenCalledOnce();
});

test("readers of a run with an unknown end get all known events, and are disconnected", async () => {
  const { log } = logged();
  log.add(delta("a"));
  const reader = streamRunEvents(log, 0, nothing).getReader();
  const late = streamRunEvents(log, 1, nothing).getReader();
  const fault = late.read().catch((error: unknown) => error);
  log.breakOff(new Error("not stored yet"));
  expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^id: 1\n/);
  await expect(reader.read()).rejects.toThrow("not stored yet");
  expect(await fault).toEqual(new Error("not stored yet"));
});
