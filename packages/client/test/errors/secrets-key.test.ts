import { inspect } from "node:util";
import { expect, test } from "vitest";
import { ClientError, createCloudBrowser, type CloudBrowser, type CloudBrowserOptions } from "../../src/index.ts";
import { startFaultServer } from "../calls/fault-server.ts";
import { getHead, startSocketServer } from "../calls/fault-socket.ts";

const apiKey = "sk-canary-key";
const operations: { operation: string; call: (client: CloudBrowser, baseUrl?: string) => Promise<unknown> }[] = [
  { operation: "page_scrape", call: (client, baseUrl) => client.scrape("s1", {}, { baseUrl }) },
  { operation: "session_cookies", call: (client, baseUrl) => client.cookies("s1", { baseUrl }) },
  { operation: "session_replay", call: (client, baseUrl) => client.replay("s1", { baseUrl }) },
  {
    operation: "automation_start",
    call: (client, automationUrl) => client.automate({ query: "q" }, { ...(automationUrl && { automationUrl }) }),
  },
];

test.for(operations)("the key goes to no third address by middleware: $operation", async ({ call }) => {
  await using ours = await startFaultServer({});
  await using other = await startFaultServer({});
  for (const redirect of ["manual", "follow", "error"] as const) {
    const client = createCloudBrowser({ apiKey, baseUrl: ours.url });
    client.raw.use({ onRequest: () => new Request(`${other.url}/sessions/s1/cookies`, { redirect }) });
    await expect(call(client)).rejects.toMatchObject({ code: "misuse", attempts: 0 });
  }
  expect([ours.requests, other.requests]).toEqual([[], []]);
});

