import type { Probe } from "./check.ts";
import type { Operation, RequestPlan } from "./request-plan.ts";
import { openRequestObservers } from "./checks/open-requests.ts";
import { runProbeIds } from "./checks/automation.ts";
import { withoutCookieValues } from "./cookie-values.ts";
import { streamEvents, streamLines, type StreamEvent, type StreamLine } from "./event-stream.ts";
import { bodyText, header, jsonAnswer, type Exchange } from "./exchange.ts";
import { withPageObservers } from "./pages/page-observers.ts";
import type { Redact } from "./redact.ts";
import type { Observation } from "./report.ts";
import type { Unspecified } from "./requirements.ts";
import type { Target } from "./target.ts";

/** What is looked at for one row of the second list of `requirements.yaml`. */
interface Observer {
  /** Id of the row. */
  readonly id: string;
  /** Ids of the probes whose exchanges are looked at. */
  readonly probes: readonly string[];
  /** What one exchange shows; nothing when it shows nothing. */
  readonly see: (exchange: Exchange) => readonly string[];
}

/** No server can know this session: the identifier is made for this purpose. */
const unknownSession = "00000000-0000-4000-8000-000000000000";

function unknownSessionProbe(
  word: string,
  operation: Operation,
  plan: Pick<RequestPlan, "method" | "body">,
  rest: string,
): Probe {
  return {
    id: `${word}/unknown-session`,
    operation,
    needs: ["knows-sessions"],
    startsRun: false,
    request: () => ({ ...plan, path: `/sessions/${unknownSession}/${rest}`, credentials: "key" }),
  };
}

/** Requests that are sent to be looked at, and judged by no check. Source: ours. */
export const observationProbes: readonly Probe[] = [
  unknownSessionProbe("scrape", "page_scrape", { method: "POST", body: "{}" }, "page/scrape"),
  unknownSessionProbe("cookies", "session_cookies", { method: "GET" }, "cookies"),
  unknownSessionProbe("replay", "session_replay", { method: "GET" }, "replay"),
  {
    id: "scrape/with-broken-json",
    operation: "page_scrape",
    needs: ["reads-any-body"],
    startsRun: false,
    request: ({ sessionId }) => ({
      method: "POST",
      path: `/sessions/${encodeURIComponent(sessionId)}/page/scrape`,
      credentials: "key",
      body: '{"selector": ',
    }),
  },
];

const sessionWords = ["scrape", "cookies", "replay"];
const each = (name: string): string[] => sessionWords.map((word) => `${word}/${name}`);

/** Status and media type, such as `404 application/json`. */
function statusAndType(exchange: Exchange): string[] {
  const { response } = exchange;
  if (!response) return [];
  return [`${response.status} ${header(response, "content-type") ?? "without content-type"}`];
}

function contentType(exchange: Exchange): string[] {
  const { response } = exchange;
  return response ? [header(response, "content-type") ?? "none"] : [];
}

function lines(exchange: Exchange): StreamLine[] {
  const { response } = exchange;
  return response?.status === 200 ? streamLines(bodyText(response)) : [];
}

/** The different values of one field in the events of one type. */
function eventValues(type: string, field: string): (exchange: Exchange) => string[] {
  return (exchange) => ofType(exchange, type).map((event) => JSON.stringify(event.object?.[field]) ?? "absent");
}

/** The different JSON types of one field in the events of one type: for values that are long, or nobody's business. */
function eventValueTypes(type: string, field: string): (exchange: Exchange) => string[] {
  return (exchange) => ofType(exchange, type).map((event) => typeName(event.object?.[field]));
}

