import * as nodeFetch3 from "node-fetch";
import { Agent, fetch as undiciFetch } from "undici";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { createCloudBrowser, type CloudBrowser, type CloudBrowserOptions } from "../../src/index.ts";
import { startFaultServer, type Fault } from "../calls/fault-server.ts";

type Fetch = NonNullable<CloudBrowserOptions["fetch"]>;

/** Passes a `fetch` of another package, whose types are those of that package. */
function asFetch(fetch: unknown): Fetch;
function asFetch(fetch: unknown): unknown {
  return fetch;
}

const nodeFetch2: unknown = createRequire(import.meta.url)("node-fetch2"); // has no types
const dispatcher = new Agent();
const fetches: { name: string; fetch: Fetch }[] = [
  { name: "undici", fetch: asFetch(undiciFetch) },
  {
    name: "undici with a dispatcher",
    fetch: (request, init) => asFetch(undiciFetch)(request, Object.assign(init, { dispatcher })),
  },
  { name: "node-fetch 3", fetch: asFetch(nodeFetch3.default) },
  { name: "node-fetch 2", fetch: asFetch(nodeFetch2) },
  { name: "a wrapper of the request", fetch: (request) => fetch(request) },
  { name: "a wrapper of both", fetch: (request, init) => fetch(request, init) },
  { name: "a wrapper of address and options", fetch: (request, init) => fetch(String(request), init) },
  { name: "a wrapper of a URL", fetch: (request, init) => fetch(new URL(request.toString()), init) },
];
const calls: Record<string, (client: CloudBrowser) => Promise<unknown>> = {
  cookies: (client) => client.cookies("s1"),
  scrape: (client) => client.scrape("s1", { selector: "ä" }),
  automate: async (client) => (await (await client.automate({ query: "ä" })).outcome()).type,
};
const done = 'data: {"type":"done","metadata":{"thread_id":"t"},"total_cost_usd":0.1}\n\n';
const long = "ä".repeat(100_000);
const answer: Fault = ({ url }, response) => {
  const isRun = url?.includes("automation");
  response.setHeader("content-type", isRun ? "text/event-stream" : "application/json");
  response.end(isRun ? done : JSON.stringify({ markdown: long, cookies: [] }));
};

for (const changed of [false, true]) {
  test.for(fetches)(`$name works${changed ? ", also when middleware replaces the request" : ""}`, async ({ fetch }) => {
    await using server = await startFaultServer(answer);
    const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, fetch, retries: 0 });
    if (changed) client.raw.use({ onRequest: ({ request }) => new Request(request, { headers: request.headers }) });
    const results: unknown[] = [];
    for (const call of Object.values(calls)) results.push(await call(client));
    expect(results).toEqual([{ markdown: long, cookies: [] }, { markdown: long, cookies: [] }, "done"]);
    const requests = server.requests.map(({ method, headers, body }) => [method, headers.authorization, body]);
    expect(requests).toEqual([
      ["GET", "Bearer key", ""],
      ["POST", "Bearer key", '{"selector":"ä"}'],
      ["POST", "Bearer key", '{"query":"ä"}'],
    ]);
  });
}

const faults: { code: string; fault: Fault }[] = [
  { code: "redirect", fault: { status: 302, headers: { location: "/elsewhere" } } },
  { code: "unexpected-status", fault: { status: 421 } },
  { code: "server", fault: { status: 500, headers: { "x-request-id": "r1" } } },
  { code: "network", fault: (_, response) => response.destroy() },
];
test.for(fetches)("a run is started once by $name, and each fault has its code", async ({ fetch }) => {
  for (const { code, fault } of faults) {
    await using server = await startFaultServer(fault);
    const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, fetch, retries: 0 });
    await expect(client.scrape("s1")).rejects.toMatchObject({ code });
    const before = server.requests.length;
    await expect(client.automate({ query: "q" })).rejects.toMatchObject({ code, retryable: false });
    expect(server.requests.length - before).toBe(1);
  }
});

test("a global fetch that was replaced may be one of another package", async () => {
  await using server = await startFaultServer(answer);
  const before = globalThis.fetch;
  Object.assign(globalThis, { fetch: nodeFetch3.default });
  try {
    const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, retries: 0 });
    expect(await client.cookies("s1")).toEqual({ markdown: long, cookies: [] });
  } finally {
    globalThis.fetch = before;
  }
});

test("a body that is there only as a whole is read, and none where the status has none", async () => {
  const whole = {
    status: 200,
    headers: new Headers(),
    arrayBuffer: async () => new TextEncoder().encode('{"cookies":[]}'),
  };
  const fetch = asFetch(async () => whole);
  const client = createCloudBrowser({ apiKey: "key", baseUrl: "https://service.example", fetch, retries: 0 });
  expect(await client.cookies("s1")).toEqual({ cookies: [] });
  const none = asFetch(async () => ({ ...whole, status: 204 }));
  await expect(client.cookies("s1", { fetch: none })).rejects.toMatchObject({
    code: "unexpected-content",
    status: 204,
  });
  const plain = asFetch(async () => ({ ok: true, json: async () => ({}) }));
  await expect(client.cookies("s1", { fetch: plain })).rejects.toMatchObject({ code: "misuse" });
});
