import { describe, expect, test } from "vitest";
import type { Probe } from "../../src/http/probe.ts";
import type { Profile } from "../../src/http/profile.ts";
import type { Operation } from "../../src/contract/contract.ts";
import type { RequestPlan } from "../../src/http/request-plan.ts";
import { Sender } from "../../src/http/sender.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { type Target } from "../../src/target/target.ts";
import { defaultLimits } from "../../src/http/limits.ts";
import { apiKey, sessionId, startServer, type Alter } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";

const path = "/api/automation/start";
const query = '{"query":"Buy a ship."}';

interface Request {
  readonly name: string;
  readonly plan: Partial<RequestPlan>;
  readonly operation?: Operation;
}

const plain: RequestPlan = { method: "POST", path, credentials: "key", body: query };

function makeProbe({ plan, operation = "automation_start" }: Request, at: number): Probe {
  const request = (): RequestPlan => ({ ...plain, ...plan });
  return { id: `hostile/${at}`, operation, expects: "open", request };
}

/** Sends requests under a profile, and tells which of them reached the server. */
async function reached(profile: Profile, requests: readonly Request[]): Promise<string[]> {
  const names: string[] = [];
  let sending = "";
  await using server = await startServer((answer) => {
    names.push(sending);
    return answer;
  });
  const sender = senderTo(server.target, profile);
  for (const [at, request] of requests.entries()) {
    sending = request.name;
    await sender.send(makeProbe(request, at));
  }
  return names;
}

function senderTo(target: Target, profile: Profile): Sender {
  const budget = { maxRuns: 100, maxUnintendedRuns: 1, maxCostUsd: undefined };
  return new Sender(target, {
    profile,
    budget,
    limits: defaultLimits,
    concurrency: 1,
    rate: undefined,
    signal: undefined,
  });
}

const key64 = Buffer.from(`user:${apiKey}`).toString("base64");

/** Each of them could start a billed run, on some server. */
const hostile: readonly Request[] = [
  { name: "says of itself that it starts none", plan: {} },
  { name: "puts the key into a header of its own", plan: { credentials: "none", headers: { "x-api-key": apiKey } } },
  { name: "brings its own credentials", plan: { credentials: "none", headers: { Authorization: `Bearer ${apiKey}` } } },
  { name: "overwrites a wrong key", plan: { credentials: "wrong", headers: { authorization: `bearer ${apiKey}` } } },
  {
    name: "writes the key in capitals",
    plan: { credentials: "none", headers: { authorization: `Bearer ${apiKey.toUpperCase()}` } },
  },
  {
    name: "has the beginning of the key",
    plan: { credentials: "none", headers: { authorization: `Bearer ${apiKey.slice(0, 8)}` } },
  },
  {
    name: "has the key with another letter in it",
    plan: { credentials: "key-other-letter" },
  },
  {
    name: "has the key and something more",
    plan: { credentials: "none", headers: { authorization: `Bearer ${apiKey}x` } },
  },
  { name: "has the key in base64", plan: { credentials: "none", headers: { authorization: `Basic ${key64}` } } },
  {
    name: "has the key in a cookie, encoded",
    plan: { credentials: "none", headers: { cookie: `key=%74${apiKey.slice(1)}` } },
  },
  { name: "has the key in its address", plan: { credentials: "none", path: `${path}?key=${apiKey}` } },
  { name: "has the key in its body", plan: { credentials: "none", body: `{"query":"x","key":"${apiKey}"}` } },
  { name: "calls itself a scrape", plan: {}, operation: "page_scrape" },
  { name: "walks out of the sessions", plan: { path: `/sessions/x/../..${path}` }, operation: "page_scrape" },
  {
    name: "walks out in disguise",
    plan: { path: "/sessions/..%2f..%2fapi%2fautomation%2fstart%3f/page/scrape" },
    operation: "page_scrape",
  },
  { name: "has a slash at its end", plan: { path: `${path}/` } },
  { name: "writes the path in capitals", plan: { path: path.toUpperCase() } },
  { name: "has its query in the address", plan: { path: `${path}?query=Buy`, body: "{}" } },
  { name: "has a query of another type", plan: { body: '{"query":5}' } },
  { name: "has a query that is null", plan: { body: '{"query":null}' } },
  { name: "writes the name in escapes", plan: { body: '{"qu\\u0065ry":"x"}' } },
  { name: "writes the name in capitals", plan: { body: '{"QUERY":"x"}' } },
  { name: "writes a blank around the name", plan: { body: '{" query ":"x"}' } },
  { name: "has the query deep inside", plan: { body: '[{"data":{"query":"x"}}]' } },
  { name: "has a byte order mark", plan: { body: `\uFEFF${query}` } },
  { name: "has something after its JSON", plan: { body: `${query} and more` } },
  { name: "has two JSON values", plan: { body: `{} ${query}` } },
  { name: "has a trailing comma", plan: { body: '{"query":"x",}' } },
  { name: "has single quotes", plan: { body: "{'query':'x'}" } },
  { name: "has no quotes", plan: { body: "{query: x}" } },
  { name: "has a comment", plan: { body: '{"query":"x" /* a comment */}' } },
  { name: "has letters of two bytes", plan: { body: query.split("").join("\0") } },
  { name: "has no colon", plan: { body: '{"query" "x"}' } },
  { name: "is a form that is JSON as well", plan: { body: '"a&query=x"' } },
  { name: "is YAML", plan: { body: "query: x\n" } },
  { name: "is a form", plan: { body: "a=b&query=x" } },
  { name: "is a form with escapes", plan: { body: "%71uery=x" } },
  {
    name: "is a form of parts",
    plan: { body: '--b\r\nContent-Disposition: form-data; name="query"\r\n\r\nx\r\n--b--' },
  },
];

