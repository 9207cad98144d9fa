import { eventSchemas } from "../contract/contract.ts";
import { streamEvents, streamLines, terminalTypes, type StreamEvent, type StreamLine } from "../http/event-stream.ts";
import { bodyText, firstBytes, isAnswerOf, mediaType, type Exchange } from "../http/exchange.ts";
import { isTimestamp } from "../contract/timestamp.ts";
import { extraFieldsOf, typeName } from "./json-fields.ts";
import { ofEach, type Observer } from "../checks/observer.ts";

/** Returns whether the answer is a stream that can be read. */
function isStream(exchange: Exchange): boolean {
  const { response } = exchange;
  return isAnswerOf("automation_start", exchange) && response?.status === 200 && response.undecoded === undefined;
}

function linesOf(exchange: Exchange): StreamLine[] {
  return exchange.response && isStream(exchange) ? streamLines(bodyText(exchange.response)) : [];
}

const eventsOf = (exchange: Exchange): StreamEvent[] => streamEvents(linesOf(exchange));

function ofLines(id: string, see: (lines: readonly StreamLine[]) => readonly string[]): Observer {
  return ofEach(id, (exchange) => see(linesOf(exchange)));
}

function ofStreams(id: string, see: (events: readonly StreamEvent[]) => readonly string[]): Observer {
  return ofEach(id, (exchange) => (isStream(exchange) ? see(eventsOf(exchange)) : []));
}

function ofEvents(id: string, see: (event: StreamEvent, type: string) => readonly string[]): Observer {
  return ofStreams(id, (events) => events.flatMap((event) => (event.type === undefined ? [] : see(event, event.type))));
}

/** The different values of one field in the events of one type. */
function ofValues(id: string, type: string, field: string): Observer {
  return ofEvents(id, (event) => (event.type === type ? [JSON.stringify(event.object?.[field]) ?? "absent"] : []));
}

/** Observes the JSON types of a field, for values that are long or private. */
function ofTypes(id: string, type: string, field: string): Observer {
  return ofEvents(id, (event) => (event.type === type ? [typeName(event.object?.[field])] : []));
}

/** Joins values in order, without consecutive repetitions. */
function sequence(values: readonly string[]): string[] {
  const changes = values.filter((value, at) => value !== values[at - 1]);
  return changes.length === 0 ? [] : [changes.join(" → ")];
}

function blankLines(lines: readonly StreamLine[]): string[] {
  return lines.flatMap((line, at) => (line.kind === "data" ? [lines[at + 1]?.kind === "blank" ? "yes" : "no"] : []));
}

/** Fields of events that the contract names. */
function describedFields(type: string, event: StreamEvent): string[] {
  const schema = eventSchemas.get(type);
  if (schema === undefined || !event.object) return [];
  const extra = new Set(extraFieldsOf(event.object, schema, []));
  return Object.keys(event.object).filter((name) => name !== "type" && !extra.has(name));
}

function otherFields(type: string, event: StreamEvent): string[] {
  const schema = eventSchemas.get(type);
  return schema === undefined || !event.object ? [] : extraFieldsOf(event.object, schema, []);
}

/** Rounds a time to a coarse step, such as a second or a minute. */
function roughly(ms: number): string {
  const steps = [100, 1_000, 10_000, 60_000, 300_000];
  const step = steps.find((limit) => ms < limit);
  return step === undefined ? "more than 5 minutes" : `less than ${step < 1_000 ? `${step} ms` : `${step / 1_000} s`}`;
}

