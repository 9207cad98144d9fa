import { afterEach, expect, test, vi } from "vitest";
import { createCloudBrowser, type CloudBrowser, type CloudBrowserOptions, type RetryNotice } from "../../src/index.ts";
import { fitting } from "./fault-server.ts";
import { getHead, startSocketServer, type SocketFault } from "./fault-socket.ts";

afterEach(() => void vi.restoreAllMocks());

const apiKey = "key";
const baseUrl = "https://service.example";

/** A client whose requests meet these answers one after the other, the last one again and again. */
function createClient(answers: readonly (() => Response | Promise<Response>)[], options: CloudBrowserOptions = {}) {
  const delays: number[] = [];
  let requests = 0;
  const client = createCloudBrowser({
    apiKey,
    baseUrl,
    fetch: async () => {
      const answer = answers[Math.min(requests++, answers.length - 1)] ?? answerWell;
      return answer();
    },
    hooks: { onRetry: ({ delayMs }) => delays.push(delayMs) },
    ...options,
  });
  return { client, delays, requests: () => requests };
}
const answerWell = (): Response => new Response(fitting);
const refuseWith =
  (status: number, headers: Record<string, string> = {}) =>
  (): Response =>
    new Response("{}", { status, headers });
const loseConnection = (): Response => {
  throw new TypeError("fetch failed");
};
/** Makes waits as short as they can be, without changing what is said of them. */
const hurried = { maxRetryAfterMs: 1, baseMs: 1, maxMs: 1 };

test("a request is sent three times by default, with waits below 500 and 1000 ms", async () => {
  const { client, delays, requests } = createClient([refuseWith(503)]);
  const startedAt = performance.now();
  const error = await client.cookies("s1").catch((thrown: unknown) => thrown);
  const ms = performance.now() - startedAt;
  expect(error).toMatchObject({ code: "server", attempts: 3, retryable: true });
  expect(requests()).toBe(3);
  const [first = NaN, second = NaN] = delays;
  expect(delays).toHaveLength(2);
  expect(first).toBeLessThan(500);
  expect(second).toBeLessThan(1000);
  expect(ms).toBeGreaterThanOrEqual(first + second - 4);
  const durationMs: unknown = expect.toSatisfy((duration) => duration <= ms && duration >= first + second - 4);
  expect(error).toHaveProperty("durationMs", durationMs);
});

test("waits are a random part of a bound that doubles until its cap", async () => {
  const random = vi.spyOn(Math, "random");
  for (const part of [0, 0.25, 0.999]) {
    random.mockReturnValue(part);
    const { client, delays } = createClient([refuseWith(500)], { retries: { max: 6, baseMs: 2, maxMs: 20 } });
    await client.cookies("s1").catch(() => undefined);
    expect(delays).toEqual([2, 4, 8, 16, 20, 20].map((bound) => part * bound));
  }
});

test("waits are spread over the whole of their bound", async () => {
  const all: number[] = [];
  const { client, delays } = createClient([refuseWith(500)], { retries: { max: 400, baseMs: 1, maxMs: 1 } });
  await client.cookies("s1").catch(() => undefined);
  all.push(...delays);
  const mean = all.reduce((sum, ms) => sum + ms, 0) / all.length;
  expect(all).toHaveLength(400);
  expect(mean).toBeGreaterThan(0.4);
  expect(mean).toBeLessThan(0.6);
  for (const tenth of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    expect(all.filter((ms) => Math.floor(ms * 10) === tenth).length).toBeGreaterThan(10);
  }
});

const waits: {
  name: string;
  headers: Record<string, string>;
  retries: CloudBrowserOptions["retries"];
  want: number;
}[] = [
  { name: "as long as the service says", headers: { "retry-after-ms": "7" }, retries: { max: 1 }, want: 7 },
  { name: "and not the cap of its own", headers: { "retry-after-ms": "7" }, retries: { max: 1, maxMs: 1 }, want: 7 },
  { name: "not at all when it says 0", headers: { "retry-after": "0" }, retries: { max: 1 }, want: 0 },
  {
    name: "on its own when it says nonsense",
    headers: { "retry-after": "-30" },
    retries: { max: 1, baseMs: 4 },
    want: 2,
  },
];
test.for(waits)("it waits $name", async ({ headers, retries, want }) => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const { client, delays } = createClient([refuseWith(429, headers), answerWell], { retries });
  const startedAt = performance.now();
  await client.cookies("s1");
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(want - 2);
  expect(delays).toEqual([want]);
});

const tooLong: { name: string; headers: Record<string, string>; options: Partial<CloudBrowserOptions> }[] = [
  { name: "maxRetryAfterMs", headers: { "retry-after": "30" }, options: { retries: { max: 1, maxRetryAfterMs: 9 } } },
  { name: "a minute", headers: { "retry-after": "61" }, options: {} },
  { name: "totalMs", headers: { "retry-after": "6" }, options: { timeouts: { totalMs: 6_000 } } },
  {
    name: "totalMs, with retry-after-ms",
    headers: { "retry-after-ms": "5001" },
    options: { timeouts: { totalMs: 5_000 } },
  },
  { name: "all limits, by a date", headers: { "retry-after": "Fri, 31 Dec 2999 23:59:59 GMT" }, options: {} },
];
test.for(tooLong)("a wait that is longer than $name is not begun", async ({ headers, options }) => {
  for (const status of [429, 503]) {
    const { client, delays } = createClient([refuseWith(status, headers), answerWell], options);
    const error: unknown = await client.cookies("s1").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status, attempts: 1, retryAfterMs: expect.any(Number) });
    expect(delays).toEqual([]);
  }
});

