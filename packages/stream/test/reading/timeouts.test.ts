import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { readAutomationStream, type Timeouts } from "../../src/index.ts";
import { getBytes } from "../chunking.ts";
import { findFailure, createPulse, settle } from "../pulse.ts";
import { done, readTypes, createSource, status } from "../source.ts";

const limit = 60;
const heartbeat = ": ping\n\n";

interface Row {
  readonly name: string;
  readonly first?: string;
  readonly beat?: string;
  readonly timeouts: Timeouts;
  readonly want: string;
}
const rows: Row[] = [
  { name: "firstEventMs on silence", timeouts: { firstEventMs: limit }, want: "first-event-timeout" },
  { name: "bytesMs on silence", timeouts: { bytesMs: limit }, want: "bytes-timeout" },
  { name: "eventsMs on silence, as it holds for the first event too", timeouts: { eventsMs: limit }, want: "first-event-timeout" },
  { name: "totalMs on silence", timeouts: { totalMs: limit }, want: "total-timeout" },
  { name: "bytesMs on silence after an event", first: status, timeouts: { bytesMs: limit }, want: "bytes-timeout" },
  { name: "eventsMs on silence after an event", first: status, timeouts: { eventsMs: limit }, want: "events-timeout" },
  { name: "eventsMs after an event, shorter than firstEventMs", first: status, timeouts: { eventsMs: limit, firstEventMs: 5000 }, want: "events-timeout" },
  { name: "eventsMs after an event, longer than firstEventMs", first: status, timeouts: { eventsMs: limit, firstEventMs: 20 }, want: "events-timeout" },
  { name: "eventsMs after an event, as long as firstEventMs", first: status, timeouts: { eventsMs: limit, firstEventMs: limit }, want: "events-timeout" },
  { name: "totalMs on silence after an event", first: status, timeouts: { totalMs: limit }, want: "total-timeout" },
  { name: "bytesMs on silence in the middle of a line", first: "data: {", timeouts: { bytesMs: limit }, want: "bytes-timeout" },
  { name: "firstEventMs on nothing but heartbeats", beat: heartbeat, timeouts: { firstEventMs: limit }, want: "first-event-timeout" },
  { name: "eventsMs on nothing but heartbeats after an event", first: status, beat: heartbeat, timeouts: { eventsMs: limit }, want: "events-timeout" },
  { name: "totalMs on nothing but heartbeats", beat: heartbeat, timeouts: { totalMs: limit }, want: "total-timeout" },
  { name: "firstEventMs on damaged lines, which are no events", beat: "data: x\n", timeouts: { firstEventMs: limit }, want: "first-event-timeout" },
  { name: "firstEventMs on one endless line", first: 'data: {"', beat: "x", timeouts: { firstEventMs: limit }, want: "first-event-timeout" },
  { name: "eventsMs on one endless line after an event", first: `${status}data: {"`, beat: "x", timeouts: { eventsMs: limit }, want: "events-timeout" },
  { name: "totalMs on one endless line", first: 'data: {"', beat: "x", timeouts: { totalMs: limit }, want: "total-timeout" },
  { name: "totalMs on events for ever", beat: status, timeouts: { totalMs: limit }, want: "total-timeout" },
]; // prettier-ignore
/** Reads a row to its end, from a source of that shape. */
async function readToEnd(shape: "stream" | "iterator", { first, beat, timeouts }: Row) {
  const { source, state } = createPulse(shape, first, beat);
  const reading = readAutomationStream(source, { timeouts });
  const { error, ms, ownMs } = await findFailure(reading);
  const outcome = await reading.outcome();
  await settle();
  const inTime = ms >= limit - 2 && ownMs < limit + 250;
  return { code: error?.code, ms: inTime ? "in time" : ms, outcome: outcome.type, released: state.released };
}
test.for(rows)("ends in time by $name, and releases the source", async (row) => {
  const want = { code: row.want, ms: "in time", outcome: "broken", released: true };
  expect(await readToEnd("stream", row)).toEqual(want);
  expect(await readToEnd("iterator", row)).toEqual(want);
});

