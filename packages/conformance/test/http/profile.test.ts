import { describe, expect, test } from "vitest";
import type { Probe } from "../../src/http/probe.ts";
import type { Profile } from "../../src/http/profile.ts";
import type { Operation } from "../../src/contract/contract.ts";
import type { RequestPlan } from "../../src/http/request-plan.ts";
import type { Sender } from "../../src/http/sender.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { type Target } from "../../src/target/target.ts";
import { apiKey, sessionId, startServer, type Alter } from "../server.ts";
import { judgeWithoutSocket } from "../without-socket.ts";
import { makeSender } from "./bare-server.ts";

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
  return makeSender(target, { profile, budget: { maxRuns: 100, maxUnintendedRuns: 1, maxCostUsd: undefined } });
}

const key64 = Buffer.from(`user:${apiKey}`).toString("base64");

/** A request without credentials but these headers. */
const withHeaders = (headers: Record<string, string>): Partial<RequestPlan> => ({ credentials: "none", headers });
const withBody = (body: string): Partial<RequestPlan> => ({ body });
const parts = '--b\r\nContent-Disposition: form-data; name="query"\r\n\r\nx\r\n--b--';
const disguised = "/sessions/..%2f..%2fapi%2fautomation%2fstart%3f/page/scrape";

/** Each of them could start a billed run, on some server. */
const hostile = listRequests([
  ["says of itself that it starts none", {}],
  ["puts the key into a header of its own", withHeaders({ "x-api-key": apiKey })],
  ["brings its own credentials", withHeaders({ Authorization: `Bearer ${apiKey}` })],
  ["overwrites a wrong key", { credentials: "wrong", headers: { authorization: `bearer ${apiKey}` } }],
  ["writes the key in capitals", withHeaders({ authorization: `Bearer ${apiKey.toUpperCase()}` })],
  ["has the beginning of the key", withHeaders({ authorization: `Bearer ${apiKey.slice(0, 8)}` })],
  ["has the key with another letter in it", { credentials: "key-other-letter" }],
  ["has the key and something more", withHeaders({ authorization: `Bearer ${apiKey}x` })],
  ["has the key in base64", withHeaders({ authorization: `Basic ${key64}` })],
  ["has the key in a cookie, encoded", withHeaders({ cookie: `key=%74${apiKey.slice(1)}` })],
  ["has the key in its address", { credentials: "none", path: `${path}?key=${apiKey}` }],
  ["has the key in its body", { credentials: "none", body: `{"query":"x","key":"${apiKey}"}` }],
  ["calls itself a scrape", {}, "page_scrape"],
  ["walks out of the sessions", { path: `/sessions/x/../..${path}` }, "page_scrape"],
  ["walks out in disguise", { path: disguised }, "page_scrape"],
  ["has a slash at its end", { path: `${path}/` }],
  ["writes the path in capitals", { path: path.toUpperCase() }],
  ["has its query in the address", { path: `${path}?query=Buy`, body: "{}" }],
  ["has a query of another type", withBody('{"query":5}')],
  ["has a query that is null", withBody('{"query":null}')],
  ["writes the name in escapes", withBody('{"qu\\u0065ry":"x"}')],
  ["writes the name in capitals", withBody('{"QUERY":"x"}')],
  ["writes a blank around the name", withBody('{" query ":"x"}')],
  ["has the query deep inside", withBody('[{"data":{"query":"x"}}]')],
  ["has a byte order mark", withBody(`\uFEFF${query}`)],
  ["has something after its JSON", withBody(`${query} and more`)],
  ["has two JSON values", withBody(`{} ${query}`)],
  ["has a trailing comma", withBody('{"query":"x",}')],
  ["has single quotes", withBody("{'query':'x'}")],
  ["has no quotes", withBody("{query: x}")],
  ["has a comment", withBody('{"query":"x" /* a comment */}')],
  ["has letters of two bytes", withBody(query.split("").join("\0"))],
  ["has no colon", withBody('{"query" "x"}')],
  ["is a form that is JSON as well", withBody('"a&query=x"')],
  ["is YAML", withBody("query: x\n")],
  ["is a form", withBody("a=b&query=x")],
  ["is a form with escapes", withBody("%71uery=x")],
  ["is a form of parts", withBody(parts)],
]);

/** None of them can start one on a server that conforms. */
const harmless = listRequests([
  ["no key", { credentials: "none" }],
  ["a wrong key", { credentials: "wrong" }],
  ["a key that only ends like the real one", withHeaders({ authorization: "Bearer x-0123456789" })],
  ["no query", withBody("{}")],
  ["almost a query", withBody('{"querys":"x","quer":"x","__proto__":{}}')],
  ["a query as a value", withBody('{"name":"query"}')],
  ["broken JSON", withBody('{"query": "Open about:blank"')],
  ["an array", withBody("[]")],
  ["a scrape with the unknown property query", { path: `/sessions/${sessionId}/page/scrape` }, "page_scrape"],
]);

function listRequests(
  rows: readonly (readonly [name: string, plan: Partial<RequestPlan>, operation?: Operation])[],
): Request[] {
  return rows.map(([name, plan, operation = "automation_start"]) => ({ name, plan, operation }));
}

describe("the profile free", () => {
  test.for(hostile)("sends no request with the key and a query, even one that $name", async (request) => {
    expect(await reached("free", [request])).toEqual([]);
  });

  test.for(harmless)("sends a request with $name", async (request) => {
    expect(await reached("free", [request])).toEqual([request.name]);
  });

  test("sends the rest of the suite, and the target sees no query with the key", async () => {
    const bodies: string[] = [];
    const note: Alter = (answer, { url, body }) => {
      if (url.startsWith("/api") && answer.status === 200) bodies.push(body);
      return answer;
    };
    const report = await judgeWithoutSocket(note, { profile: "free" });
    expect(bodies).toEqual([]);
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
