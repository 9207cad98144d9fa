import type { Outcome, StreamReport } from "@cloud-browser/stream";
import { expect, test } from "vitest";
import { createCloudBrowser, type AutomateOptions, type CallOptions, type CloudBrowser } from "../src/index.ts";
import { fitting, startFaultServer } from "./calls/fault-server.ts";
import { streamContent } from "./calls/fault-socket.ts";

const operations: { operation: string; call: (client: CloudBrowser, options: CallOptions) => Promise<unknown> }[] = [
  { operation: "page_scrape", call: (client, options) => client.scrape("s1", {}, options) },
  { operation: "session_cookies", call: (client, options) => client.cookies("s1", options) },
  { operation: "session_replay", call: (client, options) => client.replay("s1", options) },
  { operation: "automation_start", call: (client, options) => client.automate({ query: "q" }, options) },
];
const hang = (): Promise<never> => new Promise(() => {});
const refuse = async (): Promise<Response> => new Response("x".repeat(100), { status: 400 });
/** What every operation takes for an answer. */
const answerWell = async (): Promise<Response> => new Response(fitting);

/** Options of a client that can't work: each test replaces one of them. */
function createClient(options: CallOptions): { client: CloudBrowser; requests: Request[] } {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    return answerWell();
  };
  return {
    client: createCloudBrowser({ apiKey: "client", baseUrl: "https://client.example", fetch, ...options }),
    requests,
  };
}

const kinds: { name: string; own: CallOptions; want: (request: Request) => unknown; is: unknown }[] = [
  { name: "apiKey", own: { apiKey: "call" }, want: ({ headers }) => headers.get("authorization"), is: "Bearer call" },
  {
    name: "apiKey as a function",
    own: { apiKey: async () => "call" },
    want: ({ headers }) => headers.get("authorization"),
    is: "Bearer call",
  },
  {
    name: "both addresses",
    own: { baseUrl: "https://call.example/v1", automationUrl: "https://call.example/v1/" },
    want: ({ url }) => url.slice(0, 24),
    is: "https://call.example/v1/",
  },
  {
    name: "allowInsecureHttp",
    own: { baseUrl: "http://call.example", automationUrl: "http://call.example", allowInsecureHttp: true },
    want: ({ url }) => new URL(url).origin,
    is: "http://call.example",
  },
  { name: "headers", own: { headers: { "x-own": "call" } }, want: ({ headers }) => headers.get("x-own"), is: "call" },
  {
    name: "headers as a list",
    own: { headers: [["x-own", "call"]] },
    want: ({ headers }) => headers.get("x-own"),
    is: "call",
  },
  { name: "accept", own: { headers: { accept: "x/y" } }, want: ({ headers }) => headers.get("accept"), is: "x/y" },
];
test.for(kinds.flatMap((kind) => operations.map((row) => ({ ...kind, ...row }))))(
  "$operation uses the $name of its call, and the next one does not",
  async ({ own, want, is, call }) => {
    const { client, requests } = createClient({});
    await call(client, own);
    await call(client, {});
    const [first, second] = requests.map(want);
    expect(first).toBe(is);
    expect(second).not.toBe(is);
  },
);

test.for(operations)("$operation merges headers of client and call, name by name", async ({ call }) => {
  const { client, requests } = createClient({ headers: { "x-a": "client", "x-b": "client" } });
  await call(client, { headers: { "X-B": "call", "x-c": "call" } });
  const headerValues = requests.map(({ headers }) => ["x-a", "x-b", "x-c"].map((name) => headers.get(name)));
  expect(headerValues).toEqual([["client", "call", "call"]]);
});

test.for(operations)("$operation uses the fetch of its call", async ({ call }) => {
  const { client, requests } = createClient({});
  let calls = 0;
  const fetch = (): Promise<Response> => {
    calls++;
    return answerWell();
  };
  await call(client, { fetch });
  expect([calls, requests.length]).toEqual([1, 0]);
});

test.for(operations)("$operation uses the global fetch at the time of the call", async ({ call }) => {
  const { client } = createClient({ fetch: undefined });
  const before = globalThis.fetch;
  let calls = 0;
  globalThis.fetch = () => {
    calls++;
    return answerWell();
  };
  try {
    await call(client, {});
  } finally {
    globalThis.fetch = before;
  }
  expect(calls).toBe(1);
});

