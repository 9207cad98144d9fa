import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createCloudBrowser, type CloudBrowser, type CloudBrowserOptions } from "../../src/index.ts";

const variables = ["CLOUD_BROWSER_API_KEY", "CLOUD_BROWSER_BASE_URL", "CLOUD_BROWSER_AUTOMATION_URL"];
beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const apiKey = "s3cr3t";
const baseUrl = "https://service.example";

/** A client whose requests go nowhere, and what it tried to send. */
function createClient(options: CloudBrowserOptions = {}, answer = () => Response.json({ markdown: "", cookies: [] })) {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    return answer();
  };
  return { client: createCloudBrowser({ apiKey, baseUrl, fetch, ...options }), requests };
}

const badOptions: { name: string; options: CloudBrowserOptions }[] = [
  { name: "no key", options: { baseUrl } },
  { name: "an empty key", options: { apiKey: "", baseUrl } },
  { name: "no address", options: { apiKey } },
  { name: "a relative address", options: { apiKey, baseUrl: "/api" } },
  { name: "another protocol", options: { apiKey, baseUrl: "ftp://service.example" } },
  { name: "credentials in the address", options: { apiKey, baseUrl: "https://s3cr3t:s3cr3t@service.example" } },
  { name: "a query in the address", options: { apiKey, baseUrl: `${baseUrl}?key=s3cr3t` } },
  { name: "a fragment in the address", options: { apiKey, baseUrl: `${baseUrl}#s3cr3t` } },
  { name: "http to another machine", options: { apiKey, baseUrl: "http://service.example" } },
  { name: "http to a name that only looks local", options: { apiKey, baseUrl: "http://localhost.example" } },
  { name: "http to an address that only looks local", options: { apiKey, baseUrl: "http://127.0.0.1.example" } },
  { name: "http for automations", options: { apiKey, baseUrl, automationUrl: "http://service.example" } },
];
test.for(badOptions)("calls it misuse, and quotes nothing: $name", ({ options }) => {
  expect(() => createCloudBrowser(options)).toThrow(
    expect.objectContaining({ code: "misuse", message: expect.not.stringContaining("s3cr3t") }),
  );
});

const goodAddresses = [
  { address: "http://localhost:1" },
  { address: "http://service.localhost" },
  { address: "http://127.1.2.3:1" },
  { address: "http://[::1]:1/prefix" },
  { address: "http://service.example", allowInsecureHttp: true },
];
test.for(goodAddresses)("allows $address", async ({ address, allowInsecureHttp }) => {
  const { client, requests } = createClient({ baseUrl: address, allowInsecureHttp });
  await client.cookies("s1");
  expect(requests[0]?.url).toBe(`${address}/sessions/s1/cookies`);
});

test("falls back to the environment", async () => {
  process.env["CLOUD_BROWSER_API_KEY"] = "from-environment";
  process.env["CLOUD_BROWSER_BASE_URL"] = "https://sessions.example/";
  process.env["CLOUD_BROWSER_AUTOMATION_URL"] = "https://automations.example/";
  const { client, requests } = createClient({ apiKey: undefined, baseUrl: undefined });
  await client.cookies("s1");
  await client.automate({ query: "q" });
  expect(requests.map(({ url, headers }) => [url, headers.get("authorization")])).toEqual([
    ["https://sessions.example/sessions/s1/cookies", "Bearer from-environment"],
    ["https://automations.example/api/automation/start", "Bearer from-environment"],
  ]);
});

const calls: { name: string; code: string; call: (client: CloudBrowser) => Promise<unknown> }[] = [
  ...["", " ", "\t\n", ".", "..", "\uD800"].flatMap((id) => [
    {
      name: `scrape of session ${JSON.stringify(id)}`,
      code: "misuse",
      call: (client: CloudBrowser) => client.scrape(id),
    },
    {
      name: `cookies of session ${JSON.stringify(id)}`,
      code: "misuse",
      call: (client: CloudBrowser) => client.cookies(id),
    },
    {
      name: `replay of session ${JSON.stringify(id)}`,
      code: "misuse",
      call: (client: CloudBrowser) => client.replay(id),
    },
  ]),
  {
    name: "a session that is undefined",
    code: "misuse",
    // @ts-expect-error: a caller without types may do this
    call: (client) => client.cookies(undefined),
  },
  {
    name: "a raw call with a dot segment",
    code: "misuse",
    call: ({ raw }) => raw.GET("/sessions/{session_id}/cookies", { params: { path: { session_id: ".." } } }),
  },
  {
    name: "a raw call to another address",
    code: "misuse",
    call: ({ raw }) =>
      raw.GET("/sessions/{session_id}/cookies", {
        baseUrl: "https://other.example",
        params: { path: { session_id: "s1" } },
      }),
  },
  {
    name: "middleware that goes to another origin",
    code: "misuse",
    call(client) {
      client.raw.use({ onRequest: () => new Request("https://other.example/sessions", { redirect: "manual" }) });
      return client.cookies("s1");
    },
  },
  {
    name: "middleware that lets redirects be followed",
    code: "misuse",
    call(client) {
      client.raw.use({ onRequest: ({ request }) => new Request(request, { redirect: "follow" }) });
      return client.cookies("s1");
    },
  },
  {
    name: "a header that is none",
    code: "misuse",
    call: (client) => client.cookies("s1", { headers: { x: "s3cr3t\nx" } }),
  },
  { name: "a bound of zero", code: "misuse", call: (client) => client.automate({ query: "q" }, { maxEventBytes: 0 }) },
  {
    name: "a timeout that is no number",
    code: "misuse",
    call: (client) => client.automate({ query: "q" }, { timeouts: { bytesMs: NaN } }),
  },
];
test.for(calls)("a call that is $code sends nothing: $name", async ({ code, call }) => {
  const { client, requests } = createClient();
  const message: unknown = expect.not.stringContaining("s3cr3t");
  await expect(call(client)).rejects.toMatchObject({ name: "ClientError", code, message });
  expect(requests).toEqual([]);
});

const keys = [
  { name: "that throws", apiKey: () => Promise.reject(new Error("vault")), code: "authentication" },
  { name: "that gives none", apiKey: () => "", code: "authentication" },
  { name: "that gives what no header can hold", apiKey: () => "s3cr3t\u0000s3cr3t", code: "misuse" },
];
test.for(keys)("sends nothing with a key function $name", async ({ apiKey: key, code }) => {
  const { client, requests } = createClient({ apiKey: key });
  const message: unknown = expect.not.stringContaining("s3cr3t");
  await expect(client.cookies("s1")).rejects.toMatchObject({ code, message });
  expect(requests).toEqual([]);
});

/** What a `fetch` gives that has followed a redirect. */
function answerRedirected(): Response {
  return Object.defineProperty(Response.json({}), "redirected", { value: true });
}

test("refuses an answer that a fetch of the caller's got by following a redirect", async () => {
  await expect(createClient({}, answerRedirected).client.cookies("s1")).rejects.toMatchObject({ code: "redirect" });
});

test.for(["null", '{"ok":true,"status":200}'])(
  "says that fetch may be the cause of an invalid response: %s",
  async (json) => {
    const { client } = createClient({}, () => JSON.parse(json));
    const message: unknown = expect.stringContaining("fetch");
    await expect(client.cookies("s1")).rejects.toMatchObject({ code: "misuse", message });
  },
);
