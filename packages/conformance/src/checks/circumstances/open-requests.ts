import type { Probe } from "../../http/probe.ts";
import type { Exchange } from "../../http/exchange.ts";
import { observeProbes, type Observer } from "../observer.ts";
import type { Operation } from "../../contract/contract.ts";
import { formatSessionPath, planStart, type RequestPlan } from "../../http/request-plan.ts";
import type { Target } from "../../target/target.ts";
import { everyOptionalHeader, makeScrapeProbe } from "../scrape/scrape-probe.ts";
import { extractionAnswer, markdownAnswer, describeAnswer } from "./open-answers.ts";

/** Fields of a page scrape, and values of them whose acceptance the interface leaves open. */

/** One value, and the row of the second list of `requirements.yaml` that its answer is recorded for. */
export type OpenValue = readonly [row: string, field: string, word: string, value: unknown];

/** Values of another type, which a lenient server converts, and a strict one does not: a number for each field, a list of one for each boolean, and others in turns. */
const convertibleValues: readonly OpenValue[] = [
  ["open.scrape.boolean-coercion", "scrape_links", "number", 7],
  ["open.scrape.boolean-coercion", "scrape_links", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "scrape_images", "number", 7],
  ["open.scrape.boolean-coercion", "scrape_images", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "scrape_images", "word-true", "TRUE"],
  ["open.scrape.boolean-coercion", "only_main_content", "number", 7],
  ["open.scrape.boolean-coercion", "only_main_content", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "only_main_content", "small-word-true", "true"],
  ["open.scrape.boolean-coercion", "only_images", "number", 7],
  ["open.scrape.boolean-coercion", "only_images", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "only_images", "small-word-true", "true"],
  ["open.scrape.boolean-coercion", "use_link_placeholders", "number", 7],
  ["open.scrape.boolean-coercion", "use_link_placeholders", "list-of-one", [true]],
  ["open.scrape.boolean-coercion", "use_link_placeholders", "one", 1],
  ["open.scrape.string-coercion", "selector", "number", 7],
  ["open.scrape.string-coercion", "selector", "fraction", 0.5],
  ["open.scrape.string-coercion", "instructions", "number", 7],
  ["open.scrape.string-coercion", "instructions", "boolean", true],
  ["open.scrape.array-coercion", "ignored_tags", "word", "nav"],
  ["open.scrape.array-coercion", "ignored_tags", "fraction", 0.5],
  ["open.scrape.array-coercion", "ignored_tags", "number-inside", [7]],
];

/** Values whose acceptance is left open for other reasons than their type. */
const oddValues: readonly OpenValue[] = [
  ["open.scrape.selector-without-match", "selector", "empty", ""],
  ["open.scrape.selector-without-match", "selector", "no-match", "#conformance-no-such-element"],
  ["open.scrape.selector-without-match", "selector", "no-selector", "body >> ]["],
  ["open.scrape.selector-without-match", "selector", "xpath", "xpath=//body"],
  ["open.scrape.response_format-not-a-schema", "response_format", "number", 7],
  ["open.scrape.response_format-not-a-schema", "response_format", "string", "a title"],
  ["open.scrape.response_format-not-a-schema", "response_format", "false", false],
  ["open.scrape.response_format-not-a-schema", "response_format", "array", []],
  ["open.scrape.response_format-not-a-schema", "response_format", "empty-object", {}],
];

/** One request whose answer the interface leaves open, and the row that its answer is recorded for. */
export interface OpenRequest {
  /** Id of the row in the second list of `requirements.yaml`. */
  readonly row: string;
  /** Description of the request; the report shows it before the answer. */
  readonly what: string;
  /** The request. */
  readonly probe: Probe;
}

const largeText = "x".repeat(66_000);

function scrape(row: string, name: string, what: string, options: Parameters<typeof makeScrapeProbe>[1]): OpenRequest {
  return { row, what, probe: makeScrapeProbe(`open-${name}`, { ...options, expects: "open" }) };
}

/** Describes an answer beyond its status, by the row of the request. */
const describers: Readonly<Record<string, (exchange: Exchange) => string>> = {
  "open.scrape.response_format-not-a-schema": extractionAnswer,
  "open.scrape.selector-without-match": markdownAnswer,
};

