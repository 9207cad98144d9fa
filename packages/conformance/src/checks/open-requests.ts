import type { Probe } from "../check.ts";
import type { Credentials } from "../credentials.ts";
import { header, type Exchange } from "../exchange.ts";
import type { Operation, RequestPlan } from "../request-plan.ts";
import { scrapeProbe } from "./scrape-probe.ts";

/** What is recorded of one request whose answer the interface leaves open. Source: ours. */
export interface OpenRequest {
  /** Id of the row in the second list of `requirements.yaml`. */
  readonly row: string;
  /** What is sent, in words: it stands before the answer in the report. */
  readonly what: string;
  /** The request. */
  readonly probe: Probe;
}

const largeText = "x".repeat(66_000);

function scrape(row: string, name: string, what: string, options: Parameters<typeof scrapeProbe>[1]): OpenRequest {
  return { row, what, probe: scrapeProbe(`open-${name}`, options) };
}

/** Values that a lenient server reads as ones of the right type, and a strict one does not. */
const lenientValues: readonly (readonly [row: string, field: string, word: string, value: unknown])[] = [
  ["open.scrape.boolean-coercion", "scrape_links", "word-true", "true"],
  ["open.scrape.boolean-coercion", "scrape_links", "one", 1],
  ["open.scrape.boolean-coercion", "scrape_links", "yes", "yes"],
  ["open.scrape.string-coercion", "instructions", "number", 7],
  ["open.scrape.string-coercion", "instructions", "boolean", true],
  ["open.scrape.array-coercion", "ignored_tags", "string", "nav"],
  ["open.scrape.array-coercion", "ignored_tags", "number-inside", [7]],
  ["open.scrape.selector-without-match", "selector", "empty", ""],
  ["open.scrape.selector-without-match", "selector", "no-match", "#conformance-no-such-element"],
  ["open.scrape.response_format-not-a-schema", "response_format", "string", "a title"],
  ["open.scrape.response_format-not-a-schema", "response_format", "empty-object", {}],
];

const scrapes: readonly OpenRequest[] = [
  ...lenientValues.map(([row, field, word, value]) =>
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

function cookies(row: string, name: string, what: string, credentials: Credentials, slash = ""): OpenRequest {
  const request: Probe["request"] = ({ sessionId }) => ({
    method: "GET",
    path: `/sessions/${encodeURIComponent(sessionId)}/cookies${slash}`,
    credentials,
  });
  const operation: Operation = "session_cookies";
  return {
    row,
    what,
    probe: { id: `cookies/open-${name}`, operation, needs: ["judges-keys"], startsRun: false, request },
  };
}

function automation(
  row: string,
  name: string,
  what: string,
  plan: Pick<RequestPlan, "headers" | "body"> & { readonly credentials?: Credentials },
  needs: Probe["needs"] = ["reads-any-body"],
): OpenRequest {
  const request: Probe["request"] = () => ({
    method: "POST",
    path: "/api/automation/start",
    credentials: "key",
    ...plan,
  });
  const operation: Operation = "automation_start";
  return { row, what, probe: { id: `automation/open-${name}`, operation, needs, startsRun: false, request } };
}

const others: readonly OpenRequest[] = [
  cookies("open.http.header-case", "lower-scheme", "bearer in small letters", "key-lower-scheme"),
  cookies("open.http.trailing-slash", "trailing-slash", "a slash at the end", "key", "/"),
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

const all: readonly OpenRequest[] = [...scrapes, ...others];

/** Requests that are sent to be looked at, and judged by no check. Source: ours. */
export const openRequestProbes: readonly Probe[] = all.map(({ probe }) => probe);

/** What one answer shows: its status, and where a redirect leads. */
function answer({ response, failure }: Exchange): string {
  if (!response) return `no answer (${failure?.code ?? "unknown"})`;
  const location = header(response, "location");
  return location === undefined ? String(response.status) : `${response.status} to ${location}`;
}

const rows = new Set(all.map(({ row }) => row));

/** An observer for each row: what was sent, and what came. Source: ours. */
export const openRequestObservers: readonly {
  readonly id: string;
  readonly probes: readonly string[];
  readonly see: (exchange: Exchange) => readonly string[];
}[] = [...rows].map((row) => {
  const mine = new Map(all.flatMap((one) => (one.row === row ? [[one.probe.id, one.what]] : [])));
  return {
    id: row,
    probes: [...mine.keys()],
    see: (exchange) => [`${mine.get(exchange.id) ?? ""}: ${answer(exchange)}`],
  };
});
