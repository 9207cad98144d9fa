import { afterAll, beforeAll, expect, test } from "vitest";
import { createCloudBrowser, type Hooks, type Logger } from "../../src/index.ts";
import { startFaultServer, type Fault } from "./fault-server.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const apiKey = "key";
const retries = { max: 1, baseMs: 1 };

/** Answers 503 first, and then well. */
function createFlaky(): Fault {
  let nth = 0;
  return (_, response) =>
    void response.writeHead(nth++ % 2 ? 200 : 503, { "content-type": "application/json" }).end('{"cookies":[]}');
}

test("hooks and logger are called in order, the hook first", async () => {
  await using server = await startFaultServer(createFlaky());
  const reported: unknown[] = [];
  const hooks: Hooks = {
    onRequest: (notice) => reported.push(["hook", "request", notice]),
    onResponse: (notice) => reported.push(["hook", "response", notice]),
    onRetry: (notice) => reported.push(["hook", "retry", notice]),
  };
  const logger: Logger = {
    debug: (message, notice) => reported.push(["debug", message, notice]),
    warn: (message, notice) => reported.push(["warn", message, notice]),
  };
  await createCloudBrowser({ apiKey, baseUrl: server.url, retries, hooks, logger })
    .scrape("s1", {}, { update_metadata: true })
    .catch(() => undefined);
  const request = { operation: "page_scrape", method: "POST", url: `${server.url}/sessions/s1/page/scrape` };
  const first = { ...request, attempt: 1 };
  const second = { ...request, attempt: 2 };
  const durationMs: unknown = expect.toSatisfy((ms) => ms > 0 && ms < 5000);
  const retry = { operation: "page_scrape", attempt: 1, delayMs: expect.any(Number), error: expect.any(Error) };
  expect(reported).toEqual([
    ["hook", "request", first],
    ["debug", "request", first],
    ["hook", "response", { ...first, status: 503, durationMs }],
    ["debug", "response", { ...first, status: 503, durationMs }],
    ["hook", "retry", retry],
    ["warn", "retry", retry],
    ["hook", "request", second],
    ["debug", "request", second],
    ["hook", "response", { ...second, status: 200, durationMs }],
    ["debug", "response", { ...second, status: 200, durationMs }],
  ]);
});

const throwError = (): never => {
  throw new Error("the hook is broken");
};
const reject = async (): Promise<never> => throwError();
const brokenListeners = [
  { name: "throw", listener: throwError },
  { name: "reject", listener: reject },
];
test.for(brokenListeners)("hooks and loggers that $name break nothing", async ({ listener }) => {
  await using server = await startFaultServer(createFlaky());
  const hooks = { onRequest: listener, onResponse: listener, onRetry: listener };
  const logger = { debug: listener, warn: listener };
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, retries, hooks, logger });
  expect(await client.cookies("s1")).toEqual({ cookies: [] });
  expect(server.requests).toHaveLength(2);
});

test("hooks and loggers keep their this", async () => {
  await using server = await startFaultServer(createFlaky());
  class Counter {
    count = 0;
    onRequest(): void {
      this.count++;
    }
    onRetry(): void {
      this.count += 10;
    }
    onResponse(): void {
      this.count += 100;
    }
    debug(): void {
      this.count += 1000;
    }
    warn(): void {
      this.count += 100_000;
    }
  }
  const counter = new Counter();
  await createCloudBrowser({ apiKey, baseUrl: server.url, retries, hooks: counter, logger: counter }).cookies("s1");
  expect(counter.count).toBe(2 + 10 + 200 + 4000 + 100_000);
});

test("hooks of a call replace those of the client", async () => {
  await using server = await startFaultServer({});
  const reported: string[] = [];
  const client = createCloudBrowser({
    apiKey,
    baseUrl: server.url,
    hooks: { onRequest: () => reported.push("client") },
  });
  await client.cookies("s1", { hooks: { onRequest: () => reported.push("call") } });
  await client.cookies("s1", { hooks: undefined });
  expect(reported).toEqual(["call", "client"]);
});

test("a notice that a hook changes changes nothing", async () => {
  await using server = await startFaultServer({});
  const urls: string[] = [];
  const hooks: Hooks = {
    onRequest: (notice) => void Object.assign(notice, { url: "changed", method: "changed", attempt: 9 }),
    onResponse: ({ url, attempt }) => urls.push(`${attempt} ${url}`),
  };
  await createCloudBrowser({ apiKey, baseUrl: server.url, hooks }).cookies("s1");
  expect(urls).toEqual([`1 ${server.url}/sessions/s1/cookies`]);
});

test("no rejection was left unhandled, in all that went before", async () => {
  await new Promise((resolve) => setTimeout(resolve, 50)); // what comes late counts, too
  expect(unhandled).toEqual([]);
});
