import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { ClientError, createCloudBrowser, type CallTimeouts, type CloudBrowserOptions } from "../../src/index.ts";
import {
  getChunkedHead,
  getGoodHead,
  getHead,
  jsonContent,
  startSocketServer,
  streamContent,
  type SocketFault,
} from "./fault-socket.ts";
import { countOwnTime } from "@cloud-browser/testing/own-time.ts";

const apiKey = "key";
const retries = 0;
/** How much later than its limit a timeout may come. */
const toleranceMs = 50;

/** What became of a promise, and after how long: by the clock, and of this process's own time. */
interface Timed<Value> {
  readonly error: unknown;
  readonly value?: Value;
  readonly ms: { readonly byClock: number; readonly own: number };
}

async function timeCall<Value>(act: () => Promise<Value>): Promise<Timed<Value>> {
  const startedAt = performance.now();
  const own = countOwnTime();
  const ms = (): Timed<Value>["ms"] => ({ byClock: performance.now() - startedAt, own: own() });
  try {
    const value = await act();
    return { error: undefined, value, ms: ms() };
  } catch (error) {
    return { error, ms: ms() };
  }
}

/** The best of ten, for machines that are busy; never too early. */
async function expectOnTime(limitMs: number, once: () => Promise<Timed<unknown>["ms"]>): Promise<void> {
  const late: number[] = [];
  for (let nth = 0; nth < 10; nth++) {
    const { byClock, own } = await once();
    expect(byClock).toBeGreaterThan(limitMs - 2); // timers count whole milliseconds
    late.push(own - limitMs);
    if (own <= limitMs + toleranceMs) break;
  }
  console.log(`${limitMs} ms: ${Math.min(...late).toFixed(1)} ms late`);
  expect(Math.min(...late)).toBeLessThanOrEqual(toleranceMs);
}

const hang = (): Promise<never> => new Promise(() => {});
/** Never answers, and does not know its signal. */
const deafBeforeHeaders = (): Promise<Response> => hang();
/** Answers with a body that never ends, and does not know its signal. */
const deafInBody = async (): Promise<Response> => new Response(new ReadableStream({ pull: hang }));

const stallsBefore: SocketFault = {};
const stallsInHeaders: SocketFault = { onRequest: (socket) => socket.write("HTTP/1.1 200 OK\r\nx:") };
const stallsAfterHeaders: SocketFault = { onRequest: (socket, content) => socket.write(getGoodHead(content)) };
const stallsInBody: SocketFault = { onRequest: (socket, content) => socket.write(`${getGoodHead(content)}{`) };

const limits: {
  name: string;
  fault: SocketFault;
  timeouts: CallTimeouts;
  phase: string;
  fetch?: () => Promise<Response>;
}[] = [
  { name: "before the headers", fault: stallsBefore, timeouts: { headersMs: 200 }, phase: "headers" },
  { name: "within the headers", fault: stallsInHeaders, timeouts: { headersMs: 150 }, phase: "headers" },
  { name: "before the body", fault: stallsAfterHeaders, timeouts: { bodyMs: 200 }, phase: "body" },
  { name: "within the body", fault: stallsInBody, timeouts: { bodyMs: 150 }, phase: "body" },
  { name: "before the headers, in total", fault: stallsBefore, timeouts: { totalMs: 200 }, phase: "total" },
  { name: "within the body, in total", fault: stallsInBody, timeouts: { totalMs: 300 }, phase: "total" },
  {
    name: "before the headers, with a deaf fetch",
    fault: {},
    timeouts: { headersMs: 150 },
    phase: "headers",
    fetch: deafBeforeHeaders,
  },
  {
    name: "within the body, with a deaf fetch",
    fault: {},
    timeouts: { bodyMs: 150 },
    phase: "body",
    fetch: deafInBody,
  },
  { name: "in total, with a deaf fetch", fault: {}, timeouts: { totalMs: 150 }, phase: "total", fetch: deafInBody },
];
test.for(limits)("a stall $name ends on time", async ({ fault, timeouts, phase, fetch }) => {
  await using server = await startSocketServer(fault);
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, retries, timeouts, fetch });
  const [limitMs = NaN] = Object.values(timeouts);
  const calls: (() => Promise<unknown>)[] = [
    () => client.scrape("s1"),
    () => client.cookies("s1"),
    () => client.replay("s1"),
  ];
  for (const call of calls) {
    await expectOnTime(limitMs, async () => {
      const { error, ms } = await timeCall(call);
      const status = phase === "body" ? { status: 200 } : {};
      const want = { code: "timeout", phase, retryable: phase !== "total", attempts: 1, ...status };
      expect(error).toMatchObject({ ...want, message: `${phase} took longer than ${limitMs} ms` });
      const durationMs: unknown = expect.toSatisfy((duration) => duration <= ms.byClock && duration > limitMs - 2);
      expect(error).toHaveProperty("durationMs", durationMs);
      return ms;
    });
  }
});