function ofType(exchange: Exchange, type: string): StreamEvent[] {
  return streamEvents(lines(exchange)).filter((event) => event.type === type);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function cookies(exchange: Exchange): Record<string, unknown>[] {
  const body = jsonAnswer(exchange, 200);
  const list: unknown = "value" in body && isObject(body.value) ? body.value["cookies"] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function blankLines(exchange: Exchange): string[] {
  const all = lines(exchange);
  return all.flatMap((line, at) => (line.kind === "data" ? [all[at + 1]?.kind === "blank" ? "yes" : "no"] : []));
}

/** A field of a scrape that was not asked for it: `null`, `absent`, or its type. */
function unasked(field: string): (exchange: Exchange) => string[] {
  return (exchange) => {
    const body = jsonAnswer(exchange, 200);
    if (!("value" in body) || !isObject(body.value)) return [];
    return [Object.hasOwn(body.value, field) ? typeName(body.value[field]) : "absent"];
  };
}

function timeUnit(field: string): (exchange: Exchange) => string[] {
  return (exchange) =>
    cookies(exchange).flatMap((cookie) => {
      const value = cookie[field];
      if (typeof value !== "number") return [];
      if (value <= 0) return ["zero or less"];
      return [`${value > 1e11 ? "as large as milliseconds" : "as large as seconds"} since 1970`];
    });
}

const mock = (word: string, names: readonly string[]): string[] => names.map((name) => `${word}/${name}`);
const cookieProbes = mock("cookies", ["read", "example-typical", "example-complete"]);

const observers: readonly Observer[] = withPageObservers([
  { id: "open.session.status-when-unknown", probes: each("unknown-session"), see: statusAndType },
  { id: "open.session.status-without-credentials", probes: each("without-key"), see: statusAndType },
  { id: "open.session.status-with-invalid-credentials", probes: each("with-wrong-key"), see: statusAndType },
  { id: "open.scrape.malformed-json", probes: ["scrape/with-broken-json"], see: statusAndType },
  { id: "open.http.session-content-type", probes: ["cookies/read", "replay/read"], see: contentType },
  { id: "open.scrape.images-null-or-absent", probes: ["scrape/defaults"], see: unasked("images") },
  { id: "open.scrape.structured-null-or-absent", probes: ["scrape/defaults"], see: unasked("structured") },
  {
    id: "open.cookies.required-fields",
    probes: cookieProbes,
    see: (exchange) => cookies(exchange).map((cookie) => Object.keys(cookie).sort().join(", ")),
  },
  {
    id: "open.cookies.sameSite-values",
    probes: cookieProbes,
    see: (exchange) =>
      cookies(exchange).map(({ sameSite }) => {
        const json = JSON.stringify(sameSite);
        return json === undefined ? "absent" : withoutCookieValues(json, ["cookies", "*", "sameSite"]);
      }),
  },
  { id: "open.cookies.expirationDate-unit", probes: cookieProbes, see: timeUnit("expirationDate") },
  { id: "open.cookies.expires-unit", probes: cookieProbes, see: timeUnit("expires") },
  {
    id: "open.replay.error-responses",
    probes: ["replay/read"],
    see: (exchange) => (exchange.response?.status === 200 ? [] : statusAndType(exchange)),
  },
  {
    id: "open.automation.error-bodies",
    probes: mock("automation", ["without-key", "with-wrong-key", "without-query", "with-broken-json"]),
    see: statusAndType,
  },
  {
    id: "open.stream.first-event",
    probes: runProbeIds,
    see: (exchange) =>
      streamEvents(lines(exchange))
        .slice(0, 1)
        .map((event) => event.type ?? "none"),
  },
  { id: "open.stream.status-values", probes: runProbeIds, see: eventValues("status", "status") },
  { id: "open.event.role-values", probes: runProbeIds, see: eventValues("message_complete", "role") },
  { id: "open.event.timeout-reason-values", probes: runProbeIds, see: eventValues("timeout", "reason") },
  { id: "open.event.cancelled-reason-values", probes: runProbeIds, see: eventValues("cancelled", "reason") },
  { id: "open.event.error-values", probes: runProbeIds, see: eventValues("error", "error") },
  { id: "open.event.content-type", probes: runProbeIds, see: eventValueTypes("tool_result", "content") },
  { id: "open.event.error-detail-values", probes: runProbeIds, see: eventValueTypes("error", "detail") },
  { id: "open.event.timeout-detail-values", probes: runProbeIds, see: eventValueTypes("timeout", "detail") },
  { id: "open.stream.blank-line", probes: runProbeIds, see: blankLines },
  { id: "open.stream.line-end", probes: runProbeIds, see: (exchange) => lines(exchange).map((line) => line.end) },
  {
    id: "open.stream.comments",
    probes: runProbeIds,
    see: (exchange) => [lines(exchange).some((line) => line.kind === "comment") ? "yes" : "no"],
  },
  {
    id: "open.stream.other-fields",
    probes: runProbeIds,
    see: (exchange) =>
      lines(exchange).flatMap((line) => (line.kind === "field" ? [line.text.split(":", 1)[0] ?? ""] : [])),
  },
  ...openRequestObservers,
]);

/** Ids of the rows that a run can record something about. Source: ours. */
export const observedRows: readonly string[] = observers.map((observer) => observer.id);

/** Most different values that a report lists for one row. */
const valueLimit = 20;
/** Longest value that a report lists, in UTF-16 units. */
const lengthLimit = 200;

/**
 * Collects what the exchanges show of everything that the interface leaves open. A mock is asked only for what a mock
 * can show: the rest would tell of our own examples.
 *
 * Source: ours.
 */
export function observe(
  exchanges: readonly Exchange[],
  rows: readonly Unspecified[],
  kind: Target["kind"],
  redact: Redact,
): Observation[] {
  return observers.flatMap((observer) => {
    const row = rows.find(({ id, observable }) => id === observer.id && (kind === "live" || observable === "mock"));
    const looked = exchanges.filter((exchange) => observer.probes.includes(exchange.id));
    const seen = looked.map((exchange) => ({ exchange, values: observer.see(exchange) }));
    const values = seen.flatMap(({ exchange, values: all }) => all.map((value) => redact(value, exchange.operation)));
    if (!row || values.length === 0) return [];
    const { id, text, operation } = row;
    const shown = [...new Set(values)].slice(0, valueLimit).map((value) => value.slice(0, lengthLimit));
    return [
      {
        id,
        text,
        operation,
        values: shown,
        exchanges: seen.filter(({ values: all }) => all.length > 0).map(({ exchange }) => exchange.id),
      },
    ];
  });
}
