import { once } from "node:events";
import { expect, test } from "vitest";
import { ClientError, createCloudBrowser, type CloudBrowser } from "../src/index.ts";
import { startFaultServer, type Fault } from "./calls/fault-server.ts";

const apiKey = "key-1";
const done = 'data: {"type":"done","total_cost_usd":0.5,"metadata":{"thread_id":"t"}}\n';

/** Every operation, as tables use it. */
const operations: { name: string; call: (client: CloudBrowser, signal?: AbortSignal) => Promise<unknown> }[] = [
  { name: "page_scrape", call: (client, signal) => client.scrape("s1", {}, { signal }) },
  { name: "session_cookies", call: (client, signal) => client.cookies("s1", { signal }) },
  { name: "session_replay", call: (client, signal) => client.replay("s1", { signal }) },
  { name: "automation_start", call: (client, signal) => client.automate({ query: "q" }, { signal }) },
];

test("sends each operation once, to its address, as the interface says", async () => {
  await using sessions = await startFaultServer({});
  await using automations = await startFaultServer({ headers: { "content-type": "text/event-stream" }, body: done });
  const client = createCloudBrowser({
    apiKey,
    baseUrl: `${sessions.url}/prefix/v1//`,
    automationUrl: `${automations.url}/`,
    headers: { "x-service-sdk-version": "1", authorization: "Basic x" },
  });
  await client.scrape("a/b?c#d", { only_images: true }, { update_metadata: false, headers: { "x-own": "2" } });
  await client.cookies("é ..%2e");
  await client.replay("s1", { headers: [["Authorization", "Bearer other"]] });
  const stream = await client.automate({ query: "q" });
  expect((await stream.outcome()).type).toBe("done");
  expect(sessions.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["POST", "/prefix/v1/sessions/a%2Fb%3Fc%23d/page/scrape?update_metadata=false", '{"only_images":true}'],
    ["GET", "/prefix/v1/sessions/%C3%A9%20..%252e/cookies", ""],
    ["GET", "/prefix/v1/sessions/s1/replay", ""],
  ]);
  expect(automations.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["POST", "/api/automation/start", '{"query":"q"}'],
  ]);
  for (const { headers } of [...sessions.requests, ...automations.requests]) {
    expect(headers).toMatchObject({ authorization: `Bearer ${apiKey}`, "x-service-sdk-version": "1" });
  }
  expect(sessions.requests[0]?.headers).toMatchObject({ "content-type": "application/json", "x-own": "2" });
  expect(automations.requests[0]?.headers.accept).toContain("text/event-stream");
});

test("lets middleware of the typed client replace requests, and gives it no key", async () => {
  await using server = await startFaultServer({});
  const client = createCloudBrowser({ apiKey, baseUrl: server.url });
  const keys: (string | null)[] = [];
  client.raw.use({
    onRequest({ request }) {
      keys.push(request.headers.get("authorization"));
      return new Request(request, { headers: { "x-own": "1" } });
    },
  });
  await client.cookies("s1");
  expect(keys).toEqual([null]);
  expect(server.requests[0]?.headers).toMatchObject({ "x-own": "1", authorization: `Bearer ${apiKey}` });
});

test("runs middleware for raw and for calls, with all headers and the body, until it is ejected", async () => {
  await using server = await startFaultServer({});
  const client = createCloudBrowser({ apiKey, baseUrl: server.url, headers: { "X-Own": "1", Accept: "a/b" } });
  const requests: unknown[] = [];
  const middleware = {
    async onRequest({ request }: { request: Request }) {
      const { accept, "x-own": own, "content-type": type } = Object.fromEntries(request.headers);
      requests.push([accept, own, type, await request.clone().text()]);
    },
  };
  client.raw.use(middleware);
  await client.scrape("s1", { selector: "main" }, { headers: { "x-own": "2", "content-type": "c/d" } });
  await client.cookies("s1");
  await client.raw.GET("/sessions/{session_id}/replay", {
    params: { path: { session_id: "s1" } },
    headers: { "x-own": null },
  });
  client.raw.eject(middleware);
  await client.cookies("s1");
  expect(requests).toEqual([
    ["a/b", "2", "c/d", '{"selector":"main"}'],
    ["a/b", "1", undefined, ""],
    ["a/b", undefined, undefined, ""],
  ]);
});

