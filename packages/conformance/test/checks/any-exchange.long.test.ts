/**
 * A target that is right but for one answer of a run, on real sockets: whatever the request was sent for, the answer is found. One
 * request for each purpose, and each in turn with another thing wrong.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { collect } from "../../src/run/collect.ts";
import { runConformance } from "../../src/run/run-conformance.ts";
import { checks } from "../../src/run/suite.ts";
import { isAnswerTo, type Exchange } from "../../src/http/exchange.ts";
import type { Operation } from "../../src/contract/contract.ts";
import type { Report } from "../../src/report/report.ts";
import { replacedHeader, startWholeTarget, wholeRun, type Replacement, type WholeTarget } from "./whole-target.ts";

const json = { "content-type": "application/json" };
const stream = { "content-type": "text/event-stream" };
const done = JSON.stringify({ type: "done", total_cost_usd: 0.1, metadata: {} });

interface Broken extends Replacement {
  readonly what: string;
}

const operations: readonly Operation[] = ["page_scrape", "session_cookies", "session_replay", "automation_start"];

/** Answers that no request of the operation may get. */
const broken: Readonly<Record<Operation, readonly Broken[]>> = {
  page_scrape: [
    { what: "JSON that is cut", status: 200, headers: json, body: '{"markdown":"# Fer' },
    { what: "another media type", status: 200, headers: { "content-type": "text/html" }, body: '{"markdown":""}' },
    { what: "no `markdown`", status: 200, headers: json, body: "{}" },
    { what: "images in an object", status: 200, headers: json, body: '{"markdown":"","images":{}}' },
    { what: "a 422 without `detail`", status: 422, headers: json, body: "{}" },
    { what: "a 422 that is no JSON", status: 422, headers: json, body: "no" },
  ],
  session_cookies: [
    { what: "no JSON", status: 200, headers: json, body: "no" },
    { what: "no `cookies`", status: 200, headers: json, body: "{}" },
    { what: "a name that is a number", status: 200, headers: json, body: '{"cookies":[{"name":7}]}' },
    { what: "a 422 that is no JSON", status: 422, headers: json, body: "no" },
  ],
  session_replay: [
    { what: "no JSON", status: 200, headers: json, body: "no" },
    { what: "none of its fields", status: 200, headers: json, body: "{}" },
    { what: "a relative address", status: 200, headers: json, body: '{"mp4_url":"/a.mp4"}' },
  ],
  automation_start: [
    { what: "another media type", status: 200, headers: json, body: `data: ${done}\n\n` },
    { what: "a line that is no JSON", status: 200, headers: stream, body: `data: {"type"\n\ndata: ${done}\n\n` },
    { what: "no terminal event", status: 200, headers: stream, body: 'data: {"type":"status","status":"a"}\n\n' },
    { what: "two terminal events", status: 200, headers: stream, body: `data: ${done}\n\ndata: ${done}\n\n` },
  ],
};

/** Describes the purpose of a request: the checks that name it, and the expected result. */
function findPurpose({ id, operation, expects, connection }: Exchange): string {
  const ids = checks.filter(({ probes }) => probes.includes(id)).map((check) => check.id);
  return [operation, expects, connection, ...(ids.length > 0 ? ids : [id])].join(" ");
}

/** Id of the request that got the replaced answer: how often a recording is asked for before it is ready moves the numbers after it. */
function idOfReplaced({ exchanges }: Report): string | undefined {
  return exchanges.find(({ response }) => response?.headers.some(([name]) => name === replacedHeader))?.id;
}

let whole: WholeTarget;
/** One request for each purpose, with its number among all that the target gets. */
let chosen: readonly { readonly id: string; readonly number: number; readonly operation: Operation }[];

beforeAll(async () => {
  whole = await startWholeTarget();
  const { allExchanges } = await collect(whole.target, wholeRun);
  const reached = allExchanges.filter(({ url }) => url.startsWith(whole.target.baseUrl));
  const first = new Map<string, (typeof chosen)[number]>();
  for (const [at, exchange] of reached.entries()) {
    const { id, operation } = exchange;
    const isCalled = operations.some((one) => isAnswerTo(one, { ...exchange, expects: "open" }));
    const purpose = findPurpose(exchange);
    if (isCalled && !first.has(purpose)) first.set(purpose, { id, number: at + 1, operation });
  }
  chosen = [...first.values()];
}, 60_000);

afterAll(async () => {
  await whole[Symbol.asyncDispose]();
});

describe("one broken answer", () => {
  test("is found, whatever the request is sent for", { timeout: 3_600_000 }, async () => {
    expect(chosen.length).toBeGreaterThan(60);
    const missed: string[] = [];
    for (const [turn, { id, number, operation }] of chosen.entries()) {
      const rows = broken[operation];
      const answer = rows[turn % rows.length];
      whole.replace(number, answer);
      const report = await runConformance(whole.target, wholeRun);
      const got = idOfReplaced(report);
      const isFound = report.checks.some(({ findings }) => findings.some(({ exchange }) => exchange === got));
      if (got === undefined || !isFound) missed.push(`${id} (${got}) with ${answer?.what}: ${report.verdict}`);
    }
    expect(missed).toEqual([]);
  });
});
