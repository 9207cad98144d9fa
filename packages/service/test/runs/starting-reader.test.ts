import { expect, test, vi } from "vitest";
import { RunLog } from "../../src/runs/run-log.ts";

const done = '{"type":"done","total_cost_usd":0,"metadata":{"thread_id":"a"}}';
const delta = (text: string): { readonly type: "text_delta"; readonly delta: string } => ({
  type: "text_delta",
  delta: text,
});
const nothing = (): void => {};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function newLog(bytes?: number): RunLog {
  const records = { append: async (): Promise<void> => {} };
  return new RunLog({ id: "a", records, onFault: nothing, ...(bytes === undefined ? {} : { bytes }) });
}

/** Returns a function that tells whether a promise has settled. */
function watched(promise: Promise<void>): () => boolean {
  let isSettled = false;
  void promise.then(() => (isSettled = true));
  return () => isSettled;
}

test("the reader that starts a run gets one data line for each event, without ids, and the terminal event last", async () => {
  const log = newLog();
  const left = vi.fn<() => void>();
  const text = new Response(log.open(left)).text();
  log.add(delta("a"));
  await turn();
  log.add(delta("b"));
  log.end(done);
  const lines = [JSON.stringify(delta("a")), JSON.stringify(delta("b")), done].map((event) => `data: ${event}\n\n`);
  expect(await text).toBe(lines.join(""));
  expect(left).not.toHaveBeenCalled();
});

test("a run waits for that reader once 64 KiB are not read, and continues when it reads, disconnects, or the run is over", async () => {
  const ways: Record<string, (log: RunLog, reader: ReadableStreamDefaultReader<Uint8Array>) => unknown> = {
    reads: (_, reader) => reader.read(),
    disconnects: (_, reader) => reader.cancel(),
    ends: (log) => log.end(done),
    "is broken off": (log) => log.breakOff(new Error("not stored yet")),
  };
  for (const [way, act] of Object.entries(ways)) {
    const log = newLog();
    const reader = log.open(nothing).getReader();
    log.add(delta("a".repeat(65_000)));
    await log.waitForRoom();
    log.add(delta("b".repeat(600)));
    const [one, other] = [watched(log.waitForRoom()), watched(log.waitForRoom())];
    await turn();
    expect([way, one(), other()]).toEqual([way, false, false]);
    await act(log, reader);
    await turn();
    expect([way, one(), other()]).toEqual([way, true, true]);
  }
});

test("no event is dropped that this reader has not got, however large the next one is, and those after it are", async () => {
  const log = newLog(500);
  const reader = log.open(nothing).getReader();
  for (const text of ["a", "b", "c"]) log.add(delta(text.repeat(1_000)));
  log.end(done);
  let text = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read())
    text += new TextDecoder().decode(piece.value);
  expect(text.match(/[abc]{1000}/g)?.map((run) => run[0])).toEqual(["a", "b", "c"]);
  expect(text).not.toContain("not kept");
  log.add(delta("d"));
  expect((await log.readAfter(0, 1)).events.map(({ seq }) => seq)).toEqual([4]);
});

test("a reader that disconnects is told of once, holds nothing, and is not waited for", async () => {
  for (const isWaiting of [true, false]) {
    const log = newLog(500);
    const left = vi.fn<() => void>();
    const reader = log.open(left).getReader();
    await turn();
    let reading = isWaiting ? reader.read() : undefined;
    log.add(delta("a".repeat(70_000)));
    reading ??= reader.read(); // the first event is on its way
    await reader.cancel();
    await reading;
    await turn();
    for (const text of ["b", "c"]) log.add(delta(text.repeat(70_000)));
    await log.waitForRoom();
    expect((await log.readAfter(0, 1)).events.map(({ seq }) => seq)).toEqual([3]);
    log.end(done);
    expect(left).toHaveBeenCalledOnce();
  }
});

test("a run without such a reader waits for none", async () => {
  const log = newLog();
  log.add(delta("a".repeat(200_000)));
  const hasRoom = watched(log.waitForRoom());
  await turn();
  expect(hasRoom()).toBe(true);
});

test("a run that is broken off errors for its reader after the last event, and has no terminal event", async () => {
  const log = newLog();
  const reader = log.open(nothing).getReader();
  log.add(delta("a"));
  log.breakOff(new Error("the end of the run is not stored yet"));
  expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^data: \{.*\}\n\n$/);
  await expect(reader.read()).rejects.toThrow("the end of the run is not stored yet");
});
