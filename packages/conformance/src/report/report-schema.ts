import type { PageName } from "../target/opened-pages.ts";
import type { Setting, ExpectationProblem, RecordedExchange, ReadingResult } from "./report.ts";
import type { Status, Verdict } from "./verdict.ts";
import type { Profile } from "../http/profile.ts";
import type { Level, Observable } from "../contract/requirements.ts";
import type { BodyEnd } from "../http/exchange.ts";

type Schema = Readonly<Record<string, unknown>>;

/** Fields of an object, by their names; a name that ends with a question mark is that of an optional field. */
type Fields = Readonly<Record<string, Schema>>;

const text: Schema = { type: "string" };
const whole: Schema = { type: "integer" };
const count: Schema = { type: "integer", minimum: 0 };
const leftOut: Schema = { type: "integer", minimum: 1 };
const flag: Schema = { type: "boolean" };

/** Returns the schema of an object that has these fields, and no others. */
function record(fields: Fields, more: Schema = {}): Schema {
  const names = Object.keys(fields);
  return {
    type: "object",
    additionalProperties: false,
    required: names.filter((name) => !name.endsWith("?")),
    properties: Object.fromEntries(names.map((name) => [name.replace("?", ""), fields[name]])),
    ...more,
  };
}

function list(items: Schema, more: Schema = {}): Schema {
  return { type: "array", items, ...more };
}

function enumerate(values: readonly unknown[]): Schema {
  return { enum: values };
}

function describe(description: string, schema: Schema): Schema {
  return { description, ...schema };
}

/** Allows null beside the values of a schema with a type. */
function nullable(schema: Schema): Schema {
  return { ...schema, type: [schema["type"], "null"] };
}

/** Returns the schema of a list of exactly two values. */
function pair(items: Schema): Schema {
  return list(items, { minItems: 2, maxItems: 2 });
}

const verdicts: readonly Verdict[] = ["conforming", "not-conforming", "unfinished", "nothing-checked"];
const level = { $ref: "#/$defs/level" };
const status = { $ref: "#/$defs/status" };
const headers = { $ref: "#/$defs/headers" };
const counts = { $ref: "#/$defs/counts" };
const reason = describe("Reason for error or skip.", text);
const notEmpty = { minItems: 1 };

// oxlint-disable unicorn/no-thenable -- words of JSON Schema

/** A result that was not judged says why. */
const withReason = {
  if: { properties: { status: enumerate(["error", "skip"] satisfies Status[]) } },
  then: { required: ["reason"] },
};

/** A report with another page could not be compared, nor pass the gate. */
const pages = Object.keys({ article: 0, product: 0, almanac: 0, recording: 0 } satisfies Record<PageName, number>);

const target = record({
  name: text,
  kind: enumerate(["mock", "live"]),
  baseUrl: text,
  automationUrl: text,
  "automationWord?": describe("The word in the path of the automation, /api/<word>/start.", text),
  "serviceWord?": describe("The word in the names of two request headers, such as x-<word>-sdk-version.", text),
  sessionId: text,
  endedSessionId: text,
  lacks: describe(
    "Capabilities that the target lacks, with the reason.",
    list(record({ capability: text, reason: text })),
  ),
  "openedSessions?": describe(
    "Sessions that the suite has opened on pages of its own, and whether it ended them.",
    list(record({ page: enumerate(pages), sessionId: text, ended: flag })),
  ),
});

const profile = describe(
  "free: no request that could start a billed automation run. read-only: GET only. full: all, runs within the budget.",
  enumerate(["free", "read-only", "full"] satisfies Profile[]),
);

const source = enumerate(["flag", "environment", "file", "option", "default"] satisfies Setting["source"][]);

const run = record({
  profile,
  seed: describe("Seed of generated requests: the same seed generates the same ones.", whole),
  settings: describe(
    "The settings that were used, without secrets.",
    list(record({ name: text, value: text, source })),
  ),
  "docsUrl?": describe("Address of the documentation site, which has a page for each check.", {
    ...text,
    pattern: "^https?://",
  }),
  interrupted: describe("True when the run was interrupted; checks without an answer are skipped.", flag),
  budget: record({
    maxRuns: count,
    maxCostUsd: describe("In US dollars; null for no limit.", nullable({ type: "number", minimum: 0 })),
  }),
  requests: describe("Requests that were to be sent, counted before the first one.", count),
  "requestsLeftOut?": describe("Requests that the limit of requests left out; absent for none.", leftOut),
  checks: describe("Checks that were selected, and checks of the suite.", record({ selected: count, all: count })),
  retries: describe(
    "Requests that were sent again: their connection failed before the first byte of an answer, or the target asked for a pause with Retry-After.",
    list(record({ exchange: text, reason: text })),
  ),
});

const summary = record({
  checks: counts,
  warnings: describe("Failed checks of the level assumed; they decide nothing.", count),
  requirements: counts,
  exchanges: count,
  automationRuns: describe("Billed runs that were started, or may have been.", count),
  costUsd: describe("In US dollars; null when no run told it.", nullable({ type: "number" })),
});