test("asks a key function once per request", async () => {
  await using server = await startFaultServer({});
  let keyCalls = 0;
  const client = createCloudBrowser({ apiKey: async () => `key-${++keyCalls}`, baseUrl: server.url });
  await client.cookies("s1");
  await client.cookies("s1");
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer key-1", "Bearer key-2"]);
});

const statuses = [
  { status: 400, code: "bad-request" },
  { status: 401, code: "authentication" },
  { status: 403, code: "authentication" },
  { status: 404, code: "not-found" },
  { status: 422, code: "validation" },
  { status: 429, code: "rate-limited" },
  { status: 500, code: "server" },
  { status: 502, code: "upstream" },
  { status: 503, code: "server" },
  { status: 529, code: "server" },
  { status: 418, code: "unexpected-status" },
  { status: 304, code: "unexpected-status" },
  { status: 301, code: "redirect" },
  { status: 302, code: "redirect" },
  { status: 303, code: "redirect" },
  { status: 307, code: "redirect" },
  { status: 308, code: "redirect" },
].flatMap((row) => operations.map((operation) => ({ ...row, ...operation })));
test.for(statuses)(
  "throws $code for the status $status of $name, and asks once",
  async ({ status, code, name, call }) => {
    await using server = await startFaultServer({ status, headers: { location: "/elsewhere", "retry-after": "1" } });
    const calling = call(createCloudBrowser({ apiKey, baseUrl: server.url, retries: 0 }));
    await expect(calling).rejects.toMatchObject({ name: "ClientError", code, status, operation: name });
    expect(server.requests).toHaveLength(1);
  },
);

test("gives status, headers and body of a refusal, JSON or not", async () => {
  await using server = await startFaultServer({ status: 500, headers: { "x-request-id": "r1" }, body: "<p>no" });
  const calling = createCloudBrowser({ apiKey, baseUrl: server.url, retries: 0 }).replay("s1");
  const error = await calling.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ClientError)) throw new Error("it did not throw a ClientError");
  expect(error).toMatchObject({ status: 500, body: "<p>no", problems: [] });
  expect(error.headers?.get("x-request-id")).toBe("r1");
});

const contents: { name: string; fault: Fault; body: unknown }[] = [
  { name: "HTML", fault: { body: "<html>" }, body: "<html>" },
  { name: "nothing", fault: { body: "" }, body: "" },
  { name: "nothing, with 204", fault: { status: 204, body: "" }, body: "" },
  { name: "a cut JSON text", fault: { body: '{"cookies":[' }, body: '{"cookies":[' },
  { name: "null", fault: { body: "null" }, body: null },
  { name: "an array", fault: { body: "[]" }, body: [] },
];
test.for(contents)("throws unexpected-content for $name", async ({ fault, body }) => {
  await using server = await startFaultServer(fault);
  for (const { name, call } of operations.slice(0, 3)) {
    const calling = call(createCloudBrowser({ apiKey, baseUrl: server.url, retries: 0 }));
    await expect(calling).rejects.toMatchObject({ code: "unexpected-content", body, operation: name });
  }
});

test("leaves fields that the contract does not know, and media types that are wrong, alone", async () => {
  await using server = await startFaultServer({
    headers: { "content-type": "text/plain" },
    body: '{"cookies":[],"x":1}',
  });
  expect(await createCloudBrowser({ apiKey, baseUrl: server.url }).cookies("s1")).toEqual({ cookies: [], x: 1 });
});

