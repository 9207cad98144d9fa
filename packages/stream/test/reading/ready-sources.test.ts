// oxlint-disable oxc/no-map-spread, unicorn/consistent-function-scoping -- tables are made of tables
import { expect, test, vi } from "vitest";
import {
  playRecording,
  readAutomationStream,
  recordStream,
  type AutomationSource,
  type Timeouts,
} from "../../src/index.ts";
import { getBytes } from "../chunking.ts";
import { done, status } from "../source.ts";

const heartbeat = getBytes(": ping\n\n");
/** So many chunks that a test that is red ends, too. */
const many = 3_000_000;

/** A source that always has the next chunk at hand. */
async function* giveReady(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < many; at++) yield chunk;
}
function createReadyStream(chunk: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }, { highWaterMark: 0 });
}

const sources: { name: string; source: () => AutomationSource }[] = [
  { name: "heartbeats of a generator", source: () => giveReady(heartbeat) },
  { name: "heartbeats of a ReadableStream", source: () => createReadyStream(heartbeat) },
  { name: "heartbeats of a response", source: () => new Response(createReadyStream(heartbeat)) },
  { name: "heartbeats that are recorded", source: () => recordStream(giveReady(heartbeat), { maxBytes: 0 }).source },
  { name: "empty chunks", source: () => giveReady(new Uint8Array()) },
  { name: "events of a generator", source: () => giveReady(getBytes(status)) },
];
const ways = {
  "for await": async (reading: ReturnType<typeof readAutomationStream>) => {
    for await (const event of reading) void event;
  },
  "batches()": async (reading: ReturnType<typeof readAutomationStream>) => {
    for await (const batch of reading.batches()) void batch;
  },
  "toReadableStream()": async (reading: ReturnType<typeof readAutomationStream>) => {
    for await (const event of reading.toReadableStream()) void event;
  },
  "outcome()": async (reading: ReturnType<typeof readAutomationStream>) => {
    const outcome = await reading.outcome();
    if (outcome.type === "broken") throw outcome.error;
  },
};
const rows = sources.flatMap((source) => Object.entries(ways).map(([way, read]) => ({ ...source, way, read })));

test.for(rows)("a timer that aborts fires while $way reads $name without end", async ({ source, read }) => {
  const reason = new Error("enough");
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 20);
  const reading = readAutomationStream(source(), { signal: controller.signal });
  await expect(read(reading)).rejects.toMatchObject({ code: "aborted", cause: reason });
});

const clocks: { name: keyof Timeouts; code: string }[] = [
  { name: "firstEventMs", code: "first-event-timeout" },
  { name: "eventsMs", code: "first-event-timeout" },
  { name: "totalMs", code: "total-timeout" },
];
test.for(clocks)("$name ends heartbeats without end that are always at hand", async ({ name, code }) => {
  const outcome = await readAutomationStream(giveReady(heartbeat), { timeouts: { [name]: 60 } }).outcome();
  expect(outcome).toMatchObject({ type: "broken", error: { code } });
});

test("a recording that is played at once lets a timer abort it", async () => {
  const chunk = JSON.stringify({ atMs: 0, text: "x".repeat(64) });
  const text = `{"format":"cloud-browser-stream-recording","version":1}\n${`${chunk}\n`.repeat(20_000)}{"end":"complete"}`;
  const controller = new AbortController();
  const source = playRecording(text, { signal: controller.signal });
  setTimeout(() => controller.abort(), 0);
  const play = async (): Promise<void> => {
    for await (const bytes of source) for (const end = performance.now() + 0.01; performance.now() < end;) void bytes;
  };
  await expect(play()).rejects.toMatchObject({ code: "aborted" });
});

test("leaves no timer when it ends", async () => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1);
  try {
    const source = (async function* () {
      yield getBytes(status);
      vi.advanceTimersByTime(100);
      yield getBytes(status);
      yield getBytes(done);
    })();
    const timers = readAutomationStream(source)
      .outcome()
      .then(() => vi.getTimerCount());
    await vi.advanceTimersByTimeAsync(1);
    expect(await timers).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
