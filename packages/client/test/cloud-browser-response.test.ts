import { afterAll, beforeAll, expect, test } from "vitest";
import { createCloudBrowser, type CloudBrowser, type ClientPromise } from "../src/index.ts";
import { startFaultServer } from "./calls/fault-server.ts";
import { streamContent } from "./calls/fault-socket.ts";

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", onUnhandled));
afterAll(() => void process.off("unhandledRejection", onUnhandled));

const body = '{ "markdown": "# Zürich", "cookies": [],\n "structured": {"data": {"a": 1}} }';
const headers = { "x-request-id": "r1", "set-cookie": "a=b", "x-two": "2" };
const operations: { operation: string; call: (client: CloudBrowser) => ClientPromise<unknown> }[] = [
  { operation: "scrape", call: (client) => client.scrape("s1") },
  {
    operation: "scrape with a structure",
    call: (client) => client.scrape("s1", { response_format: { type: "object" } }),
  },
  { operation: "extract", call: (client) => client.extract("s1", { response_format: { type: "object" } }) },
  { operation: "cookies", call: (client) => client.cookies("s1") },
  { operation: "replay", call: (client) => client.replay("s1") },
];

test.for(operations)("$operation gives its answer, whose body can be read again", async ({ call }) => {
  await using server = await startFaultServer({ status: 203, headers, body });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const calling = call(client);
  const { data, response } = await calling.withResponse();
  expect(await calling).toBe(data);
  expect([response.status, response.statusText, response.ok]).toEqual([203, "Non-Authoritative Information", true]);
  expect(Object.fromEntries(response.headers)).toMatchObject(headers);
  expect([response.bodyUsed, await response.clone().json(), await response.text()]).toEqual([
    false,
    JSON.parse(body),
    body,
  ]);
  expect(server.requests).toHaveLength(1);
});

test("automate gives its answer, whose body is the stream", async () => {
  await using server = await startFaultServer({
    headers: { ...headers, "content-type": streamContent.type },
    body: streamContent.body,
  });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const { data: stream, response } = await client.automate({ query: "q" }).withResponse();
  expect([response.status, response.headers.get("x-request-id"), response.body?.locked]).toEqual([200, "r1", true]);
  expect((await stream.outcome()).type).toBe("done");
  expect(server.requests).toHaveLength(1);
});

const refusals = [
  ...operations,
  { operation: "automate", call: (client: CloudBrowser) => client.automate({ query: "q" }) },
];
test.for(refusals)("$operation rejects once, whichever promise is used", async ({ call }) => {
  await using server = await startFaultServer({ status: 404 });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const want = { name: "ClientError", code: "not-found" };
  await expect(call(client)).rejects.toMatchObject(want);
  await expect(call(client).withResponse()).rejects.toMatchObject(want);
  const both = call(client);
  await expect(both.withResponse()).rejects.toMatchObject(want);
  await expect(both).rejects.toMatchObject(want);
  await expect(both.withResponse()).rejects.toMatchObject(want);
});

test.for(refusals)("misuse of $operation rejects, and never throws at once", async ({ call }) => {
  const client = createCloudBrowser({ apiKey: () => "", baseUrl: "https://service.example" });
  const calling = call(client);
  expect(calling).toBeInstanceOf(Promise);
  await expect(calling).rejects.toMatchObject({ name: "ClientError", code: "authentication" });
});

test("extract rejects with the answer at hand, and why there are no data", async () => {
  await using server = await startFaultServer({
    headers,
    body: '{"markdown":"","structured":{"success":false,"error":"no"}}',
  });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const error = await client.extract("s1", { response_format: {} }).catch((thrown: unknown) => thrown);
  const want = { code: "extraction", operation: "page_scrape", status: 200, requestId: "r1" };
  expect(error).toMatchObject({ ...want, extraction: { success: false, reason: "failed", error: "no" } });
  expect(server.requests).toHaveLength(1);
});

const ids = [
  { headers: { "x-request-id": "a" }, want: "a" },
  { headers: { "request-id": "b" }, want: "b" },
  { headers: { "x-correlation-id": "c" }, want: "c" },
  { headers: { "x-request-id": "a", "request-id": "b" }, want: "a" },
  { headers: {}, want: undefined },
  { headers: { "x-request-id": "Root=1-67891233;Sampled=1" }, want: "Root=1-67891233;Sampled=1" },
  { headers: { "x-request-id": "x".repeat(200) }, want: "x".repeat(200) },
  { headers: { "x-request-id": "x".repeat(201) }, want: undefined },
  { headers: { "x-request-id": "caf\u00E9" }, want: undefined },
  { headers: { "x-request-id": "a\tb" }, want: undefined },
  { headers: { "x-request-id": "a b", "request-id": "b" }, want: "b" },
  { headers: { "x-request-id": "Bearer of-another" }, want: undefined },
  { headers: { "x-request-id": "basic of-another", "request-id": "b" }, want: "b" },
];
test.for(ids)("an error has the identifier of its request: $want", async ({ headers: responseHeaders, want }) => {
  const fetch = async (): Promise<Response> =>
    new Response("", { status: 500, headers: responseHeaders as HeadersInit });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.example", fetch, retries: 0 });
  const error = await client.cookies("s1").catch((thrown: unknown) => thrown);
  expect(Object.entries(Object.assign({}, error)).filter(([name]) => name === "requestId")).toEqual(
    want === undefined ? [] : [["requestId", want]],
  );
});

test("no rejection was left unhandled, in all that went before", async () => {
  await new Promise((resolve) => setTimeout(resolve, 50)); // what comes late counts, too
  expect(unhandled).toEqual([]);
});
