import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createCloudBrowser, type CallOptions, type CloudBrowser } from "../../src/index.ts";
import { getGoodHead, getHead, startSocketServer, streamContent, type SocketFault } from "./fault-socket.ts";
import { countOwnTime } from "@cloud-browser/testing/own-time.ts";

const reason = new Error("the user left");
const operations: { operation: string; call: (client: CloudBrowser, options: CallOptions) => Promise<unknown> }[] = [
  { operation: "page_scrape", call: (client, options) => client.scrape("s1", {}, options) },
  { operation: "session_cookies", call: (client, options) => client.cookies("s1", options) },
  { operation: "session_replay", call: (client, options) => client.replay("s1", options) },
  { operation: "automation_start", call: (client, options) => client.automate({ query: "q" }, options) },
];

const stages: { stage: string; fault: SocketFault; attempts: number; only?: string }[] = [
  { stage: "before the headers", fault: {}, attempts: 1 },
  { stage: "within the headers", fault: { onRequest: (socket) => socket.write("HTTP/1.1 200 OK\r\nx:") }, attempts: 1 },
  {
    stage: "before the body",
    fault: { onRequest: (socket, c) => socket.write(getGoodHead(c)) },
    attempts: 1,
    only: "JSON",
  },
  {
    stage: "within the body",
    fault: { onRequest: (socket, c) => socket.write(`${getGoodHead(c)}{`) },
    attempts: 1,
    only: "JSON",
  },
  {
    stage: "within the body of a refusal",
    fault: { onRequest: (socket) => socket.write(`${getHead(401, { "content-length": 9 })}{`) },
    attempts: 1,
  },
  {
    stage: "between two attempts",
    fault: { onRequest: (socket) => socket.write(getHead(503, { "retry-after": 30, "content-length": 0 })) },
    attempts: 1,
    only: "JSON",
  },
];
const rows = stages.flatMap((stage) =>
  operations
    .filter(({ operation }) => !stage.only || operation !== "automation_start")
    .map((row) => Object.assign({}, stage, row)),
);
test.for(rows)("$operation ends at once when it is aborted $stage", async ({ operation, call, fault, attempts }) => {
  await using server = await startSocketServer(fault);
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  let best = Infinity;
  for (let nth = 0; nth < 3 && best >= 20; nth++) {
    const controller = new AbortController();
    const calling = call(client, { signal: controller.signal }).catch((error: unknown) => error);
    // The request was sent: the first automation loads what it needs before, which takes as long as the machine likes.
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(nth + 1);
    await delay(50);
    const own = countOwnTime();
    controller.abort(reason);
    const error = await calling;
    best = Math.min(best, own());
    expect(error).toMatchObject({ name: "ClientError", code: "aborted", operation, attempts, retryable: false });
    expect(error).toHaveProperty("cause", reason);
  }
  expect(best).toBeLessThan(20);
});

test.for(operations)("$operation sends nothing when it is aborted while the key is fetched", async ({ call }) => {
  let [give, requestCount] = [(_key: string): void => undefined, 0];
  const client = createCloudBrowser({
    apiKey: () => new Promise((resolve) => (give = resolve)),
    baseUrl: "https://service.example",
    fetch: async () => {
      requestCount++;
      return Response.json({});
    },
  });
  const controller = new AbortController();
  const calling = call(client, { signal: controller.signal }).catch((error: unknown) => error);
  await delay(20);
  controller.abort(reason);
  expect(await calling).toMatchObject({ code: "aborted", attempts: 0, cause: reason });
  give("key");
  await delay(20);
  expect(requestCount).toBe(0);
});

test.for(operations)("$operation sends nothing when a hook aborts it", async ({ call }) => {
  let requestCount = 0;
  const controller = new AbortController();
  const client = createCloudBrowser({
    apiKey: "key",
    baseUrl: "https://service.example",
    hooks: { onRequest: () => controller.abort(reason) },
    fetch: async () => {
      requestCount++;
      return Response.json({});
    },
  });
  const error = await call(client, { signal: controller.signal }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "aborted", attempts: 0, cause: reason });
  await delay(20);
  expect(requestCount).toBe(0);
});

test("AbortSignal.timeout is the caller's abort, and its reason stays", async () => {
  await using server = await startSocketServer({});
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const error = await client.cookies("s1", { signal: AbortSignal.timeout(50) }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "aborted", cause: { name: "TimeoutError" } });
});

test("an abort after the call does nothing to what it gave", async () => {
  await using server = await startSocketServer({ onRequest: (socket, c) => socket.write(getGoodHead(c) + c.body) });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const controller = new AbortController();
  const { response } = await client.cookies("s1", { signal: controller.signal }).withResponse();
  controller.abort(reason);
  expect(await response.json()).toHaveProperty("cookies");
});

test("an abort ends the stream of an automation with the reason, and frees the connection", async () => {
  let closed = false;
  const onRequest: SocketFault["onRequest"] = (socket, { type }) => {
    socket.on("close", () => (closed = true));
    socket.write(getHead(200, { "content-type": type }));
  };
  await using server = await startSocketServer({ onRequest }, streamContent);
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const controller = new AbortController();
  const stream = await client.automate({ query: "q" }, { signal: controller.signal });
  const outcome = stream.outcome();
  controller.abort(reason);
  expect(await outcome).toMatchObject({ type: "broken", error: { code: "aborted", cause: reason } });
  await expect.poll(() => closed).toBe(true);
});