test.for(operations)("the key follows the address of a call, and only there: $operation", async ({ call }) => {
  await using ours = await startFaultServer({});
  await using other = await startFaultServer({ headers: { "content-type": "application/json" } });
  const client = createCloudBrowser({ apiKey, baseUrl: ours.url });
  await call(client, other.url);
  expect(ours.requests).toEqual([]);
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${apiKey}`]);
});

test("the key of a call replaces that of the client, for this call", async () => {
  await using server = await startFaultServer({});
  const client = createCloudBrowser({ apiKey, baseUrl: server.url });
  await client.cookies("s1", { apiKey: "another" });
  await client.cookies("s1", { apiKey: async () => "a third" });
  await client.cookies("s1", { apiKey: undefined });
  const authorizations = server.requests.map(({ headers }) => headers.authorization);
  expect(authorizations).toEqual(["Bearer another", "Bearer a third", `Bearer ${apiKey}`]);
});

test.for([`${apiKey}\n`, ` ${apiKey}\r\n`, `\uFEFF${apiKey}`])(
  "a key as a file has it is sent without what is around it, and no error quotes it: %j",
  async (keyText) => {
    let authorization: string | null = null;
    const fetch = async ({ headers }: Request): Promise<Response> => {
      authorization = headers.get("authorization");
      throw new Error(`no route for ${apiKey}`);
    };
    const client = createCloudBrowser({ apiKey: async () => keyText, baseUrl: "https://service.example", fetch });
    const error: unknown = await client.cookies("s1", { retries: 0 }).catch((thrown: unknown) => thrown);
    expect(authorization).toBe(`Bearer ${apiKey}`);
    expect(error).toMatchObject({ code: "network", cause: { message: "no route for [redacted]" } });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(apiKey);
  },
);

test("a key of only white space is missing", async () => {
  await using server = await startFaultServer({});
  const client = createCloudBrowser({ apiKey: " \n", baseUrl: server.url });
  await expect(client.cookies("s1")).rejects.toMatchObject({ code: "authentication", attempts: 0 });
  expect(server.requests).toEqual([]);
});

test("two clients keep their keys apart", async () => {
  await using server = await startFaultServer({});
  const one = createCloudBrowser({ apiKey: "one", baseUrl: server.url });
  const two = createCloudBrowser({ apiKey: "two", baseUrl: server.url });
  await Promise.all([one, two, one, two].map((client) => client.cookies("s1")));
  const authorizations = server.requests.map(({ headers }) => headers.authorization);
  expect(authorizations.map(String).sort()).toEqual(["Bearer one", "Bearer one", "Bearer two", "Bearer two"]);
});

test("the key is in one header, and nowhere else in the bytes of a request", async () => {
  await using server = await startSocketServer({
    onRequest: (socket) => socket.write(getHead(404, { "content-length": 0 })),
  });
  const client = createCloudBrowser({ apiKey, baseUrl: server.url });
  for (const { call } of operations) await call(client).catch(() => undefined);
  expect(server.requests).toHaveLength(4);
  for (const { head, body } of server.requests) {
    expect(`${head}${body}`.split(apiKey)).toHaveLength(2);
    expect(head.toLowerCase()).toContain(`\r\nauthorization: bearer ${apiKey}\r\n`);
  }
});

test("the typed client refuses a third address, and follows no redirect with the key", async () => {
  await using other = await startFaultServer({});
  await using ours = await startFaultServer({ status: 307, headers: { location: `${other.url}/elsewhere` } });
  const { raw } = createCloudBrowser({ apiKey, baseUrl: ours.url });
  const params = { path: { session_id: "s1" } };
  await expect(raw.GET("/sessions/{session_id}/cookies", { params })).rejects.toMatchObject({ code: "redirect" });
  const elsewhere = raw.GET("/sessions/{session_id}/cookies", { params, baseUrl: other.url });
  await expect(elsewhere).rejects.toMatchObject({ code: "misuse" });
  expect(other.requests).toEqual([]);
});

/** Answers that quote the key where the identifier of the request belongs. */
const echoes: { name: string; options: CloudBrowserOptions; code: string }[] = [
  { name: "a refusal", options: { fetch: echoKey(503) }, code: "server" },
  { name: "a redirect", options: { fetch: echoKey(302) }, code: "redirect" },
  { name: "content that is none", options: { fetch: echoKey(200) }, code: "unexpected-content" },
  { name: "too much content", options: { fetch: echoKey(200), maxBodyBytes: 1 }, code: "too-large" },
  {
    name: "a body that stalls",
    options: { fetch: echoKey(200, () => new ReadableStream()), timeouts: { bodyMs: 20 } },
    code: "timeout",
  },
  {
    name: "a key with white space around it, which is not sent",
    options: { apiKey: ` ${apiKey}\n`, fetch: echoKey(503) },
    code: "server",
  },
];
function echoKey(status: number, createBody: () => BodyInit = () => "nothing"): () => Promise<Response> {
  const headers = { "x-request-id": `a-${apiKey}-b`, "request-id": "r1" };
  return async () => new Response(createBody(), { status, headers });
}
test.for(echoes)("a request id that contains the key is left out: $name", async ({ options, code }) => {
  const reported: unknown[] = [];
  const logger = { debug: () => undefined, warn: (...args: unknown[]) => void reported.push(...args) };
  const retries = { max: 1, baseMs: 1 };
  const client = createCloudBrowser({ apiKey, baseUrl: "https://service.example", logger, retries, ...options });
  for (const replace of [false, true]) {
    if (replace) client.raw.use({ onResponse: ({ response }) => new Response(response.body, response) });
    const error = await client.cookies("s1").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, requestId: "r1" });
    reported.push(error);
  }
  const params = { path: { session_id: "s1" } };
  const rawCall = client.raw.GET("/sessions/{session_id}/cookies", { params, parseAs: "stream" });
  reported.push(await rawCall.catch((thrown: unknown) => thrown));
  const errors = reported.filter((each) => each instanceof ClientError);
  expect(inspect(errors, { depth: 9, showHidden: true }) + JSON.stringify(reported)).not.toContain(apiKey);
});

test.for([false, true])(
  "a request id that contains the key is left out of a failed extraction; middleware: %s",
  async (replace) => {
    const fetch = echoKey(200, () => '{"markdown":"","structured":{"success":false,"error":"no"}}');
    const client = createCloudBrowser({ apiKey, baseUrl: "https://service.example", fetch });
    if (replace) client.raw.use({ onResponse: ({ response }) => new Response(response.body, response) });
    const error = await client.extract("s1", { response_format: {} }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "extraction", requestId: "r1" });
  },
);
