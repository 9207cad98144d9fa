/** Streams of events that break a sentence. */
import { isObject, type Answer, type Fields, type Json } from "../../targets/asked.ts";
import { endings, functionId, runEndingIn, threadId, type Ending } from "../../targets/content.ts";
import { other } from "../../targets/faulty-target.ts";
import type { Service } from "../../targets/service.ts";
import {
  breaking,
  each,
  kindsBut,
  mediaType,
  status,
  together,
  type Breaker,
  type Change,
  type Ways,
} from "../breaker.ts";

const dataLine = /^([\s\S]*?data: )([^\r\n]*)([\s\S]*)$/;

/** The event that a piece of a stream holds. */
function eventIn(piece: string): Fields {
  const event: Json = JSON.parse(dataLine.exec(piece)?.[2] ?? "null");
  return isObject(event) ? event : {};
}

/** The pieces of a stream: one holds one event. */
const piecesOf = ({ pieces }: Answer): string[] => pieces.map(String);

const spots = ["first", "fourth", "last-but-one"] as const;
type Spot = (typeof spots)[number];
const indexOf = (spot: Spot, count: number): number => ({ first: 0, fourth: 3, "last-but-one": count - 2 })[spot];

/** Changes the piece at one spot. */
const at =
  (spot: Spot | "last", change: (piece: string) => string): Change =>
  (answer) => {
    const pieces = piecesOf(answer);
    const index = spot === "last" ? pieces.length - 1 : indexOf(spot, pieces.length);
    return { ...answer, pieces: pieces.map((piece, place) => (place === index ? change(piece) : piece)) };
  };

/** The same at every spot, and at the end, where the terminal event is. */
const everywhere = (word: string, change: (piece: string) => string): Ways =>
  Object.fromEntries(
    [...spots, "last" as const].map((spot) => [`${word}-${spot === "last" ? "at-last" : spot}`, at(spot, change)]),
  );

/** Puts a line before the event at a spot, written as that event is. */
const inserted = (word: string, data: string): Ways =>
  Object.fromEntries(
    spots.map((spot) => [
      `${word}-${spot}`,
      at(
        spot,
        (piece) => `${piece.replace(dataLine, (_, head: string, __, tail: string) => `${head}${data}${tail}`)}${piece}`,
      ),
    ]),
  );

const insertedEvent = (word: string, event: Fields): Ways => inserted(word, JSON.stringify(event));
const withData = (change: (data: string) => string) => (piece: string) =>
  piece.replace(dataLine, (_, head: string, data: string, tail: string) => `${head}${change(data)}${tail}`);

/** Puts events after the last one, written as that is. */
const appended =
  (...events: Fields[]): Change =>
  (answer) => {
    const last = piecesOf(answer).at(-1) ?? "";
    const more = events.map((event) => withData(() => JSON.stringify(event))(last));
    return { ...answer, pieces: [...answer.pieces, ...more] };
  };

/** Makes a run end with the given event. */
const endingIn = (ending: Ending): Partial<Service> => ({ run: () => runEndingIn(ending) });

/** Changes fields of every event of a type. */
const fieldsOf =
  (type: string, change: (event: Fields) => Json): Change =>
  (answer) => ({
    ...answer,
    pieces: piecesOf(answer).map((piece) =>
      eventIn(piece)["type"] === type ? withData(() => JSON.stringify(change(eventIn(piece))))(piece) : piece,
    ),
  });

const eventField = (type: string, name: string, to?: Json): Change =>
  fieldsOf(type, (event) => other(event, { [name]: to }));

const isEnding = (type: string): type is Ending => Object.hasOwn(endings, type);

/** The fields that each type of event has. */
const keyFields: Readonly<Record<string, readonly string[]>> = {
  status: ["status"],
  thinking_delta: ["delta"],
  text_delta: ["delta"],
  tool_start: ["name"],
  tool_result: ["content"],
  message_complete: ["role"],
  notte_session_data: ["viewer_url"],
  function_uploaded: ["function_id", "function_name", "created_at"],
  done: ["total_cost_usd", "metadata"],
  error: ["error", "detail"],
  timeout: ["reason", "detail"],
  cancelled: ["reason"],
};

const dashed = (name: string): string => name.replaceAll("_", "-");

/** Needs a run that ends in the type, when it is one that ends runs. */
const inRun = (type: string, breakers: readonly Breaker[]): Breaker[] =>
  breakers.map((breaker) => (isEnding(type) && type !== "done" ? { ...breaker, parts: endingIn(type) } : breaker));

const thread = (to: Json | undefined): Change =>
  fieldsOf("done", (event) => other(event, { metadata: other({}, { thread_id: to }) }));

const badIds = [
  "next_ferry",
  "",
  functionId.replaceAll("-", ""),
  `{${functionId}}`,
  functionId.slice(0, -1),
  `fn_${functionId}`,
];
const ids = (type: string, name: string): Ways =>
  Object.fromEntries(
    badIds.map((to, place) => [`${dashed(type)}-${dashed(name)}-form-${place + 1}`, eventField(type, name, to)]),
  );