/** None of them can start one on a server that conforms. */
const harmless: readonly Request[] = [
  { name: "no key", plan: { credentials: "none" } },
  { name: "a wrong key", plan: { credentials: "wrong" } },
  {
    name: "a key that only ends like the real one",
    plan: { credentials: "none", headers: { authorization: "Bearer x-0123456789" } },
  },
  { name: "no query", plan: { body: "{}" } },
  { name: "almost a query", plan: { body: '{"querys":"x","quer":"x","__proto__":{}}' } },
  { name: "a query as a value", plan: { body: '{"name":"query"}' } },
  { name: "broken JSON", plan: { body: '{"query": "Open about:blank"' } },
  { name: "an array", plan: { body: "[]" } },
  {
    name: "a scrape with the unknown property query",
    plan: { path: `/sessions/${sessionId}/page/scrape` },
    operation: "page_scrape",
  },
];

describe("the profile free", () => {
  test.for(hostile)("sends no request with the key and a query, even one that $name", async (request) => {
    expect(await reached("free", [request])).toEqual([]);
  });

  test.for(harmless)("sends a request with $name", async (request) => {
    expect(await reached("free", [request])).toEqual([request.name]);
  });

  test("sends the rest of the suite, and the target sees no query with the key", async () => {
    const seen: string[] = [];
    const note: Alter = (answer, { url, body }) => {
      if (url.startsWith("/api") && answer.status === 200) seen.push(body);
      return answer;
    };
    const report = await judgeWithoutSocket(note, { profile: "free" });
    expect(seen).toEqual([]);
    expect(report).toMatchObject({ verdict: "conforming", summary: { automationRuns: 0, costUsd: null } });
    expect(report.checks.find(({ id }) => id === "stream/one-terminal-event")).toMatchObject({
      status: "skip",
      reason: "The profile free starts no billed automation run (--profile full does).",
    });
  });

  test("plays the runs of a mock, which bills nothing", async () => {
    await using server = await startServer();
    const sender = senderTo({ ...server.target, kind: "mock" }, "free");
    const result = await sender.send(makeProbe({ name: "run", plan: {} }, 0));
    expect(result).toMatchObject({ exchange: { response: { status: 200 } } });
    expect(sender.ledger.runs).toBe(0);
  });

  test("finds the key behind a prefix of the base URL, too", async () => {
    await using server = await startServer();
    const baseUrl = `${server.url}/v1/`;
    const target = liveTarget({ baseUrl, automationUrl: server.url, apiKey, sessionId });
    const sender = senderTo(target, "free");
    const scrape = makeProbe({ name: "", plan: { path: "/sessions/a/page/scrape" }, operation: "page_scrape" }, 0);
    expect(sender.forbids(scrape)).toBeUndefined();
    expect(sender.forbids(makeProbe({ name: "", plan: {} }, 1))).toContain("profile free");
  });
});

describe("the profile read-only", () => {
  test("sends GET and nothing else", async () => {
    const methods = new Set<string>();
    const note: Alter = (answer, { method }) => {
      methods.add(method);
      return answer;
    };
    const report = await judgeWithoutSocket(note, { profile: "read-only" });
    expect([...methods]).toEqual(["GET"]);
    expect(report.verdict).toBe("conforming");
    expect(report.checks.find(({ id }) => id === "scrape/status-200")).toMatchObject({
      status: "skip",
      reason: "The profile read-only sends nothing but GET (--profile free or full sends more).",
    });
  });

  test.for(hostile)("sends no POST that $name", async (request) => {
    expect(await reached("read-only", [request])).toEqual([]);
  });
});

describe("the profile full", () => {
  test.for([...hostile, ...harmless])("sends a request that is, or has, $name", async (request) => {
    expect(await reached("full", [request])).toEqual([request.name]);
  });
});