const scrapes: readonly OpenRequest[] = [
  ...[...convertibleValues, ...oddValues].map(([row, field, word, value]) =>
    scrape(row, `${field}-${word}`, `${field} of ${JSON.stringify(value)}`, { members: [[field, value]] }),
  ),
  scrape("open.scrape.duplicate-members", "duplicate-member", "scrape_links of {}, then of true", {
    body: '{"scrape_links":{},"scrape_links":true}',
  }),
  scrape("open.scrape.request-media-type", "media-type-text", "text/plain", {
    headers: { "content-type": "text/plain" },
    needs: ["open-session", "reads-any-body"],
  }),
  scrape("open.scrape.request-media-type", "media-type-charset", "application/json; charset=utf-8", {
    headers: { "content-type": "application/json; charset=utf-8" },
  }),
  scrape("open.scrape.request-media-type", "media-type-absent", "without Content-Type", {
    withoutMediaType: true,
    needs: ["open-session", "reads-any-body"],
  }),
  scrape("open.scrape.null-header", "empty-header", "an empty x-service-request-origin", {
    headers: { "x-service-request-origin": "" },
  }),
  scrape("open.scrape.null-header", "null-header", "the word null as x-service-request-origin", {
    headers: { "x-service-request-origin": "null" },
  }),
  scrape("open.scrape.validation-order", "no-key-and-unknown", "no key, and an unknown property", {
    members: [["conformance_unknown", true]],
    credentials: "none",
  }),
  ...["1", "True"].map((word) =>
    scrape("open.scrape.update_metadata-notation", `update_metadata-${word}`, `update_metadata of ${word}`, {
      query: `?update_metadata=${word}`,
    }),
  ),
  scrape("open.http.unknown-query-parameters", "query-parameter", "the parameter conformance_unknown", {
    query: "?conformance_unknown=1",
  }),
  scrape("open.limits.payload-size", "large-instructions", "instructions of 66,000 characters", {
    members: [["instructions", largeText]],
  }),
];

const sessionPaths = {
  scrape: { operation: "page_scrape", rest: "page/scrape" },
  cookies: { operation: "session_cookies", rest: "cookies" },
  replay: { operation: "session_replay", rest: "replay" },
} as const;

/** Makes a request to a session-scoped operation that is odd in its method, path, headers or body. */
function session(
  row: string,
  word: keyof typeof sessionPaths,
  name: string,
  what: string,
  plan: Partial<RequestPlan> & { readonly slash?: string; readonly id?: string },
  needs: Probe["needs"] = ["judges-keys"],
): OpenRequest {
  const { operation, rest } = sessionPaths[word];
  const { slash = "", id, ...odd } = plan;
  const request: Probe["request"] = (target) => ({
    method: "GET",
    path: `${formatSessionPath(id ?? formatSession(word, target), rest)}${slash}`,
    credentials: "key",
    ...odd,
  });
  return { row, what, probe: { id: `${word}/open-${name}`, operation, needs, expects: "open", request } };
}

function formatSession(word: keyof typeof sessionPaths, { sessionId, endedSessionId }: Target): string {
  return word === "replay" ? endedSessionId : sessionId;
}

/** One method for each operation: a target seldom treats a method differently from operation to operation. */
const methods = { scrape: "OPTIONS", cookies: "HEAD", replay: "HEAD" } as const;
const methodRequests = (["scrape", "cookies", "replay"] as const).map((word) => {
  const method = methods[word];
  return session("open.http.head-and-options", word, method.toLowerCase(), `${method} ${word}`, { method }, [
    "knows-sessions",
  ]);
});

const oddIds: readonly (readonly [name: string, what: string, id: string])[] = [
  ["very-long-id", "an id of 300 characters", "a".repeat(300)],
  ["worded-id", "an id of words, with spaces", "conformance no such session"],
];

/** Scrape of a session that does not exist. */
const unknownScrape = { method: "POST", id: "00000000-0000-4000-8000-000000000000" } as const;

const sessionRequests: readonly OpenRequest[] = [
  session("open.http.header-case", "cookies", "lower-scheme", "bearer in small letters", {
    credentials: "key-lower-scheme",
  }),
  session("open.http.trailing-slash", "cookies", "trailing-slash", "a slash at the end", { slash: "/" }),
  session("open.cookies.extra-headers", "cookies", "extra-headers", "the optional headers of the scrape", {
    headers: everyOptionalHeader,
  }),
  session("open.http.get-body", "cookies", "with-body", "cookies with a JSON body", { body: "{}" }),
  session("open.http.get-body", "replay", "with-body", "replay with a JSON body", { body: "{}" }),
  session("open.scrape.validation-order", "scrape", "no-key-and-no-session", "no key, and an unknown session", {
    ...unknownScrape,
    credentials: "none",
    body: "{}",
  }),
  session(
    "open.scrape.validation-order",
    "scrape",
    "no-session-and-unknown",
    "an unknown session, and an unknown property",
    { ...unknownScrape, body: '{"conformance_unknown":true}' },
    ["knows-sessions"],
  ),
  ...oddIds.map(([name, what, id]) =>
    session("open.cookies.422-cause", "cookies", name, what, { id }, ["knows-sessions"]),
  ),
  ...methodRequests,
  otherSession("open.replay.status-when-not-ready", "replay", "not-ended", "a session that is still open"),
  otherSession("open.session.states", "cookies", "ended", "the cookies of a session that has ended"),
  otherSession("open.session.states", "scrape", "ended", "a scrape in a session that has ended", {
    method: "POST",
    body: "{}",
  }),
];

