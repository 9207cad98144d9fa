/**
 * No request is sent without the general rules of its operation: whatever a probe was made for, an answer to it that breaks
 * media type, JSON, schema or framing is found.
 */
import { beforeAll, expect, test } from "vitest";
import { type Probe } from "../src/http/probe.ts";
import { judgedBy } from "../src/checks/check.ts";
import type { Exchange, RawResponse } from "../src/http/exchange.ts";
import { defaultLimits } from "../src/http/limits.ts";
import type { OpenedPages } from "../src/target/opened-pages.ts";
import { beforeChangeProbe } from "../src/checks/pages/page-probes.ts";
import { recordingReadProbe } from "../src/checks/recordings/recording-probe.ts";
import type { Operation } from "../src/contract/contract.ts";
import { checks, defaultSeed, probesOf } from "../src/run/suite.ts";
import type { Target } from "../src/target/target.ts";
import { outgoingOf, transmit } from "../src/http/transport.ts";
import { sessionId, startServer } from "./server.ts";

/** One answer that breaks a general sentence about an operation. */
interface BrokenAnswer {
  readonly operation: Operation;
  readonly what: string;
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
  readonly requirement: string;
}

function broken(
  operation: Operation,
  status: number,
  rows: readonly (readonly [what: string, mediaType: string, body: string, requirement: string])[],
): BrokenAnswer[] {
  return rows.map(([what, mediaType, body, requirement]) => ({
    operation,
    what,
    status,
    mediaType,
    body,
    requirement,
  }));
}

const json = "application/json";
const stream = "text/event-stream";
const done = JSON.stringify({ type: "done", total_cost_usd: 0.1, metadata: {} });

const brokenAnswers: readonly BrokenAnswer[] = [
  ...broken("page_scrape", 200, [
    ["of another media type", "text/html", '{"markdown":""}', "scrape.content-type"],
    ["cut in its middle", json, '{"markdown":"# Fer', "scrape.response.body-is-json"],
    ["that is no object", json, "[]", "scrape.response.schema"],
    ["without `markdown`", json, "{}", "scrape.response.markdown.required"],
    ["with images in an object", json, '{"markdown":"","images":{}}', "scrape.response.images.type"],
  ]),
  ...broken("page_scrape", 422, [
    ["that is no JSON", json, "no", "scrape.422-body"],
    ["without `detail`", json, "{}", "validation-error.detail.required"],
    ["with a problem that has no `loc`", json, '{"detail":[{"msg":"","type":""}]}', "validation-error.loc.required"],
  ]),
  ...broken("session_cookies", 200, [
    ["that is no JSON", json, "no", "cookies.body-is-json"],
    ["without `cookies`", json, "{}", "cookies.body"],
    ["with a name that is a number", json, '{"cookies":[{"name":7}]}', "cookies.cookie.name.type"],
  ]),
  ...broken("session_cookies", 422, [
    ["that is no JSON", json, "no", "cookies.422-body"],
    ["without `detail`", json, "{}", "validation-error.detail.required"],
  ]),
  ...broken("session_replay", 200, [
    ["that is no JSON", json, "no", "replay.body-is-json"],
    ["without its fields", json, "{}", "replay.mp4_url.required"],
    ["with a relative address", json, '{"mp4_url":"/a.mp4"}', "replay.mp4_url.address"],
  ]),
  ...broken("automation_start", 200, [
    ["of another media type", json, `data: ${done}\n\n`, "stream.content-type"],
    ["with a line that is no JSON", stream, `data: {"type"\n\ndata: ${done}\n\n`, "stream.data-is-json-object"],
    ["without a terminal event", stream, 'data: {"type":"status","status":"running"}\n\n', "stream.one-terminal-event"],
    ["with an event after the end", stream, `data: ${done}\n\ndata: {"type":"status"}\n\n`, "event.status.status"],
    ["with a run that has no thread", stream, `data: ${done}\n\n`, "event.done.metadata.thread_id"],
  ]),
];

const pages: OpenedPages = {
  sessionOf: () => sessionId,
  addressOf: () => "http://127.0.0.1/",
  sourceOf: () => "",
  cookiesOf: () => [],
  sharesCookies: () => false,
  host: "127.0.0.1",
  hasChanged: () => false,
  recordingMark: 0,
  recordedMs: () => undefined,
  frames: () => ({ frames: [] }),
};

/** Requests that are made while a run goes on. */
const unplanned: readonly Probe[] = [
  beforeChangeProbe,
  { ...recordingReadProbe, id: "recording/wait-1", expects: "open" },
  ...["scrape/defaults", "cookies/read", "replay/read"].flatMap((id) =>
    probesOf(defaultSeed).flatMap((probe) => (probe.id === id ? [{ ...probe, id: `${id}-again` }] : [])),
  ),
];
const probes = [...probesOf(defaultSeed), ...unplanned];

let exchanges: ReadonlyMap<string, Exchange>;
let target: Target;

beforeAll(async () => {
  await using server = await startServer();
  target = { ...server.target, pages };
  const made = await Promise.all(probes.map((probe) => transmit(outgoingOf(target, probe), defaultLimits)));
  exchanges = new Map(made.map(({ exchange }) => [exchange.id, exchange]));
});

/** The requirements that are blamed when one exchange has that answer. */
function blamedFor(id: string, { status, mediaType, body }: BrokenAnswer): string[] {
  const exchange = exchanges.get(id);
  if (!exchange) throw new Error(`there is no exchange ${id}`);
  const response: RawResponse = {
    status,
    headers: [["content-type", mediaType]],
    chunks: [{ atMs: 1, bytes: Buffer.from(body) }],
    end: "complete",
  };
  const altered = { ...exchange, response };
  const run = new Map([...exchanges, [id, altered]]);
  return checks.flatMap((check) =>
    judgedBy(check, [altered]).flatMap((one) =>
      check.judge(one, target, run).findings.map(({ requirement }) => requirement),
    ),
  );
}

test.for(brokenAnswers)("an answer $what ($operation, $status) is found at every probe", (answer) => {
  const called = probes.filter(({ operation, request }) => {
    const { url, method, path } = request({ ...standIn(), pages });
    const isOther = method === "HEAD" || method === "OPTIONS" || path.endsWith("/cookies/");
    return operation === answer.operation && url === undefined && !isOther;
  });
  expect(called.length).toBeGreaterThan(3);
  const missed = called.filter(({ id, expects }) => {
    const named = blamedFor(id, answer);
    const isFaultItself = expects === "refusal" && answer.status === 200;
    return isFaultItself ? named.length === 0 : !named.includes(answer.requirement);
  });
  expect(missed.map(({ id }) => id)).toEqual([]);
});

/** A target for requests that nobody sends. */
function standIn(): Target {
  return {
    name: "",
    kind: "live",
    baseUrl: "",
    automationUrl: "",
    apiKey: "key",
    sessionId,
    endedSessionId: sessionId,
    query: "",
    lacks: new Map(),
  };
}