/** When the chunk came that ends with or holds the terminal event, in milliseconds; undefined without one. */
function terminalAtMs({ response }: Exchange, events: readonly StreamEvent[]): number | undefined {
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

function socketAfterTerminal(exchange: Exchange): string[] {
  if (!isStream(exchange)) return [];
  const terminalMs = terminalAtMs(exchange, eventsOf(exchange));
  if (terminalMs === undefined) return [];
  const open = exchange.response?.end === "still-open";
  return [open ? "still open when the suite gave up" : roughly(exchange.durationMs - terminalMs)];
}

function durations({ response, durationMs }: Exchange): string[] {
  const times = response?.chunks.map(({ atMs }) => atMs) ?? [];
  if (times.length === 0) return [];
  const silences = times.map((atMs, at) => atMs - (times[at - 1] ?? 0));
  return [`lasted ${roughly(durationMs)}; longest silence ${roughly(Math.max(...silences))}`];
}

function byteOrderMark({ response }: Exchange): string[] {
  if (!response || mediaType(response) !== "text/event-stream") return [];
  const bytes = firstBytes(response, 3);
  if (bytes.length === 0) return [];
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return [mark ? "begins with a byte order mark" : "begins without a byte order mark"];
}

/** Version digit and letter case of an identifier in UUID form. */
function uuidForm(value: unknown): string[] {
  if (typeof value !== "string") return [];
  const [, version] = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(value) ?? [];
  if (version === undefined) return [];
  const letters = value.replaceAll(/[^a-f]/gi, "");
  const letterCase = letters === letters.toLowerCase() ? "small letters" : "capital letters";
  return [`version ${version.toLowerCase()}, ${letterCase}`];
}

function identifiers({ object }: StreamEvent): unknown[] {
  const metadata = object?.["metadata"];
  const thread =
    typeof metadata === "object" && metadata !== null && Object.hasOwn(metadata, "thread_id")
      ? Reflect.get(metadata, "thread_id")
      : undefined;
  return [object?.["function_id"], thread];
}

function functionIds(events: readonly StreamEvent[]): string[] {
  const idOf = (type: string): unknown => events.find((event) => event.type === type)?.object?.["function_id"];
  const [uploaded, done] = [idOf("function_uploaded"), idOf("done")];
  if (uploaded === undefined && done === undefined) return [];
  if (uploaded === undefined || done === undefined)
    return [`only in ${uploaded === undefined ? "done" : "function_uploaded"}`];
  return [uploaded === done ? "in both, and equal" : "in both, and not equal"];
}

function costForm({ object }: StreamEvent): string[] {
  const cost = object?.["total_cost_usd"];
  if (typeof cost !== "number") return [];
  const sign = cost === 0 ? "zero" : cost < 0 ? "negative" : "positive";
  const [, decimals = ""] = /\.(\d+)/.exec(String(cost)) ?? [];
  return [`${sign}, ${decimals.length} decimals`];
}

function timestampNotation(value: unknown): string[] {
  if (typeof value !== "string") return [typeName(value)];
  return [isTimestamp(value) ? "a timestamp with offset" : "a string of another form"];
}

/** Observers of what the interface leaves open about the stream and its events. */
export const streamObservers: readonly Observer[] = [
  ofStreams("open.stream.first-event", (events) => events.slice(0, 1).map(({ type }) => type ?? "none")),
  ofValues("open.stream.status-values", "status", "status"),
  ofStreams("open.stream.status-moves", (events) =>
    sequence(
      events.flatMap(({ type, object }) => (type === "status" ? [JSON.stringify(object?.["status"]) ?? "absent"] : [])),
    ),
  ),
  ofStreams("open.stream.event-order", (events) => sequence(events.map(({ type }) => type ?? "none"))),
  ofEach("open.stream.socket-after-terminal", socketAfterTerminal),
  ofEach("open.limits.stream-duration", (exchange) => (isStream(exchange) ? durations(exchange) : [])),
  ofEach("open.stream.byte-order-mark", (exchange) => (isStream(exchange) ? byteOrderMark(exchange) : [])),
  ofLines("open.stream.blank-line", blankLines),
  ofLines("open.stream.line-end", (lines) => lines.map((line) => line.end)),
  ofLines("open.stream.comments", (lines) =>
    lines.length === 0 ? [] : [lines.some((line) => line.kind === "comment") ? "yes" : "no"],
  ),
  ofLines("open.stream.other-fields", (lines) =>
    lines.flatMap((line) => (line.kind === "field" ? [line.text.split(":", 1)[0] ?? ""] : [])),
  ),
  ofValues("open.event.role-values", "message_complete", "role"),
  ofValues("open.event.timeout-reason-values", "timeout", "reason"),
  ofValues("open.event.cancelled-reason-values", "cancelled", "reason"),
  ofValues("open.event.error-values", "error", "error"),
  ofTypes("open.event.content-type", "tool_result", "content"),
  ofTypes("open.event.error-detail-values", "error", "detail"),
  ofTypes("open.event.timeout-detail-values", "timeout", "detail"),
  ofEvents("open.event.other-fields", (event, type) => otherFields(type, event).map((name) => `${type}: ${name}`)),
  ofEvents("open.event.null-key-field", (event, type) =>
    describedFields(type, event)
      .filter((name) => event.object?.[name] === null)
      .map((name) => `${type}: ${name}`),
  ),
  ofStreams("open.event.function_id-equality", functionIds),
  ofEvents("open.event.negative-cost", (event, type) => (type === "done" ? costForm(event) : [])),
  ofEvents("open.function.record", (event, type) => (type === "function_uploaded" ? otherFields(type, event) : [])),
  ofEvents("open.function.created_at-form", (event, type) =>
    type === "function_uploaded" ? timestampNotation(event.object?.["created_at"]) : [],
  ),
  ofEvents("open.identifier.uuid-version", (event) => identifiers(event).flatMap(uuidForm)),
];
