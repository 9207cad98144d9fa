import { eventSchemas } from "../contract/contract.ts";
import { streamEvents, streamLines, terminalTypes, type ObservedEvent, type StreamLine } from "../http/event-stream.ts";
import { bodyText, firstBytes, isAnswerTo, mediaType, type Exchange } from "../http/exchange.ts";
import { isTimestamp } from "../contract/timestamp.ts";
import { isObject } from "../http/json.ts";
import { listExtraFields, nameType } from "./json-fields.ts";
import { describeScheme } from "./option-observers.ts";
import { observeEach, observePair, type Observer } from "../checks/observer.ts";

/** Describes in how many pieces the events of a stream came, and how long they took. */
function describeDelivery({ response }: Exchange, events: readonly ObservedEvent[]): string[] {
  const chunks = response?.chunks ?? [];
  const [first, last] = [chunks[0], chunks.at(-1)];
  if (!first || !last || events.length === 0) return [];
  const seconds = Math.round((last.atMs - first.atMs) / 1000);
  const took = seconds < 1 ? "within a second" : `over ${seconds} s`;
  const pieces =
    chunks.length === 1
      ? "one piece"
      : chunks.length < events.length
        ? "fewer pieces than events"
        : "as many pieces as events, or more";
  return [`${pieces}, ${took}`];
}

/** Returns which listed types came never, once, and more than once. */
function describeRepetitions(events: readonly ObservedEvent[]): string[] {
  if (events.length === 0) return [];
  return [...eventSchemas.keys()].map((type) => {
    const count = events.filter((event) => event.type === type).length;
    return `${type}: ${count === 0 ? "never" : count === 1 ? "once" : "more than once"}`;
  });
}

/** Describes, for each kind of deltas in a stream, whether each repeats the one before it, and whether any is empty. */
function describeDeltas(events: readonly ObservedEvent[]): string[] {
  return ["thinking_delta", "text_delta"].flatMap((type) => {
    const deltas = events.flatMap(({ type: name, object }) => {
      const delta = name === type ? object?.["delta"] : undefined;
      return typeof delta === "string" ? [delta] : [];
    });
    if (deltas.length === 0) return [];
    const grows = deltas.every((delta, at) => at === 0 || delta.startsWith(deltas[at - 1] ?? ""));
    const form =
      deltas.length === 1 ? "only one" : grows ? "each begins with the one before" : "pieces, in their order";
    return [`${type}: ${form}${deltas.includes("") ? ", an empty one among them" : ""}`];
  });
}

/** Returns whether the answer is a stream that can be read. */
function isStream(exchange: Exchange): boolean {
  const { response } = exchange;
  return isAnswerTo("automation_start", exchange) && response?.status === 200 && response.undecoded === undefined;
}

function listLines(exchange: Exchange): StreamLine[] {
  return exchange.response && isStream(exchange) ? streamLines(bodyText(exchange.response)) : [];
}

const listEvents = (exchange: Exchange): ObservedEvent[] => streamEvents(listLines(exchange));

function observeLines(id: string, see: (lines: readonly StreamLine[]) => readonly string[]): Observer {
  return observeEach(id, (exchange) => see(listLines(exchange)));
}

function observeStreams(id: string, see: (events: readonly ObservedEvent[]) => readonly string[]): Observer {
  return observeEach(id, (exchange) => (isStream(exchange) ? see(listEvents(exchange)) : []));
}

function observeEvents(id: string, see: (event: ObservedEvent, type: string) => readonly string[]): Observer {
  return observeStreams(id, (events) =>
    events.flatMap((event) => (event.type === undefined ? [] : see(event, event.type))),
  );
}

/** Observes the events of one type. */
function observeEventsOfType(id: string, type: string, see: (event: ObservedEvent) => readonly string[]): Observer {
  return observeEvents(id, (event) => (event.type === type ? see(event) : []));
}

/** Observes the different values of one field in the events of one type. */
function observeValues(id: string, type: string, field: string): Observer {
  return observeEventsOfType(id, type, ({ object }) => [JSON.stringify(object?.[field]) ?? "absent"]);
}

/** Observes the JSON types of a field, for values that are long or private. */
function observeTypes(id: string, type: string, field: string): Observer {
  return observeEventsOfType(id, type, ({ object }) => [nameType(object?.[field])]);
}

/** Joins values in order, without consecutive repetitions. */
function joinChanges(values: readonly string[]): string[] {
  const changes = values.filter((value, at) => value !== values[at - 1]);
  return changes.length === 0 ? [] : [changes.join(" → ")];
}

/** Counts the blank lines after each event; the last one is listed separately. */
function countBlankLines(lines: readonly StreamLine[]): string[] {
  const events = lines.flatMap((line, at) => (line.kind === "data" ? [at] : []));
  return events.map((at, number) => {
    const end = events[number + 1] ?? lines.length;
    const blank = lines.slice(at + 1, end).filter(({ kind }) => kind === "blank").length;
    const count = `${blank} blank ${blank === 1 ? "line" : "lines"}`;
    return `${number === events.length - 1 ? "after the last event" : "between events"}: ${count}`;
  });
}