test("an apiKey() that never settles is part of the time for headers, and nothing is sent", async () => {
  await using server = await startSocketServer({});
  const client = createCloudBrowser({ apiKey: hang, baseUrl: server.url, retries, timeouts: { headersMs: 150 } });
  await expectOnTime(150, async () => {
    const { error, ms } = await timeCall(() => client.cookies("s1"));
    expect(error).toMatchObject({ code: "timeout", phase: "headers", attempts: 0 });
    return ms;
  });
  expect(server.connections()).toBe(0);
});

const [firstEvent = ""] = streamContent.body.split("data:", 2)[1]?.split("\n") ?? [];
const first = `data:${firstEvent}\n\n`;
/** Sends something after the headers, and something else every 20 ms. */
const sendStream =
  (text: string, beat = ""): SocketFault["onRequest"] =>
  async (socket, content) => {
    socket.write(getChunkedHead(content));
    if (text) socket.write(`${text.length.toString(16)}\r\n${text}\r\n`);
    if (!beat) return;
    while (!socket.destroyed) {
      socket.write(`${beat.length.toString(16)}\r\n${beat}\r\n`);
      await delay(20);
    }
  };

const streamLimits: { name: string; onRequest: SocketFault["onRequest"]; timeouts: CallTimeouts; code: string }[] = [
  { name: "no first event", onRequest: sendStream(""), timeouts: { firstEventMs: 200 }, code: "first-event-timeout" },
  {
    name: "heartbeats, and no first event",
    onRequest: sendStream("", ":\n"),
    timeouts: { firstEventMs: 200, bytesMs: 150 },
    code: "first-event-timeout",
  },
  { name: "no bytes", onRequest: sendStream(""), timeouts: { bytesMs: 150 }, code: "bytes-timeout" },
  { name: "no bytes after an event", onRequest: sendStream(first), timeouts: { bytesMs: 200 }, code: "bytes-timeout" },
  {
    name: "no event after an event",
    onRequest: sendStream(first),
    timeouts: { eventsMs: 200 },
    code: "events-timeout",
  },
  {
    name: "heartbeats, and no event after an event",
    onRequest: sendStream(first, ":\n"),
    timeouts: { eventsMs: 200, bytesMs: 150 },
    code: "events-timeout",
  },
  {
    name: "a total that is over",
    onRequest: sendStream(first, first),
    timeouts: { totalMs: 200 },
    code: "total-timeout",
  },
];
test.for(streamLimits)("a stream with $name ends on time", async ({ onRequest, timeouts, code }) => {
  await using server = await startSocketServer({ onRequest }, streamContent);
  const client = createCloudBrowser({ apiKey, baseUrl: server.url });
  const [limitMs = NaN] = Object.values(timeouts);
  await client.automate({ query: "q" }).then((stream) => stream.cancel()); // loads what the first one loads
  await expectOnTime(limitMs, async () => {
    const { value: outcome, ms } = await timeCall(async () =>
      (await client.automate({ query: "q" }, { timeouts })).outcome(),
    );
    const want = { type: "broken", error: { name: "StreamError", code } };
    const isWanted = outcome?.type === "broken" && outcome.error.code === code;
    // No heartbeat is sent while the machine stops the process: then another limit may expire first, and it is done again.
    if (!isWanted && ms.byClock - ms.own > 100) return { byClock: ms.byClock, own: Infinity };
    expect(outcome).toMatchObject(want);
    return ms;
  });
});

test("an automation whose headers never come ends on time, by each limit that counts then", async () => {
  await using server = await startSocketServer({}, streamContent);
  const client = createCloudBrowser({ apiKey, baseUrl: server.url });
  await client.automate({ query: "q" }, { signal: AbortSignal.abort() }).catch(() => undefined);
  for (const [name, phase] of [
    ["headersMs", "headers"],
    ["totalMs", "total"],
  ] as const) {
    await expectOnTime(150, async () => {
      const { error, ms } = await timeCall(() => client.automate({ query: "q" }, { timeouts: { [name]: 150 } }));
      expect(error).toMatchObject({ code: "timeout", phase, retryable: false, attempts: 1 });
      return ms;
    });
  }
});