const eventBreakers: readonly Breaker[] = [
  ...Object.entries(keyFields).flatMap(([type, names]) =>
    names.flatMap((name) =>
      inRun(
        type,
        breaking("run", `event.${type}.${name}`, {
          [`${dashed(type)}-without-${dashed(name)}`]: eventField(type, name),
        }),
      ),
    ),
  ),
  ...breaking(
    "run",
    "event.done.total_cost_usd-number",
    kindsBut("cost", ["a-number", "a-fraction"], (to) => eventField("done", "total_cost_usd", to)),
  ),
  ...breaking(
    "run",
    "event.done.function_id-string",
    kindsBut("function-id", ["a-string", "null"], (to) => eventField("done", "function_id", to)),
  ),
  ...breaking("run", "event.done.function_id-uuid", ids("done", "function_id")),
  ...breaking("run", "event.function_uploaded.function_id-uuid", ids("function_uploaded", "function_id")),
  ...breaking(
    "run",
    "event.done.metadata-object",
    kindsBut("metadata", ["an-object"], (to) => eventField("done", "metadata", to)),
  ),
  ...breaking("run", "event.done.metadata.thread_id", {
    "metadata-is-empty": thread(undefined),
    "thread-id-beside-metadata": fieldsOf("done", (event) => ({ ...event, metadata: {}, thread_id: threadId })),
  }),
  ...breaking(
    "run",
    "event.done.metadata.thread_id-string",
    kindsBut("thread-id", ["a-string"], (to) => thread(to)),
  ),
  ...breaking(
    "run",
    "event.done.metadata.thread_id-uuid",
    Object.fromEntries(badIds.map((to, place) => [`thread-id-form-${place + 1}`, thread(to)])),
  ),
];

const running = '{"type":"status","status":"running"}';

/** A terminal event that can't be read is none. */
const atEnd = (breaker: Breaker): Breaker =>
  breaker.id.endsWith("at-last") ? { ...breaker, also: /^stream\.one-terminal-event$/ } : breaker;

const formBreakers: readonly Breaker[] = [
  ...breaking("run", "automation.status-200", {
    "run-answers-201": status(201),
    "run-answers-202": status(202),
    "run-answers-500": status(500),
  }),
  ...breaking("run", "stream.content-type", {
    "stream-is-json": mediaType("application/json"),
    "stream-is-text": mediaType("text/plain; charset=utf-8"),
    "stream-is-of-json-lines": mediaType("application/x-ndjson"),
    "stream-has-no-media-type": mediaType(undefined),
    "stream-is-misspelled": mediaType("text/eventstream"),
  }),
  ...breaking(
    "run",
    "stream.line-form",
    together(
      everywhere("no-space", (piece) => piece.replace("data: ", "data:")),
      everywhere("tab", (piece) => piece.replace("data: ", "data:\t")),
      everywhere("capitals", (piece) => piece.replace("data: ", "DATA: ")),
      everywhere("space-in-front", (piece) => piece.replace("data: ", " data: ")),
      everywhere("no-data", (piece) => piece.replace("data: ", "")),
      everywhere("line-of-a-trace", (piece) => `Traceback (most recent call last):\n${piece}`),
    ),
  ).map(atEnd),
  ...breaking(
    "run",
    "stream.data-is-json-object",
    together(
      inserted("single-quotes", "{'type': 'status', 'status': 'running'}"),
      inserted("trailing-comma", `${running.slice(0, -1)},}`),
      inserted("cut-off", running.slice(0, -4)),
      inserted("two-on-a-line", running + running),
      inserted("word", "[DONE]"),
      inserted("list", `[${running}]`),
      inserted("null", "null"),
      inserted("nothing", ""),
      inserted("no-number", `${running.slice(0, -1)},"left":NaN}`),
    ),
  ),
  ...breaking(
    "run",
    "stream.event-has-type",
    together(
      insertedEvent("no-type", { status: "running" }),
      insertedEvent("another-name", { event: "status", status: "running" }),
      insertedEvent("envelope", { data: { type: "status", status: "running" } }),
    ),
  ),
  ...breaking(
    "run",
    "stream.known-types",
    together(
      insertedEvent("type-in-capitals", { type: "STATUS", status: "running" }),
      insertedEvent("type-with-a-dash", { type: "tool-start", name: "open_page" }),
    ),
  ),
  ...breaking(
    "run",
    "stream.no-other-types",
    together(
      insertedEvent("progress", { type: "progress", percent: 7 }),
      insertedEvent("ping", { type: "ping" }),
      insertedEvent("inherited-type", { type: "constructor" }),
    ),
  ),
  ...breaking("run", "stream.one-terminal-event", {
    "no-terminal-event": (answer) => ({ ...answer, pieces: answer.pieces.slice(0, -1) }),
    "no-event-at-all": (answer) => ({ ...answer, pieces: [] }),
    "done-twice": appended(endings.done),
    "cancelled-after-done": appended(endings.cancelled),
    "error-after-done": appended(endings.error),
  }),
];

const late: Fields = { type: "status", status: "late" };

const endBreakers: readonly Breaker[] = (["done", "error", "timeout", "cancelled"] as const).flatMap((ending) =>
  each(
    breaking("run", "stream.ends-after-terminal-event", {
      [`status-after-${ending}`]: appended(late),
      [`deltas-after-${ending}`]: appended({ type: "text_delta", delta: "" }, { type: "text_delta", delta: "more" }),
    }),
    () => ({ parts: endingIn(ending) }),
  ),
);

/** The table. */
export const streamBreakers: readonly Breaker[] = [...formBreakers, ...eventBreakers, ...endBreakers];