const alive: { name: string; beat: string; timeouts: Timeouts }[] = [
  { name: "bytesMs by heartbeats", beat: heartbeat, timeouts: { bytesMs: 200 } },
  { name: "bytesMs by one endless line", beat: "x", timeouts: { bytesMs: 200 } },
  { name: "bytesMs, firstEventMs and eventsMs by events", beat: status, timeouts: { bytesMs: 200, firstEventMs: 200, eventsMs: 200 } },
]; // prettier-ignore
test.for(alive)("keeps alive $name", async ({ beat, timeouts }) => {
  const reading = readAutomationStream(createPulse("stream", undefined, beat).source, {
    timeouts: { ...timeouts, totalMs: 500 },
  });
  expect((await findFailure(reading)).error?.code).toBe("total-timeout");
});

const ways: { name: string; read: (reading: ReturnType<typeof readAutomationStream>) => Promise<unknown> }[] = [
  { name: "batches()", read: async (reading) => (await findFailure(reading.batches())).error?.code },
  { name: "toReadableStream()", read: async (reading) => (await findFailure(reading.toReadableStream())).error?.code },
  {
    name: "outcome()",
    async read(reading) {
      const outcome = await reading.outcome();
      return outcome.type === "broken" && outcome.error.code;
    },
  },
];
test.for(ways)("ends $name in time, too", async ({ read }) => {
  const reading = readAutomationStream(createPulse("stream", status).source, { timeouts: { bytesMs: limit } });
  expect(await read(reading)).toBe("bytes-timeout");
});

/** A source that always has the next event at hand, until it has given `count` or two seconds are over. */
async function* giveReady(count = Infinity): AsyncGenerator<Uint8Array> {
  const end = performance.now() + 2000;
  for (let at = 0; at < count && performance.now() < end; at++) yield getBytes(status);
  if (count < Infinity) yield getBytes(done);
}

const slow: { name: string; timeouts: Timeouts }[] = [
  { name: "bytesMs", timeouts: { bytesMs: 250 } },
  { name: "eventsMs", timeouts: { eventsMs: 250 } },
  { name: "firstEventMs", timeouts: { firstEventMs: 250 } },
];
test.concurrent.for(slow)(
  "does not count for $name what the consumer needs between its reads",
  async ({ timeouts }) => {
    const types: string[] = [];
    const sources = [
      giveReady(2),
      createSource([`${status}${status}`, done]).stream,
      createSource([status, heartbeat, done]).stream,
    ];
    for (const source of sources) {
      for await (const event of readAutomationStream(source, { timeouts })) {
        types.push(event.type);
        await sleep(300);
      }
    }
    expect(types).toHaveLength(8);
  },
);

test("does not count what passes before the first read, for any clock", async () => {
  const timeouts = { firstEventMs: 40, bytesMs: 40, eventsMs: 40, totalMs: 40 };
  const reading = readAutomationStream(createSource([status, done]).stream, { timeouts });
  await sleep(100);
  expect(await readTypes(reading)).toEqual(["status", "done"]);
});

test("adds up for eventsMs the reads without an event, whatever they bring", async () => {
  // Each wait is shorter than the limit, and all together are longer.
  const { source } = createPulse("stream", undefined, heartbeat);
  const { error, ms } = await findFailure(readAutomationStream(source, { timeouts: { bytesMs: 5000, eventsMs: 80 } }));
  expect(error?.code).toBe("first-event-timeout");
  expect(ms).toBeGreaterThanOrEqual(78);
});

test("counts for totalMs what the consumer needs between its reads, as the whole takes that long", async () => {
  let events = 0;
  const reading = readAutomationStream(giveReady(), { timeouts: { totalMs: 100 } });
  const readSlowly = async (): Promise<void> => {
    for await (const event of reading) {
      events += event.type === "status" ? 1 : 0;
      await sleep(60);
    }
  };
  await expect(readSlowly()).rejects.toMatchObject({ code: "total-timeout" });
  expect(events).toBeLessThan(6);
});

test("asks a source for nothing after its release when a read begins too late", async () => {
  const calls: string[] = [];
  const source = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        calls.push("next");
        return { done: false as const, value: getBytes(status) };
      },
      return: async () => {
        calls.push("return");
        return { done: true as const, value: undefined };
      },
    }),
  };
  const iterator = readAutomationStream(source, { timeouts: { totalMs: 20 } })[Symbol.asyncIterator]();
  await iterator.next();
  await sleep(30);
  await expect(iterator.next()).rejects.toMatchObject({ code: "total-timeout" });
  await settle();
  expect(calls).toEqual(["next", "return"]);
});

