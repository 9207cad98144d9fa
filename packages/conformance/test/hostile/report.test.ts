import { describe, expect, test } from "vitest";
import type { Chunk } from "../../src/http/body/chunks.ts";
import type { Exchange, RawResponse } from "../../src/http/exchange.ts";
import { bodyJson } from "../../src/http/exchange.ts";
import { streamEvents, streamLines } from "../../src/http/event-stream.ts";
import { recordExchange } from "../../src/report/recorded-exchange.ts";
import { createRedact } from "../../src/redaction/redact.ts";
import { renderTruncated } from "../../src/report/truncate-report.ts";
import { renderHar } from "../../src/report/har.ts";
import { visibleJson } from "../../src/report/visible-text.ts";
import type { Finding } from "../../src/checks/check.ts";
import { evaluateCheck } from "../../src/run/evaluation.ts";
import { CircuitBreaker } from "../../src/http/circuit-breaker.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { check, exchange, failedCheck, finding, makeReport } from "../report/reports.ts";
import { json, startServer } from "../server.ts";
import { measureProcessorTime } from "@cloud-browser/testing/processor-time.ts";

const redact = createRedact("key-A1b2C3d4E5");
const target = liveTarget({ baseUrl: "http://target.example", apiKey: "key-A1b2C3d4E5", sessionId: "s" });

function answered(parts: Partial<RawResponse>): Exchange {
  return {
    id: "cookies/read",
    operation: "session_cookies",
    expects: "success",
    url: "http://target.example/sessions/s/cookies",
    plan: { method: "GET", path: "/sessions/s/cookies", credentials: "wrong" },
    requestHeaders: { authorization: "Bearer key-A1b2C3d4E5" },
    startedAt: new Date(0),
    durationMs: 5,
    response: { status: 200, headers: [], chunks: [], end: "complete", ...parts },
  };
}

/** Of an operation of which no text is taken for a secret by its place. */
const scraped = (parts: Partial<RawResponse>): Exchange => ({ ...answered(parts), operation: "page_scrape" });

const pieces = (count: number, text: string): Chunk[] =>
  Array.from({ length: count }, (_, at) => ({ atMs: at + 0.4, bytes: Buffer.from(text) }));

const makeFindings = (requirement: string, count: number): Omit<Finding, "exchange">[] =>
  Array.from({ length: count }, (_, at) => ({ ...finding(), requirement, where: `body /${at}` }));

const readBody = (text: string): ReturnType<typeof bodyJson> =>
  bodyJson({ status: 200, headers: [], chunks: [{ atMs: 0, bytes: Buffer.from(text) }], end: "complete" });

