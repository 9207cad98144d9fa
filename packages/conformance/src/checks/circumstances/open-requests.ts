import type { Probe } from "../../http/probe.ts";
import { header, type Exchange } from "../../http/exchange.ts";
import { ofProbes, type Observer } from "../observer.ts";
import { scrapeFields } from "../../contract/request-fields.ts";
import type { Operation } from "../../contract/contract.ts";
import type { RequestPlan } from "../../http/request-plan.ts";
import type { Target } from "../../target/target.ts";
import { everyOptionalHeader, scrapeProbe } from "../scrape/scrape-probe.ts";

/** One request whose answer the interface leaves open, and the row that its answer is recorded for. */
export interface OpenRequest {
  /** Id of the row in the second list of `requirements.yaml`. */
  readonly row: string;
  /** The request in words; the report shows it before the answer. */
  readonly what: string;
  /** The request. */
  readonly probe: Probe;
}

const largeText = "x".repeat(66_000);

function scrape(row: string, name: string, what: string, options: Parameters<typeof scrapeProbe>[1]): OpenRequest {
  return { row, what, probe: scrapeProbe(`open-${name}`, { ...options, expects: "open" }) };
}

type OpenValue = readonly [row: string, field: string, word: string, value: unknown];

/** The row about lenient readings of the fields of each type. */
const coercions: Readonly<Record<string, string>> = {
  boolean: "open.scrape.boolean-coercion",
  string: "open.scrape.string-coercion",
  array: "open.scrape.array-coercion",
};

/** Values that a lenient server reads as ones of the right type, and a strict one does not: the fields of a type take turns. */
const lenientValues: readonly OpenValue[] = Object.entries(coercions).flatMap(([type, row]) => {
  const fields = scrapeFields.filter((field) => field.type === type);
  const words = fields[0]?.open.map(({ word }) => word).slice(0, 2) ?? [];
  return words.flatMap((word, at): OpenValue[] => {
    const field = fields[at % fields.length];
    const value = field?.open.find((one) => one.word === word);
    return field && value ? [[row, field.name, word, value.value]] : [];
  });
});

/** Values whose acceptance is left open for other reasons than their type. */
const openValues: readonly OpenValue[] = [
  ["open.scrape.array-coercion", "ignored_tags", "number-inside", [7]],
  ["open.scrape.selector-without-match", "selector", "empty", ""],
  ["open.scrape.selector-without-match", "selector", "no-match", "#conformance-no-such-element"],
  ["open.scrape.selector-without-match", "selector", "no-selector", "body >> ]["],
  ["open.scrape.selector-without-match", "selector", "everything", "*"],
  ["open.scrape.selector-without-match", "selector", "xpath", "xpath=//body"],
  ["open.scrape.response_format-not-a-schema", "response_format", "string", "a title"],
  ["open.scrape.response_format-not-a-schema", "response_format", "false", false],
  ["open.scrape.response_format-not-a-schema", "response_format", "array", []],
  ["open.scrape.response_format-not-a-schema", "response_format", "empty-object", {}],
];

const scrapes: readonly OpenRequest[] = [
  ...[...lenientValues, ...openValues].map(([row, field, word, value]) =>
    scrape(row, `${field}-${word}`, `\`${field}\`: ${JSON.stringify(value)}`, { members: [[field, value]] }),
  ),
  scrape("open.scrape.duplicate-members", "duplicate-member", "`scrape_links`: {}, then true", {
    body: '{"scrape_links":{},"scrape_links":true}',
  }),
  scrape("open.scrape.request-media-type", "media-type-text", "text/plain", {
    headers: { "content-type": "text/plain" },
    needs: ["open-session", "reads-any-body"],
  }),
  scrape("open.scrape.request-media-type", "media-type-charset", "application/json; charset=utf-8", {
    headers: { "content-type": "application/json; charset=utf-8" },
  }),
  scrape("open.scrape.null-header", "empty-header", "an empty x-service-request-origin", {
    headers: { "x-service-request-origin": "" },
  }),
  scrape("open.scrape.validation-order", "no-key-and-unknown", "no key, and an unknown property", {
    members: [["conformance_unknown", true]],
    credentials: "none",
  }),
  scrape("open.http.unknown-query-parameters", "query-parameter", "?conformance_unknown=1", {
    query: "?conformance_unknown=1",
  }),
  scrape("open.limits.payload-size", "large-instructions", "66,000 characters of `instructions`", {
    members: [["instructions", largeText]],
  }),
];

const sessionPaths = {
  scrape: { operation: "page_scrape", rest: "page/scrape" },
  cookies: { operation: "session_cookies", rest: "cookies" },
  replay: { operation: "session_replay", rest: "replay" },
} as const;

/** A request to a session-scoped operation that is odd in its method, path, headers or body. */
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
    path: `/sessions/${encodeURIComponent(id ?? sessionOf(word, target))}/${rest}${slash}`,
    credentials: "key",
    ...odd,
  });
  return {
    row,
    what,
    probe: { id: `${word}/open-${name}`, operation, needs, expects: "open", startsRun: false, request },
  };
}

function sessionOf(word: keyof typeof sessionPaths, { sessionId, endedSessionId }: Target): string {
  return word === "replay" ? endedSessionId : sessionId;
}