test("ends by totalMs even when the source never lets a timer run", async () => {
  const { error, ownMs } = await findFailure(readAutomationStream(giveReady(), { timeouts: { totalMs: limit } }));
  expect(error?.code).toBe("total-timeout");
  expect(ownMs).toBeLessThan(limit + 250);
});

test("delivers what came before the time was over, and then throws", async () => {
  const reading = readAutomationStream(createPulse("stream", `${status}${status}`).source, {
    timeouts: { bytesMs: 30 },
  });
  expect(await readTypes(reading)).toEqual(["status", "status", "throws bytes-timeout"]);
});

/** Timers of this process that are set. */
function countTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

test.for([Infinity, 2 ** 40])("waits when every clock is %s", async (ms) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const { source, state } = createPulse("stream", undefined);
  const timeouts = { firstEventMs: ms, bytesMs: ms, eventsMs: ms, totalMs: ms };
  const reading = readAutomationStream(source, { timeouts });
  const types = readTypes(reading);
  expect(await Promise.race([types, sleep(100, "waits")])).toBe("waits");
  expect(state.released).toBe(false);
  await reading.cancel();
  expect(await types).toEqual([]);
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});

const finishes: { name: string; make: () => ReturnType<typeof readAutomationStream>; want: string[] }[] = [
  {
    name: "done",
    make: () => readAutomationStream(createSource([status, done], "hang").stream),
    want: ["status", "done"],
  },
  {
    name: "done without a last line end",
    make: () => readAutomationStream(createSource([status, done.trim()]).stream),
    want: ["status", "done"],
  },
  {
    name: "an early end",
    make: () => readAutomationStream(createSource([status]).stream),
    want: ["status", "throws ended-early"],
  },
  {
    name: "a lost connection",
    make: () => readAutomationStream(createSource([status], new Error("reset")).stream),
    want: ["status", "throws connection-lost"],
  },
  {
    name: "a timeout",
    make: () => readAutomationStream(createSource([], "hang").stream, { timeouts: { bytesMs: 20 } }),
    want: ["throws bytes-timeout"],
  },
  {
    name: "an abort",
    make: () => readAutomationStream(createSource([], "hang").stream, { signal: AbortSignal.timeout(20) }),
    want: ["throws aborted"],
  },
];
test.for(finishes)("leaves no timer after $name", async ({ make, want }) => {
  const before = countTimers();
  expect(await readTypes(make())).toEqual(want);
  await expect.poll(countTimers, { interval: 20 }).toBeLessThanOrEqual(before);
});

test("has clocks by default: one timer while a read waits, none after leaving", async () => {
  const before = countTimers();
  const readings = Array.from({ length: 20 }, () => readAutomationStream(createSource([], "hang").stream));
  expect(countTimers()).toBeLessThan(before + 5);
  const all = readings.map((reading) => readTypes(reading));
  await settle();
  expect(countTimers()).toBeGreaterThanOrEqual(before + 18);
  expect(countTimers()).toBeLessThan(before + 30);
  for (const reading of readings) await reading.cancel();
  expect(await Promise.all(all)).toEqual(readings.map(() => []));
  await expect.poll(countTimers, { interval: 20 }).toBeLessThan(before + 5);
});

test("keeps to the first of an abort and a clock", async () => {
  const [early, late] = [new AbortController(), new AbortController()];
  const [aborted, expired] = [createPulse("stream", undefined).source, createPulse("stream", undefined).source];
  const first = readAutomationStream(aborted, { signal: early.signal, timeouts: { bytesMs: 60 } });
  const second = readAutomationStream(expired, { signal: late.signal, timeouts: { bytesMs: 5 } });
  const followedBoth = Promise.all([readTypes(first), readTypes(second)]);
  early.abort();
  await second.outcome();
  late.abort();
  await sleep(80); // until the clock of the first one would have run out
  expect(await followedBoth).toEqual([["throws aborted"], ["throws bytes-timeout"]]);
  expect(await first.outcome()).toMatchObject({ error: { code: "aborted" } });
  expect(await second.outcome()).toMatchObject({ error: { code: "bytes-timeout" } });
});
