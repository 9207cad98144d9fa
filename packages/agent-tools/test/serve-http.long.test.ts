import { afterAll, beforeAll, expect, test } from "vitest";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { request } from "node:http";
import { startMcp, type RunningMcp } from "../src/mcp.ts";
import { secrets, startCannedService, type CannedService } from "./canned-service.ts";
import { createTestClient, eras, wrapClient, type ConnectedClient, type Era, type Person } from "./mcp-client.ts";

const token = "a token of 24 characters";
const bearer = "0123456789abcdef01234567";
let service: CannedService;
let mcp: RunningMcp;
beforeAll(async () => {
  service = await startCannedService();
  mcp = await startMcp({
    baseUrl: service.url,
    apiKey: service.apiKey,
    http: { token: bearer, allowedHosts: ["mcp.example"] },
  });
});
afterAll(async () => {
  await mcp.close();
  await service[Symbol.asyncDispose]();
});

async function connect(era: Era, person?: Person): Promise<ConnectedClient> {
  const client = createTestClient(era, person);
  const transport = new StreamableHTTPClientTransport(new URL(mcp.url ?? ""), {
    requestInit: { headers: { authorization: `Bearer ${bearer}` } },
  });
  await client.connect(transport);
  return wrapClient(client, () => client.close());
}

const yes: Person = async () => ({ action: "accept", content: { confirm: true } });

/** Sends initialize with headers of its own. */
function initialize(
  headers: Readonly<Record<string, string>>,
  path = "/mcp",
): Promise<{ status: number; text: string }> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
  return new Promise((resolve, reject) => {
    request(new URL(path, mcp.url), { method: "POST", headers: all }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on("error", reject)
      .end(body);
  });
}

test("it listens on this machine only, and does not start without a token", async () => {
  expect(mcp.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/u);
  const options = { baseUrl: service.url, apiKey: service.apiKey };
  await expect(startMcp({ ...options, http: { token: "" } })).rejects.toThrow(
    /needs a token of at least 16 characters.*openssl/u,
  );
  await expect(startMcp({ ...options, http: { token: "short" } })).rejects.not.toThrow(/short/u);
});

test.each<[string, Record<string, string>, number]>([
  ["no token", {}, 401],
  ["another token", { authorization: `Bearer ${token}` }, 401],
  ["the beginning of the token", { authorization: `Bearer ${bearer.slice(0, -1)}` }, 401],
  ["the API key", { authorization: `Bearer ${secrets.key}` }, 401],
  ["the token by another scheme", { authorization: `Basic ${bearer}` }, 401],
  ["a Host that is a rebound name", { authorization: `Bearer ${bearer}`, host: "evil.example" }, 403],
  ["a Host that begins like this machine", { authorization: `Bearer ${bearer}`, host: "127.0.0.1.evil.example" }, 403],
  ["an Origin of a site", { authorization: `Bearer ${bearer}`, origin: "https://evil.example" }, 403],
  ["an opaque Origin", { authorization: `Bearer ${bearer}`, origin: "null" }, 403],
  ["an allowed Host", { authorization: `Bearer ${bearer}`, host: "mcp.example" }, 200],
  ["an Origin of this machine", { authorization: `Bearer ${bearer}`, origin: "http://localhost:3000" }, 200],
])("a request with %s is answered as it should be", async (_, headers, status) => {
  const before = service.requests.length;
  const answer = await initialize(headers);
  expect(answer).toMatchObject({ status, text: expect.not.stringContaining(bearer) });
  // Whoever is refused reaches the service not at all.
  expect(status === 200 || service.requests.length === before).toBe(true);
});

test("another path than the endpoint's is not found", async () => {
  expect((await initialize({ authorization: `Bearer ${bearer}` }, "/")).status).toBe(404);
});

test.each(eras)("a client of %s lists, calls, hears of progress and asks its person over HTTP", async (era) => {
  service.events.splice(
    0,
    Infinity,
    { type: "tool_start", name: "click" },
    { type: "done", total_cost_usd: 0, metadata: {} },
  );
  const messages: string[] = [];
  await using connection = await connect(era, async ({ message }) => {
    messages.push(message);
    return { action: "accept", content: { confirm: true } };
  });
  expect((await connection.client.listTools()).tools).toHaveLength(13);
  const { structured } = await connection.call("automate", { query: "buy" });
  expect(structured).toMatchObject({ state: "done" });
  expect(messages).toHaveLength(1);
  expect(connection.progress.join()).toContain("step 1: click");
});

test.each(eras)("a client of %s that leaves in the middle leaves the run, and another one finds it", async (era) => {
  service.events.splice(0, Infinity, { type: "tool_start", name: "click" }, "pause");
  const query = `leave ${era}`;
  const countStarts = (): number =>
    service.requests.filter((one) => one.startsWith("POST /api/automation/start")).length;
  const before = countStarts();
  const first = await connect(era, yes);
  const leaving = new AbortController();
  const call = first.call(
    "automate",
    { query },
    {
      signal: leaving.signal,
      onprogress: ({ message }) => (message?.includes("started") === true ? leaving.abort() : undefined),
    },
  );
  await expect(call).rejects.toThrow();
  await first[Symbol.asyncDispose]();
  service.events.splice(
    0,
    Infinity,
    { type: "tool_start", name: "click" },
    { type: "done", total_cost_usd: 0, metadata: {} },
  );
  await using second = await connect(era, yes);
  const { structured } = await second.call("automate", { query });
  expect(structured).toMatchObject({ state: "done", earlier_run: expect.any(String) });
  expect(service.requests.filter((one) => one.includes("/cancel"))).toEqual([]);
  expect(countStarts()).toBe(before + 1);
});