/** One method for each operation: what a target does with it is seldom a matter of the operation. */
const methods = { scrape: "OPTIONS", cookies: "HEAD", replay: "HEAD" } as const;
const methodRequests = (["scrape", "cookies", "replay"] as const).map((word) => {
  const method = methods[word];
  return session("open.http.head-and-options", word, method.toLowerCase(), `${method} ${word}`, { method }, [
    "knows-sessions",
  ]);
});

const oddIds: readonly (readonly [name: string, what: string, id: string])[] = [
  ["very-long-id", "an id of 300 characters", "a".repeat(300)],
  ["worded-id", "an id that is not a UUID", "conformance-no-such-session"],
];

const sessionRequests: readonly OpenRequest[] = [
  session("open.http.header-case", "cookies", "lower-scheme", "bearer in small letters", {
    credentials: "key-lower-scheme",
  }),
  session("open.http.trailing-slash", "cookies", "trailing-slash", "a slash at the end", { slash: "/" }),
  session("open.cookies.extra-headers", "cookies", "extra-headers", "the optional headers of the scrape", {
    headers: everyOptionalHeader,
  }),
  session("open.http.get-body", "replay", "with-body", "replay with a JSON body", { body: "{}" }),
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

/** A request for the other of the two sessions: a replay of the open one, cookies and a scrape of the one that has ended. */
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
  plan: Pick<RequestPlan, "headers" | "body"> & { readonly credentials?: RequestPlan["credentials"] },
  needs: Probe["needs"] = ["reads-any-body"],
): OpenRequest {
  const request: Probe["request"] = () => ({
    method: "POST",
    path: "/api/automation/start",
    credentials: "key",
    ...plan,
  });
  const operation: Operation = "automation_start";
  return {
    row,
    what,
    probe: { id: `automation/open-${name}`, operation, needs, expects: "open", startsRun: false, request },
  };
}

const others: readonly OpenRequest[] = [
  automation("open.automation.empty-body", "no-body", "no body", {}),
  automation("open.automation.empty-body", "empty-body", "an empty body", { body: "" }),
  automation("open.automation.empty-body", "array-body", "[]", { body: "[]" }),
  automation("open.automation.missing-content-type", "media-type-text", "text/plain, without `query`", {
    headers: { "content-type": "text/plain" },
    body: "{}",
  }),
  automation("open.automation.error-order", "no-key-and-no-query", "no key, and no `query`", {
    credentials: "none",
    body: "{}",
  }),
];

/**
 * Requests that a lenient target answers with a run, and bills: they come after the runs that are judged, and only while
 * the budget of runs has room for them.
 */
const runRows: readonly (readonly [
  row: string,
  name: string,
  what: string,
  more: Readonly<Record<string, unknown>>,
])[] = [
  [
    "open.automation.unknown-property",
    "unknown-property",
    "`query`, and an unknown property",
    { conformance_unknown: 1 },
  ],
  ["open.automation.empty-query", "empty-query", "an empty `query`", { query: "" }],
  ["open.automation.query-wrong-type", "number-query", "`query`: 7", { query: 7 }],
  ["open.automation.query-wrong-type", "null-query", "`query`: null", { query: null }],
  ["open.automation.query-wrong-type", "object-query", "`query`: {}", { query: {} }],
];

const runs: readonly OpenRequest[] = runRows.map(([row, name, what, more]) => ({
  row,
  what,
  probe: {
    id: `automation/open-${name}`,
    operation: "automation_start",
    needs: ["automation-runs", "reads-any-body"],
    expects: "open",
    startsRun: true,
    request: ({ query }) => ({
      method: "POST",
      path: "/api/automation/start",
      credentials: "key",
      body: JSON.stringify({ query, ...more }),
    }),
  },
}));

const free: readonly OpenRequest[] = [...scrapes, ...sessionRequests, ...others];
const all: readonly OpenRequest[] = [...free, ...runs];

/** Requests that are only observed; no check judges them but the general rules. */
export const openRequestProbes: readonly Probe[] = free.map(({ probe }) => probe);

/** Ids of those of one operation that start no billed run. */
export const openProbeIdsOf = (operation: Operation): string[] =>
  openRequestProbes.flatMap((probe) => (probe.operation === operation ? probe.id : []));

/** Ids of the scrapes with a value that only a lenient server converts to the type of its field. */
export const conversionProbeIds: readonly string[] = free.flatMap(({ row, probe }) =>
  Object.values(coercions).includes(row) ? [probe.id] : [],
);

/** Those of them that may start a billed run. */
export const openRunProbes: readonly Probe[] = runs.map(({ probe }) => probe);

/** Describes one answer: its status, the target of a redirect, and the methods in `Allow`. */
function answer({ response, failure }: Exchange): string {
  if (!response) return `no answer (${failure?.code ?? "unknown"})`;
  const location = header(response, "location");
  const allow = header(response, "allow");
  const status = location === undefined ? String(response.status) : `${response.status} to ${location}`;
  return allow === undefined ? status : `${status}, allow: ${allow}`;
}

/** Observers that record each of these requests with its answer. */
export const openRequestObservers: readonly Observer[] = all.map(({ row, what, probe }) =>
  ofProbes(row, [probe.id], (exchange) => [`${what}: ${answer(exchange)}`]),
);