const kinds: { name: string; answer: () => Response | Promise<Response>; again: boolean }[] = [
  ...[408, 429, 500, 501, 502, 503, 504, 529].map((status) => ({
    name: `${status}`,
    answer: refuseWith(status),
    again: true,
  })),
  ...[300, 302, 304, 307, 400, 401, 403, 404, 409, 410, 418, 422, 425, 451].map((status) => ({
    name: `${status}`,
    answer: status === 304 ? () => new Response(null, { status }) : refuseWith(status),
    again: false,
  })),
  { name: "a lost connection", answer: loseConnection, again: true },
  {
    name: "a body that is lost",
    answer: () => new Response(new ReadableStream({ pull: () => void loseConnection() })),
    again: true,
  },
  { name: "headers too late", answer: () => new Promise(() => {}), again: true },
  { name: "a body too late", answer: () => new Response(new ReadableStream()), again: true },
  { name: "content that is unexpected", answer: () => new Response("no"), again: false },
  { name: "a body that is too large", answer: () => new Response(" ".repeat(2000)), again: false },
];
const operations: { operation: string; call: (client: CloudBrowser) => Promise<unknown> }[] = [
  { operation: "page_scrape", call: (client) => client.scrape("s1") },
  { operation: "session_cookies", call: (client) => client.cookies("s1") },
  { operation: "session_replay", call: (client) => client.replay("s1") },
];
test.for(kinds.flatMap((kind) => operations.map((row) => Object.assign({}, kind, row))))(
  "$operation after $name is sent again: $again",
  async ({ answer, again, call }) => {
    const options = { retries: { max: 3, ...hurried }, timeouts: { headersMs: 20, bodyMs: 20 }, maxBodyBytes: 1000 };
    const { client, requests } = createClient([answer], options);
    const error = await call(client).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ClientError", retryable: again, attempts: again ? 4 : 1 });
    expect(requests()).toBe(again ? 4 : 1);
  },
);

const bounds: { retries: CloudBrowserOptions["retries"]; want: number }[] = [
  { retries: 0, want: 1 },
  { retries: 1, want: 2 },
  { retries: { ...hurried, max: 0 }, want: 1 },
  { retries: { ...hurried, max: 5 }, want: 6 },
  { retries: { ...hurried, max: undefined }, want: 3 },
  { retries: { ...hurried, max: 1.5 }, want: 2 },
];
test.for(bounds)("retries: $retries sends $want requests", async ({ retries, want }) => {
  vi.spyOn(Math, "random").mockReturnValue(0.001);
  const { client, requests } = createClient([refuseWith(500)], { retries });
  await expect(client.cookies("s1")).rejects.toMatchObject({ attempts: want });
  expect(requests()).toBe(want);
  const own = createClient([refuseWith(500)], { retries: 7 });
  await expect(own.client.cookies("s1", { retries })).rejects.toMatchObject({ attempts: want });
});

test("a key function that fails, or gives what no header can hold, is not asked again", async () => {
  for (const getKey of [() => Promise.reject(new Error("no")), () => "a\nb"]) {
    let keyCalls = 0;
    const { client, requests } = createClient([answerWell], {
      apiKey() {
        keyCalls++;
        return getKey();
      },
    });
    await expect(client.cookies("s1")).rejects.toMatchObject({ attempts: 0, retryable: false });
    expect([keyCalls, requests()]).toEqual([1, 0]);
  }
});

test("a key function that is too slow is asked again, as often as a request would be sent", async () => {
  let keyCalls = 0;
  const { client, requests } = createClient([answerWell], {
    apiKey() {
      keyCalls++;
      return new Promise<never>(() => {});
    },
    timeouts: { headersMs: 20 },
    retries: { max: 2, ...hurried },
  });
  await expect(client.cookies("s1")).rejects.toMatchObject({ code: "timeout", attempts: 0 });
  expect([keyCalls, requests()]).toEqual([3, 0]);
});

const notFoundAtLast: SocketFault["onRequest"] = (socket, _, nth) => {
  if (nth < 3) socket.resetAndDestroy();
  else socket.write(getHead(404, { "content-length": 0 }));
};
test("what attempts and durationMs say is true, with real connections", async () => {
  await using server = await startSocketServer({ onRequest: notFoundAtLast });
  const notices: RetryNotice[] = [];
  const client = createCloudBrowser({
    apiKey,
    baseUrl: server.url,
    retries: { max: 5, baseMs: 60 },
    hooks: { onRetry: (notice) => notices.push(notice) },
  });
  const startedAt = performance.now();
  const error = await client.cookies("s1").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "not-found", attempts: 3, retryable: false });
  const ms = performance.now() - startedAt;
  const waitMs = notices.reduce((sum, { delayMs }) => sum + delayMs, 0);
  const durationMs: unknown = expect.toSatisfy((duration) => duration <= ms && duration >= waitMs - 4);
  expect(error).toHaveProperty("durationMs", durationMs);
  expect(
    notices.map(({ operation, attempt, error: { code, attempts } }) => [operation, attempt, code, attempts]),
  ).toEqual([
    ["session_cookies", 1, "network", 1],
    ["session_cookies", 2, "network", 2],
  ]);
});
