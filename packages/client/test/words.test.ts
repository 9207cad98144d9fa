/** A service that has words of its own where the interface says `automation` and `service`. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ClientError, createCloudBrowser, type CloudBrowserOptions, type RequestNotice } from "../src/index.ts";
import { attachRun, startRun } from "../src/runs.ts";
import { fitting, startFaultServer } from "./calls/fault-server.ts";
import { streamContent } from "./calls/fault-socket.ts";

const variables = ["AUTOMATION_URL", "AUTOMATION_WORD", "SERVICE_WORD"].map((name) => `CLOUD_BROWSER_${name}`);
beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const baseUrl = "https://service.example";
const query = "q";
const answerNotFound = async (): Promise<Response> => new Response("", { status: 404 });

/** A client whose requests are kept, and answered as they like. */
function createClient(options: CloudBrowserOptions = {}) {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    return request.url.endsWith("/start")
      ? new Response(streamContent.body, { headers: { "content-type": streamContent.type } })
      : new Response(fitting);
  };
  return { client: createCloudBrowser({ apiKey: "key", baseUrl, fetch, ...options }), requests };
}

const endpoints: { options?: CloudBrowserOptions; environment?: Record<string, string>; start: string }[] = [
  { start: `${baseUrl}/api/automation/start` },
  { options: { automationWord: "acme" }, start: `${baseUrl}/api/acme/start` },
  { options: { automationWord: "Ac-me_2" }, start: `${baseUrl}/api/Ac-me_2/start` },
  { environment: { AUTOMATION_WORD: "acme" }, start: `${baseUrl}/api/acme/start` },
  { options: { automationWord: "acme" }, environment: { AUTOMATION_WORD: "x" }, start: `${baseUrl}/api/acme/start` },
  { options: { automationUrl: "https://a.example/api/acme/start" }, start: "https://a.example/api/acme/start" },
  { options: { automationUrl: "https://a.example/v1/api/acme/start/" }, start: "https://a.example/v1/api/acme/start" },
  { environment: { AUTOMATION_URL: "https://a.example/api/acme/start" }, start: "https://a.example/api/acme/start" },
  {
    options: { automationUrl: "https://a.example/api/acme/start", automationWord: "acme" },
    start: "https://a.example/api/acme/start",
  },
  // Whatever does not end in `/api/<word>/start` is a base.
  {
    options: { automationUrl: "https://a.example/api/acme", automationWord: "acme" },
    start: "https://a.example/api/acme/api/acme/start",
  },
  {
    options: { automationUrl: "https://a.example/api/start" },
    start: "https://a.example/api/start/api/automation/start",
  },
  {
    options: { automationUrl: "https://a.example/api/ac%20me/start" },
    start: "https://a.example/api/ac%20me/start/api/automation/start",
  },
];
test.for(endpoints)(
  "an automation goes to $start with $options $environment",
  async ({ options, environment, start }) => {
    for (const [name, value] of Object.entries(environment ?? {})) process.env[`CLOUD_BROWSER_${name}`] = value;
    const { client, requests } = createClient(options);
    await client.automate({ query });
    await client.raw.POST("/api/automation/start", { body: { query }, parseAs: "stream" });
    await startRun(client, { query });
    await client.cookies("s1");
    expect(requests.map(({ url }) => url)).toEqual([start, start, start, `${baseUrl}/sessions/s1/cookies`]);
  },
);

test("a raw automation with a query goes to the endpoint, too", async () => {
  const { client, requests } = createClient({ automationUrl: "https://a.example/$&/api/acme/start" });
  const init = { body: { query }, querySerializer: () => "dry=1", parseAs: "stream" } as const;
  await client.raw.POST("/api/automation/start", init);
  expect(requests.map(({ url }) => url)).toEqual(["https://a.example/$&/api/acme/start?dry=1"]);
});

test("a word of one call is that of this call", async () => {
  const { client, requests } = createClient({ requestOrigin: "me" });
  await client.automate({ query }, { automationWord: "acme" });
  await client.automate({ query });
  await client.scrape("s1", {}, { serviceWord: "acme" });
  await client.scrape("s1");
  expect(requests.map(({ url }) => url).slice(0, 2)).toEqual([
    `${baseUrl}/api/acme/start`,
    `${baseUrl}/api/automation/start`,
  ]);
  const names = ["x-acme-request-origin", "x-service-request-origin"];
  expect(requests.slice(2).map(({ headers }) => names.map((name) => headers.get(name)))).toEqual([
    ["me", null],
    [null, "me"],
  ]);
});

const wrong: { name: string; options: CloudBrowserOptions; environment?: Record<string, string> }[] = [
  ...["", " ", "a b", "a/b", "a.b", "ü", "acme\n", "%41"].flatMap((word) => [
    { name: `automationWord ${JSON.stringify(word)}`, options: { automationWord: word } },
    { name: `serviceWord ${JSON.stringify(word)}`, options: { serviceWord: word } },
  ]),
  { name: "a word of the environment", options: {}, environment: { AUTOMATION_WORD: "a/b" } },
  { name: "a word of the environment", options: {}, environment: { SERVICE_WORD: "a b" } },
  {
    name: "a word that is not that of the endpoint",
    options: { automationUrl: `${baseUrl}/api/acme/start`, automationWord: "other" },
  },
  {
    name: "the neutral word with another endpoint",
    options: { automationUrl: `${baseUrl}/api/acme/start`, automationWord: "automation" },
  },
  {
    name: "a word of the environment that is not that of the endpoint",
    options: { automationUrl: `${baseUrl}/api/acme/start` },
    environment: { AUTOMATION_WORD: "other" },
  },
];
test.for(wrong)("misuse, which says what a word may be: $name $environment", ({ options, environment }) => {
  for (const [name, value] of Object.entries(environment ?? {})) process.env[`CLOUD_BROWSER_${name}`] = value;
  const message = expect.stringMatching(/automationWord.*letters, digits, - and _.*automationUrl/);
  expect(() => createClient(options)).toThrow(expect.objectContaining({ code: "misuse", message }));
});