test.for(operations)(
  "$operation uses retries, timeouts, hooks, logger and bounds of its call",
  async ({ call, operation }) => {
    const reported: string[] = [];
    const { client } = createClient({ fetch: hang, timeouts: { headersMs: 60_000 }, retries: 7 });
    const own: CallOptions = {
      timeouts: { headersMs: 30 },
      retries: { max: 1, baseMs: 1 },
      hooks: { onRequest: ({ attempt }) => reported.push(`hook ${attempt}`) },
      logger: { debug: (message) => reported.push(message), warn: (message) => reported.push(message) },
    };
    const once = ["hook 1", "request"];
    const isAutomation = operation === "automation_start";
    await expect(call(client, own)).rejects.toMatchObject({ code: "timeout", attempts: isAutomation ? 1 : 2 });
    expect(reported).toEqual(isAutomation ? once : [...once, "retry", "hook 2", "request"]);
    const error = await call(client, { fetch: refuse, maxBodyBytes: 10 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "bad-request", body: undefined });
  },
);

test("an option of a call that is undefined is not given", async () => {
  const { client, requests } = createClient({ headers: { "x-a": "client" } });
  const none = { apiKey: undefined, baseUrl: undefined, fetch: undefined, headers: undefined, retries: undefined };
  await client.cookies("s1", { ...none, signal: undefined, hooks: undefined, logger: undefined, timeouts: undefined });
  expect(requests.map(({ url, headers }) => [url, headers.get("authorization"), headers.get("x-a")])).toEqual([
    ["https://client.example/sessions/s1/cookies", "Bearer client", "client"],
  ]);
});

test("requestOrigin and sdkVersion go with scrapes only", async () => {
  const { client, requests } = createClient({ requestOrigin: "client", sdkVersion: "1" });
  for (const { call } of operations) await call(client, {});
  await client.scrape("s1", {}, { requestOrigin: "call", sdkVersion: undefined });
  const names = ["x-service-request-origin", "x-service-sdk-version"];
  const none = [null, null];
  expect(requests.map(({ headers }) => names.map((name) => headers.get(name)))).toEqual([
    ["client", "1"],
    none,
    none,
    none,
    ["call", "1"],
  ]);
});

test("options that are wrong are misuse of the call that has them", async () => {
  const { client, requests } = createClient({});
  const wrong: CallOptions[] = [
    { baseUrl: "nowhere", automationUrl: "nowhere" },
    { baseUrl: "http://call.example", automationUrl: "http://call.example" },
    { timeouts: { headersMs: 0 } },
    { timeouts: { bytesMs: -1 } },
    { maxBodyBytes: NaN },
  ];
  for (const own of wrong) {
    for (const { call } of operations) await expect(call(client, own)).rejects.toMatchObject({ code: "misuse" });
  }
  expect(requests).toEqual([]);
});

const status = (text: string): string => `data: {"type":"status","status":"${text}"}\n\n`;
const [, end = ""] = streamContent.body.split("\n\n");
const streams: {
  name: string;
  body: string;
  options: AutomateOptions;
  want: (outcome: Outcome) => unknown;
  is: unknown;
}[] = [
  {
    name: "maxEventBytes",
    body: status("x".repeat(500)),
    options: { maxEventBytes: 100 },
    want: (outcome) => outcome.type === "broken" && outcome.error.code,
    is: "event-too-large",
  },
  {
    name: "oversize",
    body: `${status("x".repeat(500))}${end}\n\n`,
    options: { maxEventBytes: 200, oversize: "skip" },
    want: ({ type }) => type,
    is: "done",
  },
  {
    name: "damage: report",
    body: `data: damaged\n\n${end}\n\n`,
    options: { damage: "report" },
    want: ({ type }) => type,
    is: "done",
  },
  {
    name: "damage: throw",
    body: `data: damaged\n\n${end}\n\n`,
    options: { damage: "throw" },
    want: (outcome) => outcome.type === "broken" && outcome.error.code,
    is: "invalid-json",
  },
];
test.for(streams)("the stream of an automation has its option $name", async ({ body, options, want, is }) => {
  await using server = await startFaultServer({ headers: { "content-type": streamContent.type }, body });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  expect(want(await (await client.automate({ query: "q" }, options)).outcome())).toBe(is);
});

test("the stream of an automation reports, and calls onOutcome", async () => {
  const body = `data: damaged\n\n${streamContent.body}`;
  await using server = await startFaultServer({ headers: { "content-type": streamContent.type }, body });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const reports: StreamReport[] = [];
  const outcomes: Outcome[] = [];
  const stream = await client.automate(
    { query: "q" },
    { damage: "report", onReport: (report) => reports.push(report), onOutcome: (outcome) => outcomes.push(outcome) },
  );
  expect(await stream.outcome()).toBe(outcomes[0]);
  expect([reports.length > 0, outcomes.length]).toEqual([true, 1]);
});