/** Counts the comment lines of a stream, and describes its longest silence. */
function countComments(exchange: Exchange): string[] {
  const lines = listLines(exchange);
  if (lines.length === 0) return [];
  const count = lines.filter(({ kind }) => kind === "comment").length;
  return [
    `${count === 0 ? "no" : count} comment ${count === 1 ? "line" : "lines"}; longest silence ${describeSilence(exchange)}`,
  ];
}

/** Returns the fields of events that the contract names. */
function listDescribedFields(type: string, event: ObservedEvent): string[] {
  const schema = eventSchemas.get(type);
  if (schema === undefined || !event.object) return [];
  const extra = new Set(listExtraFields(event.object, schema, []));
  return Object.keys(event.object).filter((name) => name !== "type" && !extra.has(name));
}

function listOtherFields(type: string, event: ObservedEvent): string[] {
  const schema = eventSchemas.get(type);
  return schema === undefined || !event.object ? [] : listExtraFields(event.object, schema, []);
}

/** Rounds a time to a coarse step, such as a second or a minute. */
function roundTime(ms: number): string {
  const steps = [100, 1_000, 10_000, 60_000, 300_000];
  const step = steps.find((limit) => ms < limit);
  return step === undefined ? "more than 5 minutes" : `less than ${step < 1_000 ? `${step} ms` : `${step / 1_000} s`}`;
}

/** Returns the time at which the chunk came that ends with or holds the terminal event, in milliseconds; undefined without one. */
function findTerminalMs({ response }: Exchange, events: readonly ObservedEvent[]): number | undefined {
  const terminal = events.find(({ type }) => terminalTypes.has(type ?? ""));
  if (!response || !terminal) return undefined;
  let text = "";
  const decoder = new TextDecoder();
  for (const { bytes, atMs } of response.chunks) {
    text += decoder.decode(bytes, { stream: true });
    if (text.includes(terminal.text)) return atMs;
  }
  return undefined;
}

function describeSocket(exchange: Exchange): string[] {
  if (!isStream(exchange)) return [];
  const terminalMs = findTerminalMs(exchange, listEvents(exchange));
  if (terminalMs === undefined) return [];
  const open = exchange.response?.end === "still-open";
  return [open ? "still open when the suite gave up" : roundTime(exchange.durationMs - terminalMs)];
}

/** Returns the longest time between two chunks of a stream, or before the first; roughly. */
function describeSilence({ response }: Exchange): string {
  const times = response?.chunks.map(({ atMs }) => atMs) ?? [];
  return roundTime(times.reduce((longest, atMs, at) => Math.max(longest, atMs - (times[at - 1] ?? 0)), 0));
}

function describeDurations(exchange: Exchange): string[] {
  if (exchange.response === undefined || exchange.response.chunks.length === 0) return [];
  return [`lasted ${roundTime(exchange.durationMs)}; longest silence ${describeSilence(exchange)}`];
}

function describeByteOrderMark({ response }: Exchange): string[] {
  if (!response || mediaType(response) !== "text/event-stream") return [];
  const bytes = firstBytes(response, 3);
  if (bytes.length === 0) return [];
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return [mark ? "begins with a byte order mark" : "begins without a byte order mark"];
}

/** Describes the version digit and the letter case of an identifier in UUID form. */
function describeUuid(value: unknown): string[] {
  if (typeof value !== "string") return [];
  const [, version] = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(value) ?? [];
  if (version === undefined) return [];
  const letters = value.replaceAll(/[^a-f]/gi, "");
  const letterCase = letters === letters.toLowerCase() ? "lower case" : "upper case";
  return [`version ${version.toLowerCase()}, ${letterCase}`];
}

function listIdentifiers({ object }: ObservedEvent): unknown[] {
  const metadata = object?.["metadata"];
  const hasThread = isObject(metadata) && Object.hasOwn(metadata, "thread_id");
  return [object?.["function_id"], hasThread ? metadata["thread_id"] : undefined];
}

function compareFunctionIds(events: readonly ObservedEvent[]): string[] {
  const findId = (type: string): unknown => events.find((event) => event.type === type)?.object?.["function_id"];
  const [uploaded, done] = [findId("function_uploaded"), findId("done")];
  if (uploaded === undefined && done === undefined) return [];
  if (uploaded === undefined || done === undefined)
    return [`only in ${uploaded === undefined ? "done" : "function_uploaded"}`];
  return [uploaded === done ? "in both events, and equal" : "in both events, and not equal"];
}

/** Describes the address of a viewer, without showing it. */
function describeViewer(value: unknown): string[] {
  if (typeof value !== "string") return [nameType(value)];
  return [`${describeScheme(value)}, ${value.includes("?") ? "with" : "without"} a query`];
}