const lost: { name: string; fault: Fault }[] = [
  { name: "before the answer", fault: (request) => request.socket.destroy() },
  {
    name: "within the body",
    fault(request, response) {
      response.writeHead(200, { "content-length": "100" });
      response.write("{", () => request.socket.destroy());
    },
  },
];
test.for(lost)("throws network, and asks once, when the connection is lost $name", async ({ fault }) => {
  for (const { name, call } of operations.slice(0, 3)) {
    await using server = await startFaultServer(fault);
    const calling = call(createCloudBrowser({ apiKey, baseUrl: server.url, retries: 0 }));
    await expect(calling).rejects.toMatchObject({ code: "network", operation: name });
    expect(server.requests).toHaveLength(1);
  }
});

test("asks for a run once when the connection is lost, before the answer or within the stream", async () => {
  await using before = await startFaultServer((request) => request.socket.destroy());
  const automating = createCloudBrowser({ apiKey, baseUrl: before.url }).automate({ query: "q" });
  await expect(automating).rejects.toMatchObject({ code: "network" });
  expect(before.requests).toHaveLength(1);
  await using within = await startFaultServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"type":"status","status":"a"}\n', () => setTimeout(() => request.socket.destroy(), 20));
  });
  const stream = await createCloudBrowser({ apiKey, baseUrl: within.url }).automate({ query: "q" });
  expect(await stream.outcome()).toMatchObject({ type: "broken", error: { code: "connection-lost" } });
  expect(within.requests).toHaveLength(1);
});

test("reads events while the run goes on, and ends at the terminal event though the connection stays open", async () => {
  await using server = await startFaultServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"type":"status","status":"a"}\n');
    response.once("close", () => response.destroy());
    setTimeout(() => response.write(done), 20);
  });
  const got: string[] = [];
  for await (const event of await createCloudBrowser({ apiKey, baseUrl: server.url }).automate({ query: "q" })) {
    got.push(event.type);
  }
  expect(got).toEqual(["status", "done"]);
});

test("the stream of an automation rejects a response that is not a stream", async () => {
  await using server = await startFaultServer({ body: '{"detail":"x"}' });
  const stream = await createCloudBrowser({ apiKey, baseUrl: server.url }).automate({ query: "q" });
  const want = { type: "broken", error: { code: "not-a-stream", head: '{"detail":"x"}' } };
  expect(await stream.outcome()).toMatchObject(want);
});

const stalls: { name: string; fault: Fault }[] = [
  { name: "before the answer", fault: () => {} },
  { name: "within the body", fault: (_, response) => void response.writeHead(200).write("{") },
];
test.for(stalls)("throws aborted when the signal aborts $name", async ({ fault }) => {
  for (const { name, call } of operations.slice(0, 3)) {
    await using server = await startFaultServer(fault);
    const controller = new AbortController();
    const calling = call(createCloudBrowser({ apiKey, baseUrl: server.url, retries: 0 }), controller.signal);
    setTimeout(() => controller.abort("enough"), 50);
    await expect(calling).rejects.toMatchObject({ code: "aborted", operation: name, cause: "enough" });
  }
});

test("ends a stream when the signal of its call aborts, and closes the connection", async () => {
  const controller = new AbortController();
  let closed: Promise<unknown> | undefined;
  await using server = await startFaultServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n");
    closed = once(response, "close");
  });
  const client = createCloudBrowser({ apiKey, baseUrl: server.url });
  const stream = await client.automate({ query: "q" }, { signal: controller.signal });
  const outcome = stream.outcome();
  controller.abort();
  expect(await outcome).toMatchObject({ type: "broken", error: { code: "aborted" } });
  await closed;
  expect(closed).toBeDefined();
});

test("sends nothing when the signal has aborted before", async () => {
  await using server = await startFaultServer({});
  for (const { call } of operations) {
    const calling = call(createCloudBrowser({ apiKey, baseUrl: server.url, retries: 0 }), AbortSignal.abort());
    await expect(calling).rejects.toMatchObject({ code: "aborted" });
  }
  expect(server.requests).toEqual([]);
});