test("misuse: a word of a call that contradicts the endpoint of the client", async () => {
  const { client, requests } = createClient({ automationUrl: `${baseUrl}/api/acme/start` });
  await expect(client.automate({ query }, { automationWord: "other" })).rejects.toMatchObject({ code: "misuse" });
  expect(requests).toEqual([]);
});

const headerNames = ["request-origin", "sdk-version"];
test.for([
  { how: "as options", options: { requestOrigin: "me", sdkVersion: "1" } },
  {
    how: "as headers",
    options: { headers: { "x-service-request-origin": "me", "X-Service-SDK-Version": "1" } },
  },
])("both headers have the word of the service, passed $how", async ({ options }) => {
  for (const own of [{ serviceWord: "Acme" }, {}]) {
    if (!own.serviceWord) process.env["CLOUD_BROWSER_SERVICE_WORD"] = "acme";
    const { client, requests } = createClient({ ...options, ...own });
    await client.scrape("s1");
    const { headers } = requests[0] ?? {};
    expect(headerNames.map((name) => headers?.get(`x-acme-${name}`))).toEqual(["me", "1"]);
    expect(headerNames.map((name) => headers?.has(`x-service-${name}`))).toEqual([false, false]);
  }
});

test("raw calls and middleware use the neutral names, and send the real ones", async () => {
  const { client, requests } = createClient({ serviceWord: "acme" });
  client.raw.use({ onRequest: ({ request }) => request.headers.set("x-service-request-origin", "middleware") });
  await client.raw.POST("/sessions/{session_id}/page/scrape", {
    params: { path: { session_id: "s1" }, header: { "x-service-sdk-version": "1" } },
    headers: { "x-service-run-id": "kept" },
    body: {},
  });
  const ownHeaders = [...(requests[0]?.headers ?? [])].filter(([name]) => /acme|service/.test(name));
  expect(Object.fromEntries(ownHeaders)).toEqual({
    "x-acme-request-origin": "middleware",
    "x-acme-sdk-version": "1",
    "x-service-run-id": "kept",
  });
});

test("hooks and logs have the real address", async () => {
  const urls: string[] = [];
  const note = ({ url }: RequestNotice): number => urls.push(url);
  const { client } = createClient({
    automationWord: "acme",
    hooks: { onRequest: note, onResponse: note },
    logger: { debug: (_, notice) => note(notice), warn: () => undefined },
  });
  await client.automate({ query });
  expect(urls).toEqual(Array(4).fill(`${baseUrl}/api/acme/start`));
});

test("an automation that is not found says which address answered, and which option sets its word", async () => {
  await using server = await startFaultServer({ status: 404, headers: { "content-type": "text/plain" }, body: "no" });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, automationWord: "acme", retries: 0 });
  const address = `${server.url}/api/acme/start`;
  for (const call of [() => client.automate({ query }), () => startRun(client, { query })]) {
    const error = await call().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({
      code: "not-found",
      url: address,
      message: expect.stringContaining("automationWord"),
    });
    expect(String(error)).toContain(`${address} answered with 404`);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ url: address });
  }
  const { response } = await client.raw.POST("/api/automation/start", { body: { query } });
  expect(response.url).toBe(address);
});

test("other errors name their address, too, and no word", async () => {
  await using server = await startFaultServer({ status: 404, headers: {}, body: "" });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, retries: 0 });
  const url = `${server.url}/sessions/s1/page/scrape`;
  const scrape = await client.scrape("s1", {}, { update_metadata: false }).catch((thrown: unknown) => thrown);
  expect(scrape).toMatchObject({ code: "not-found", url, message: `${url} answered with 404` });
  const events = attachRun(client, "r1").stream[Symbol.asyncIterator]();
  await expect(events.next()).rejects.toMatchObject({
    cause: { message: "/control/runs/{thread_id}/events answered with 404" },
  });
  const lost = createCloudBrowser({ apiKey: "key", baseUrl, retries: 0, fetch: () => Promise.reject(new Error()) });
  await expect(lost.automate({ query })).rejects.toMatchObject({
    code: "network",
    url: `${baseUrl}/api/automation/start`,
  });
  const unsent = await client.cookies("..").catch((thrown: unknown) => thrown);
  expect(Object.keys(Object(unsent))).not.toContain("url");
});

test("no address in an error, a hook or a log has the key", async () => {
  const notices: unknown[] = [];
  const debug = (_: string, notice: unknown): number => notices.push(notice);
  const logger = { debug, warn: () => undefined };
  const client = createCloudBrowser({ apiKey: "s3cr3t", baseUrl, retries: 0, fetch: answerNotFound, logger });
  notices.push(await client.cookies("s3cr3t").catch((thrown: unknown) => thrown));
  expect(JSON.stringify(notices)).not.toContain("s3cr3t");
  const url = `${baseUrl}/sessions/[redacted]/cookies`;
  expect(notices).toMatchObject([{ url }, { url }, { url, message: `${url} answered with 404` }]);
});