const check = record(
  {
    id: text,
    title: text,
    requirements: list(text, notEmpty),
    level,
    operation: text,
    status,
    "reason?": reason,
    findings: list(record({ requirement: text, where: text, expected: text, received: text, exchange: text })),
    "findingsLeftOut?": describe("Findings that are not in the list.", leftOut),
    exchanges: list(text),
    "expected?": describe(
      "The entry of the expected failures that covers it; it decides nothing then.",
      record({ id: text, reason: text, owner: text, expires: { ...text, format: "date" } }),
    ),
  },
  {
    allOf: [
      withReason,
      {
        if: { properties: { status: { const: "fail" } } },
        then: { properties: { findings: notEmpty } },
        else: { properties: { findings: { maxItems: 0 } } },
      },
    ],
  },
);

const reading = record({
  id: text,
  requirements: list(text, notEmpty),
  sentence: describe("The sentence of the interface, and what it leaves open.", text),
  value: describe("The value that the run went by.", text),
  text: describe("The sentence that holds with that value.", text),
  by: describe(
    "pinned: chosen by its id. strict: the strictest of each was asked for. default: nobody chose one.",
    enumerate(["pinned", "strict", "default"] satisfies ReadingResult["by"][]),
  ),
  others: list(
    record({
      value: text,
      text,
      verdict: describe(
        "The verdict under that value; null when a check of the reading was not selected.",
        enumerate([...verdicts, null]),
      ),
    }),
    notEmpty,
  ),
});

const requirement = record(
  {
    id: text,
    section: describe("Heading of the interface.", text),
    text,
    operation: text,
    level,
    observable: enumerate(["mock", "live", "page", "contract", "none"] satisfies Observable[]),
    status,
    "reason?": reason,
    checks: list(text),
  },
  withReason,
);

const request = record({
  method: text,
  url: text,
  headers,
  body: nullable(text),
  "credentials?": describe("The kind of its credentials, since they are not shown.", text),
  "connection?": describe(
    "kept: it went over the connection that others share, in the order of sending.",
    enumerate(["own", "kept"] satisfies RecordedExchange["request"]["connection"][]),
  ),
});

const response = record({
  status: whole,
  headers,
  "headersLeftOut?": describe("Headers that are not in the list.", leftOut),
  body: text,
  bodyBytes: count,
  truncated: flag,
  chunks: record({
    count,
    firstMs: nullable(whole),
    lastMs: nullable(whole),
    "arrivals?": describe(
      "When each piece arrived, in milliseconds after sending, and its length in bytes.",
      list(pair(count), { maxItems: 1000 }),
    ),
  }),
  end: enumerate(["complete", "reset", "still-open", "timeout", "too-large", "interrupted"] satisfies BodyEnd[]),
});

const exchange = record({
  id: text,
  operation: text,
  startedAt: { ...text, format: "date-time" },
  durationMs: count,
  request,
  response: nullable(response),
  failure: describe("Reason why there is no response.", nullable(text)),
});

const problemKind = enumerate(["stale", "expired", "unknown"] satisfies ExpectationProblem["kind"][]);

/** JSON Schema of a report, as it is published. */
export const reportSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Report of a conformance run",
  description: "Report that `conformance run` writes as report.json, and that runConformance returns.",
  ...record({
    version: describe("Version of this form.", { const: 1 }),
    suite: record({
      name: text,
      version: text,
      contract: describe("Version of the session API that the contract describes.", text),
    }),
    startedAt: { ...text, format: "date-time" },
    durationMs: count,
    verdict: describe(
      "conforming: every stated check that could be judged holds. not-conforming: a stated check failed. unfinished: none failed, but some could not be judged for a fault that is not the target's. nothing-checked: no check was judged.",
      enumerate(verdicts),
    ),
    sentence: describe("The verdict as one sentence.", text),
    exitCode: enumerate([0, 1, 2, 3]),
    target,
    run: describe("Options and statistics of the run.", run),
    expectationProblems: describe(
      "Problems of the expected failures; each fails the run.",
      list(record({ id: text, kind: problemKind, sentence: text })),
    ),
    summary,
    checks: describe("Every check that was selected.", list(check)),
    "readings?": describe(
      "Values of the readings that the run used, and the verdict under the other values.",
      list(reading),
    ),
    observations: describe(
      "Recorded behaviour that the interface leaves open. Never judged.",
      list(record({ id: text, text, operation: text, values: list(text, notEmpty), exchanges: list(text, notEmpty) })),
    ),
    requirements: list(requirement),
    exchanges: describe("Every request and response, without secrets; bodies are shortened.", list(exchange)),
  }),
  $defs: {
    level: enumerate(["stated", "assumed"] satisfies Level[]),
    status: describe(
      "pass: judged, and it holds. fail: the target's fault. error: the suite's, the network's or the setup's fault. skip: not judged, and never counted as passed.",
      enumerate(["pass", "fail", "error", "skip"] satisfies Status[]),
    ),
    counts: record({ pass: count, fail: count, error: count, skip: count }),
    headers: list(pair(text)),
  },
};