/** Makes a request for the other one of the two sessions: a replay of the open one, cookies and a scrape of the one that has ended. */
function otherSession(
  row: string,
  word: keyof typeof sessionPaths,
  name: string,
  what: string,
  more: Pick<RequestPlan, "method" | "body"> = { method: "GET" },
): OpenRequest {
  const { probe } = session(row, word, name, what, more, ["open-session", "ended-session"]);
  const request: Probe["request"] = (target) =>
    probe.request({ ...target, sessionId: target.endedSessionId, endedSessionId: target.sessionId });
  return { row, what, probe: { ...probe, request } };
}

function automation(
  row: string,
  name: string,
  what: string,
  plan: Pick<RequestPlan, "headers" | "body" | "withoutMediaType"> & {
    readonly credentials?: RequestPlan["credentials"];
  },
): OpenRequest {
  const request: Probe["request"] = () => planStart(plan);
  const kind = { operation: "automation_start", needs: ["reads-any-body"], expects: "open" } as const;
  return { row, what, probe: { id: `automation/open-${name}`, ...kind, request } };
}

const others: readonly OpenRequest[] = [
  automation("open.automation.empty-body", "no-body", "no body", {}),
  automation("open.automation.empty-body", "empty-body", "an empty body", { body: "" }),
  automation("open.automation.empty-body", "array-body", "[]", { body: "[]" }),
  automation("open.automation.empty-body", "text-body", "a JSON text", { body: '"a task"' }),
  automation("open.automation.missing-content-type", "media-type-text", "{} as text/plain", {
    headers: { "content-type": "text/plain" },
    body: "{}",
  }),
  automation("open.automation.missing-content-type", "media-type-absent", "{} without Content-Type", {
    withoutMediaType: true,
    body: "{}",
  }),
  automation("open.automation.error-order", "no-key-and-no-query", "no key, and no query", {
    credentials: "none",
    body: "{}",
  }),
];

/** Requests that a lenient target answers with a billed run: they follow the judged runs, while the budget has room for them. */
const runRows: readonly (readonly [
  row: string,
  name: string,
  what: string,
  more: Readonly<Record<string, unknown>>,
  plan?: Pick<RequestPlan, "headers" | "withoutMediaType">,
])[] = [
  [
    "open.automation.unknown-property",
    "unknown-property",
    "query, and an unknown property",
    { conformance_unknown: 1 },
  ],
  ["open.automation.empty-query", "empty-query", "an empty query", { query: "" }],
  ["open.automation.query-wrong-type", "number-query", "query of 7", { query: 7 }],
  ["open.automation.query-wrong-type", "null-query", "query of null", { query: null }],
  ["open.automation.query-wrong-type", "object-query", "query of {}", { query: {} }],
  [
    "open.automation.missing-content-type",
    "query-without-media-type",
    "query, without Content-Type",
    {},
    { withoutMediaType: true },
  ],
  [
    "open.automation.missing-content-type",
    "query-as-text",
    "query, as text/plain",
    {},
    { headers: { "content-type": "text/plain" } },
  ],
];

const runs: readonly OpenRequest[] = runRows.map(([row, name, what, more, plan]) => ({
  row,
  what,
  probe: {
    id: `automation/open-${name}`,
    operation: "automation_start",
    needs: ["automation-runs", "reads-any-body"],
    expects: "open",
    startsRun: true,
    request: ({ query }) => planStart({ ...plan, body: JSON.stringify({ query, ...more }) }),
  },
}));

const free: readonly OpenRequest[] = [...scrapes, ...sessionRequests, ...others];
const all: readonly OpenRequest[] = [...free, ...runs];

/** Requests that are only observed; no check judges them but the general rules. */
export const openRequestProbes: readonly Probe[] = free.map(({ probe }) => probe);

/** Returns the ids of the open requests to one operation that start no billed run. */
export const listOpenProbeIds = (operation: Operation): string[] =>
  openRequestProbes.flatMap((probe) => (probe.operation === operation ? probe.id : []));

/** Ids of the scrapes with a value that only a lenient server converts to the type of its field. */
export const conversionProbeIds: readonly string[] = convertibleValues.map(
  ([, field, word]) => `scrape/open-${field}-${word}`,
);

/** Open requests that may start a billed run. */
export const openRunProbes: readonly Probe[] = runs.map(({ probe }) => probe);

/** Observers that record each of these requests with its answer. */
export const openRequestObservers: readonly Observer[] = all.map(({ row, what, probe }) =>
  observeProbes(row, [probe.id], (exchange) => [`${what}: ${(describers[row] ?? describeAnswer)(exchange)}`]),
);