describe("of an answer a report keeps", () => {
  test("the arrival of the first 1,000 pieces, for HAR, and of a single piece none", () => {
    const many = recordExchange(answered({ chunks: pieces(1_500, "ab") }), redact).response?.chunks;
    expect(many).toMatchObject({ count: 1_500, firstMs: 0, lastMs: 1_499 });
    expect(many?.arrivals).toHaveLength(1_000);
    expect(many?.arrivals?.slice(0, 2)).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(recordExchange(answered({ chunks: pieces(1, "ab") }), redact).response?.chunks.arrivals).toBeUndefined();
    const record = recordExchange(answered({ chunks: pieces(2, "ab") }), redact);
    expect(renderHar(makeReport({ exchanges: [record] }))).toMatch(/"_chunks": \[\s+\{\s+"atMs": 0,\s+"bytes": 2\s+\}/);
  });

  test("100 headers, each with 4,096 characters, and how many there were", () => {
    const headers = Array.from({ length: 130 }, (): [string, string] => ["a", "b".repeat(9_000)]);
    const response = recordExchange(answered({ headers }), redact).response;
    expect(response?.headers).toHaveLength(100);
    expect(response?.headers[0]?.[1]).toHaveLength(4_096);
    expect(response?.headersLeftOut).toBe(30);
  });

  test("16,384 characters of the body, whatever came", () => {
    const response = recordExchange(scraped({ chunks: pieces(40_000, "abc") }), redact).response;
    expect(response).toMatchObject({ truncated: true, bodyBytes: 120_000 });
    expect(response?.body).toBe("abc".repeat(40_000).slice(0, 16_384));
    expect(recordExchange(scraped({ chunks: pieces(2, "äö") }), redact).response).toMatchObject({
      body: "äöäö",
      truncated: false,
    });
  });

  test.for([
    {
      name: "where the connection broke",
      end: "reset" as const,
      body: "the key is key-A1b2C",
      want: "the key is [redacted]",
    },
    {
      name: "but not where the target ended it",
      end: "complete" as const,
      body: "see the key-A1",
      want: "see the key-A1",
    },
    { name: "but no word that is shorter", end: "reset" as const, body: "see the key-", want: "see the key-" },
  ])("no beginning of the key $name", ({ end, body, want }) => {
    const chunks = [{ atMs: 1, bytes: Buffer.from(body) }];
    expect(recordExchange(scraped({ chunks, end }), redact).response?.body).toBe(want);
  });

  test("the kind of its credentials, and nothing of them", () => {
    expect(recordExchange(answered({}), redact).request).toMatchObject({
      credentials: "wrong",
      connection: "own",
      headers: [["authorization", "Bearer [redacted]"]],
    });
  });
});

describe("of the findings of a check", () => {
  test("300 are kept, one of each requirement among them, and the others are counted", () => {
    const evidence = {
      target,
      exchanges: new Map([["cookies/read", answered({})]]),
      unsent: new Map(),
      interrupted: new Set<string>(),
      displacedRuns: new Set<string>(),
      redact,
    };
    const suiteCheck = {
      ...check(),
      probes: ["cookies/read"],
      needs: [],
      judge: () => ({
        assertions: 1,
        findings: [...makeFindings("a", 900), ...makeFindings("b", 1), ...makeFindings("c", 500)],
      }),
    };
    const result = evaluateCheck(suiteCheck, evidence);
    expect(result.findings).toHaveLength(300);
    expect(new Set(result.findings.map(({ requirement }) => requirement))).toEqual(new Set(["a", "b", "c"]));
    expect(result.findingsLeftOut).toBe(1_101);
  });

  test("all are kept when there are few", async () => {
    await using server = await startServer((answer, { url }) =>
      url.endsWith("/cookies") ? json(200, { cookies: [7] }) : answer,
    );
    const report = await runConformance(server.target, { only: ["cookies/cookie-type"] });
    expect(report.checks[0]?.findings.length).toBeGreaterThan(0);
    expect(report.checks[0]?.findingsLeftOut).toBeUndefined();
  });
});

test("a report that would be too large keeps less of each body, header and finding, and every request and check", () => {
  const record = exchange("a", "x".repeat(16_000), "text/plain");
  const exchanges = Array.from({ length: 100 }, (_, at) => ({ ...record, id: `a-${at}` }));
  const findings = Array.from({ length: 300 }, () => ({ ...finding(), received: "y".repeat(900) }));
  const report = makeReport({ exchanges, checks: [{ ...failedCheck(), findings }] });
  const text = renderTruncated(report, 200_000, visibleJson);
  const fitted: typeof report = JSON.parse(text);
  expect(text.length).toBeLessThan(200_000);
  expect(fitted.exchanges.map(({ id }) => id)).toEqual(exchanges.map(({ id }) => id));
  expect(fitted.exchanges[0]?.response).toMatchObject({ truncated: true, bodyBytes: 16_000 });
  expect(fitted.checks[0]).toMatchObject({ findingsLeftOut: 250 });
  expect(renderTruncated(report, 1e9, visibleJson)).toBe(visibleJson(report));
});

describe("JSON", () => {
  test.for([
    { name: "as deep as the limit is read", text: `${"[".repeat(1_000)}${"]".repeat(1_000)}`, want: undefined },
    {
      name: "with brackets in strings is read",
      text: JSON.stringify({ a: `"\\${"[".repeat(5_000)}` }),
      want: undefined,
    },
    { name: "that is deeper is not judged", text: `${"[".repeat(1_001)}${"]".repeat(1_001)}`, want: true },
    { name: "that is deeper, and not closed, is none", text: "[".repeat(5_000), want: false },
  ])("$name", ({ text, want }) => {
    const body = readBody(text);
    expect("unread" in body ? body.unread : undefined).toBe(want);
  });
});

test("an event that is spread over lines is found without reading the lines again and again", () => {
  const text = `data: {"a":"${"x".repeat(80)}"}}\n`.repeat(100_000);
  let events: ReturnType<typeof streamEvents> = [];
  expect(measureProcessorTime(() => (events = streamEvents(streamLines(text))))).toBeLessThan(2_000);
  expect(events).toHaveLength(100_000);
  expect(streamEvents(streamLines('data: {"a":"}",\ndata:\ndata: "type":"b"}\n'))).toMatchObject([
    { lines: 3, type: "b" },
  ]);
});

describe("an operation that does not answer is left alone", () => {
  const silent = answered({ end: "timeout" });
  test("after three requests in a row, and not before", () => {
    const breaker = new CircuitBreaker();
    for (const step of [silent, silent, answered({}), silent, silent]) breaker.record(step, true);
    expect(breaker.refusal("session_cookies")).toBeUndefined();
    breaker.record(silent, true);
    expect(breaker.refusal("session_cookies")).toContain("3 consecutive requests");
    expect(breaker.refusal("page_scrape")).toBeUndefined();
  });

  test("and also when no attempt found a connection, but not when an answer broke off", () => {
    const { response: _, ...without } = answered({});
    const broken: Exchange = { ...without, failure: { code: "reset", message: "x" } };
    const breaker = new CircuitBreaker();
    for (let at = 0; at < 9; at += 1) breaker.record(broken, true);
    expect(breaker.refusal("session_cookies")).toBeUndefined();
    for (let at = 0; at < 3; at += 1) breaker.record(broken, false);
    expect(breaker.refusal("session_cookies")).toBeDefined();
  });
});