/** Returns which identifiers two runs of one task share. */
function compareRuns(one: Exchange, other: Exchange): string[] {
  const [before, after] = [one, other].map((exchange) => {
    const done = isStream(exchange) ? listEvents(exchange).find(({ type }) => type === "done") : undefined;
    return done ? listIdentifiers(done) : undefined;
  });
  if (!before || !after) return [];
  return ["function_id", "thread_id"].map((name, at) => {
    if (before[at] === undefined || after[at] === undefined) return `${name}: not in both runs`;
    return `${name}: ${before[at] === after[at] ? "the same" : "another"} in the second run`;
  });
}

function describeCost({ object }: ObservedEvent): string[] {
  const cost = object?.["total_cost_usd"];
  if (typeof cost !== "number") return [];
  const sign = cost === 0 ? "zero" : cost < 0 ? "negative" : "positive";
  const [, decimals = ""] = /\.(\d+)/.exec(String(cost)) ?? [];
  return [`${sign}, ${decimals.length} decimals`];
}

function describeNotation(value: unknown): string[] {
  if (typeof value !== "string") return [nameType(value)];
  return [isTimestamp(value) ? "a timestamp with offset" : "a string of another form"];
}

/** Observers of what the interface leaves open about the stream and its events. */
export const streamObservers: readonly Observer[] = [
  observeStreams("open.stream.first-event", (events) => events.slice(0, 1).map(({ type }) => type ?? "none")),
  observeValues("open.stream.status-values", "status", "status"),
  observeStreams("open.stream.status-moves", (events) =>
    joinChanges(
      events.flatMap(({ type, object }) => (type === "status" ? [JSON.stringify(object?.["status"]) ?? "absent"] : [])),
    ),
  ),
  observeStreams("open.stream.event-order", (events) => joinChanges(events.map(({ type }) => type ?? "none"))),
  observeEach("open.stream.socket-after-terminal", describeSocket),
  observeEach("open.limits.stream-duration", (exchange) => (isStream(exchange) ? describeDurations(exchange) : [])),
  observeEach("open.stream.byte-order-mark", (exchange) => (isStream(exchange) ? describeByteOrderMark(exchange) : [])),
  observeLines("open.stream.blank-line", countBlankLines),
  observeLines("open.stream.line-end", (lines) => lines.map((line) => line.end)),
  observeEach("open.stream.comments", countComments),
  observeEach("open.stream.delivery", (exchange) =>
    isStream(exchange) ? describeDelivery(exchange, listEvents(exchange)) : [],
  ),
  observeStreams("open.stream.repeated-types", describeRepetitions),
  observeStreams("open.event.delta-composition", describeDeltas),
  observeLines("open.stream.other-fields", (lines) =>
    lines.flatMap((line) => (line.kind === "field" ? [line.text.split(":", 1)[0] ?? ""] : [])),
  ),
  observeValues("open.event.role-values", "message_complete", "role"),
  observeValues("open.event.tool-names", "tool_start", "name"),
  observeEventsOfType("open.event.viewer_url-form", "notte_session_data", ({ object }) =>
    describeViewer(object?.["viewer_url"]),
  ),
  observeEventsOfType("open.event.metadata-fields", "done", ({ object }) => {
    const metadata = object?.["metadata"];
    if (!isObject(metadata)) return [];
    const others = Object.keys(metadata).filter((name) => name !== "thread_id");
    return [others.sort().join(", ") || "no other"];
  }),
  observeEvents("open.limits.cost-of-other-ends", ({ object }, type) => {
    if (!terminalTypes.has(type) || type === "done") return [];
    return [`${type}: ${object && Object.hasOwn(object, "total_cost_usd") ? "with a cost" : "without a cost"}`];
  }),
  observePair("open.automation.same-query-again", ["automation/run", "automation/run-again"], compareRuns),
  observeValues("open.event.timeout-reason-values", "timeout", "reason"),
  observeValues("open.event.cancelled-reason-values", "cancelled", "reason"),
  observeValues("open.event.error-values", "error", "error"),
  observeTypes("open.event.content-type", "tool_result", "content"),
  observeTypes("open.event.error-detail-values", "error", "detail"),
  observeTypes("open.event.timeout-detail-values", "timeout", "detail"),
  observeEvents("open.event.other-fields", (event, type) =>
    listOtherFields(type, event).map((name) => `${type}: ${name}`),
  ),
  observeEvents("open.event.null-key-field", (event, type) =>
    listDescribedFields(type, event)
      .filter((name) => event.object?.[name] === null)
      .map((name) => `${type}: ${name}`),
  ),
  observeStreams("open.event.function_id-equality", compareFunctionIds),
  observeEventsOfType("open.event.negative-cost", "done", describeCost),
  observeEventsOfType("open.function.record", "function_uploaded", (event) =>
    listOtherFields("function_uploaded", event),
  ),
  observeEventsOfType("open.function.created_at-form", "function_uploaded", ({ object }) =>
    describeNotation(object?.["created_at"]),
  ),
  observeEvents("open.identifier.uuid-version", (event) => listIdentifiers(event).flatMap(describeUuid)),
];