test("the total covers all attempts and waits", async () => {
  await using server = await startSocketServer({ onRequest: (socket) => socket.resetAndDestroy() });
  const retrying = { max: 1000, baseMs: 20, maxMs: 20 };
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, retries: retrying, timeouts: { totalMs: 250 } });
  await expectOnTime(250, async () => {
    const { error, ms } = await timeCall(() => client.cookies("s1"));
    expect(error).toMatchObject({ code: "timeout", phase: "total", retryable: false });
    return ms;
  });
  // A machine that stops the process meanwhile leaves time for one attempt only.
  const countAttempts = async (): Promise<unknown> =>
    Object((await timeCall(() => client.cookies("s1"))).error).attempts;
  await expect.poll(countAttempts, { interval: 1 }).toBeGreaterThan(2);
});

test("the total ends a wait", async () => {
  using _ = vi.spyOn(Math, "random").mockReturnValue(0.99);
  const head = getHead(503, { "content-length": 0 });
  await using server = await startSocketServer({ onRequest: (socket) => socket.write(head) });
  const slowly = { baseMs: 30_000, maxMs: 30_000 };
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, retries: slowly, timeouts: { totalMs: 200 } });
  await expectOnTime(200, async () => {
    const { error, ms } = await timeCall(() => client.cookies("s1"));
    expect(error).toMatchObject({ code: "timeout", phase: "total", attempts: 1 });
    return ms;
  });
});

test("each attempt has its own time for headers, whatever comes late of the one before", async () => {
  const calls: ((response: Response) => void)[] = [];
  const states: string[] = [];
  const fetch = (): Promise<Response> => new Promise((resolve) => calls.push(resolve));
  const hooks: CloudBrowserOptions["hooks"] = { onResponse: ({ attempt }) => states.push(`answer ${attempt}`) };
  const options = { apiKey, baseUrl: "https://service.example", fetch, hooks };
  const timeouts = { headersMs: 150 };
  const client = createCloudBrowser({ ...options, timeouts, retries: { max: 1, baseMs: 0 } });
  const calling = timeCall(() => client.cookies("s1"));
  await expect.poll(() => calls.length, { interval: 5 }).toBe(2);
  let freed = false;
  calls[0]?.(new Response(new ReadableStream({ cancel: () => void (freed = true) })));
  const { error, ms } = await calling;
  expect(error).toMatchObject({ code: "timeout", phase: "headers", attempts: 2 });
  expect(ms.own).toBeLessThan(2 * 150 + 2 * toleranceMs);
  await expect.poll(() => freed, { interval: 1 }).toBe(true);
  expect(states).toEqual([]);
});

test("limits that are Infinity, or longer than a timer can be, do not pass", async () => {
  await using server = await startSocketServer({
    onRequest: async (socket, content) => {
      await delay(50);
      socket.write(getGoodHead(content) + content.body);
    },
  });
  for (const ms of [Infinity, 2 ** 31, Number.MAX_VALUE]) {
    const timeouts = { headersMs: ms, bodyMs: ms, totalMs: ms };
    const client = createCloudBrowser({ apiKey, baseUrl: server.url, timeouts });
    expect(await client.cookies("s1")).toEqual(JSON.parse(jsonContent.body));
  }
});

test("limits of a call replace those of the client one by one, and undefined replaces nothing", async () => {
  await using server = await startSocketServer({});
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, retries, timeouts: { headersMs: 120 } });
  for (const timeouts of [{ totalMs: 5000 }, { headersMs: undefined }, undefined]) {
    const error = await client.cookies("s1", { timeouts }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ message: "headers took longer than 120 ms" });
  }
});

test.for([
  { clock: "runs", isFrozen: false },
  { clock: "stands still", isFrozen: true },
])("each phase has its own limit, and the call another, where the clock $clock", async ({ isFrozen }) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const clock = isFrozen ? vi.spyOn(performance, "now").mockReturnValue(1) : undefined;
  try {
    const ends: string[] = [];
    const call = (name: string, timeouts: CallTimeouts, fetch: () => Promise<Response>): void =>
      void createCloudBrowser({ apiKey, baseUrl: "https://service.example", retries, timeouts, fetch })
        .cookies("s1")
        .catch(({ message }: Error) => ends.push(`${name}: ${message}`));
    call("short body", { headersMs: 90, bodyMs: 30 }, deafBeforeHeaders);
    call("long body", { headersMs: 30, bodyMs: 90 }, deafInBody);
    call("total", { headersMs: 90, bodyMs: 30, totalMs: 60 }, deafBeforeHeaders);
    await vi.advanceTimersByTimeAsync(59);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(30);
    expect(ends).toEqual(["total: total took longer than 60 ms"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends.slice(1).toSorted()).toEqual([
      "long body: body took longer than 90 ms",
      "short body: headers took longer than 90 ms",
    ]);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    clock?.mockRestore();
    vi.useRealTimers();
  }
});
