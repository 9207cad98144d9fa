import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RateLimiter, defaultRateLimits } from "../../src/devtools/rate-limiter.ts";

beforeEach(() => vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

const pause = { begin: () => undefined, end: () => undefined };

/** Who is ended of an only session that sends so much ten times a second, in a browser whose answers all come late. */
async function flooded(bytesPerSecond: number, seconds: number): Promise<boolean> {
  const lateMs = defaultRateLimits.lateMs * 2;
  const answers = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, lateMs));
  const meter = new RateLimiter(defaultRateLimits, { answers, pause });
  let isFlooded = false;
  meter.watch("ONE", () => void (isFlooded = true));
  for (let tenths = 0; tenths < seconds * 10; tenths += 1) {
    meter.count("ONE", "Network.dataReceived", bytesPerSecond / 10);
    vi.advanceTimersByTime(100);
    // oxlint-disable-next-line no-await-in-loop -- what answers wake goes on in a turn of its own
    await turn();
  }
  return isFlooded;
}

test("a session that sends little is not ended while the browser responds late, however long", async () => {
  expect(await flooded(500_000, 600)).toBe(false);
});

test("a session that sends much is ended soon", async () => {
  expect(await flooded(6 * 2 ** 20, 1)).toBe(false);
  expect(await flooded(6 * 2 ** 20, 5)).toBe(true);
});

test.each([
  [
    "an upload of 6 MB that two listeners are told of twice, in the body's text and in base64",
    "Network.requestWillBeSent",
    4,
    false,
  ],
  ["a page that uploads so much all the time", "Network.requestWillBeSent", 40, true],
  ["as many bytes of other events", "Runtime.consoleAPICalled", 4, true],
])("of events of 48 MiB: %s", (_, method, times, isFlood) => {
  let isFlooded = false;
  const limiter = new RateLimiter(defaultRateLimits, { answers: () => Promise.resolve(), pause });
  limiter.watch("ONE", () => void (isFlooded = true));
  for (let time = 0; time < times; time += 1) limiter.count("ONE", method, 48 * 2 ** 20);
  expect(isFlooded).toBe(isFlood);
});
