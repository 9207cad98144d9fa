/** Streams of events that break a sentence. */
import type { Answer, Fields, Json } from "../../targets/messages.ts";
import { endings } from "../../targets/content.ts";
import { blame } from "../../targets/faulty-target.ts";
import { breaking, each, together, type Breaker } from "../breaker.ts";
import { eventBreakers } from "./events.ts";
import {
  appended,
  endingIn,
  eventIn,
  everywhere,
  inserted,
  insertedEvent,
  listPieces,
  retyped,
} from "./stream-pieces.ts";
import { mediaType, status } from "../../targets/parts.ts";

const running = '{"type":"status","status":"running"}';

/** A terminal event that can't be read is none. */
const atEnd = (breaker: Breaker): Breaker =>
  breaker.id.endsWith("at-last") ? { ...breaker, also: /^stream\.one-terminal-event$/ } : breaker;

/** The whole run as one JSON document. */
const asDocument = (answer: Answer, value: Json): Answer => ({
  ...answer,
  headers: { ...answer.headers, "content-type": "application/json" },
  pieces: [JSON.stringify(value)],
});

const formBreakers: readonly Breaker[] = [
  ...breaking("run", "automation.request.body", { "run-answers-400": status(400) }),
  ...breaking("run", "automation.request.content-type", { "run-answers-415": status(415) }),
  ...breaking("run", "automation.request.query.type", { "run-refuses-the-query": () => blame("body", "query") }),
  ...breaking("run", "stream.server-sent-events", {
    "run-is-a-json-list": (answer) => asDocument(answer, listPieces(answer).map(eventIn)),
    "run-is-its-last-event": (answer) => asDocument(answer, eventIn(listPieces(answer).at(-1) ?? "")),
  }),
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
  ...breaking("run", "event.notte_session_data.type-exact", {
    "session-data-with-dashes": retyped("notte_session_data", "notte-session-data"),
    "session-data-in-camel-case": retyped("notte_session_data", "notteSessionData"),
    "session-data-of-the-service": retyped("notte_session_data", "service_session_data"),
    "session-data-of-nobody": retyped("notte_session_data", "session_data"),
  }),
  ...breaking("run", "event.done.type", {
    "done-in-capitals": retyped("done", "DONE"),
    "done-with-a-capital": retyped("done", "Done"),
  }),
  ...breaking(
    "run",
    "identifier.function-uuid",
    together(
      insertedEvent("name-for-an-identifier", { type: "status", status: "running", function_id: "next_ferry" }),
      insertedEvent("number-for-an-identifier", { type: "tool_result", content: null, function_id: 7 }),
    ),
  ),
  ...breaking(
    "run",
    "identifier.thread-uuid",
    together(
      insertedEvent("thread-of-no-uuid", { type: "message_complete", role: "user", thread_id: "thread-7" }),
      insertedEvent("thread-of-no-uuid-in-metadata", { type: "status", status: "", metadata: { thread_id: "7" } }),
    ),
  ),
  ...each(
    breaking("run", "stream.terminal-types", {
      "ends-with-finished": retyped("done", "finished"),
      "ends-with-failed": retyped("done", "agent_failed"),
    }),
    // That there are no other types is a warning of its own.
    () => ({ also: /^stream\.no-other-types$/ }),
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
    breaking("run", `event.${ending}.terminal`, {
      [`status-after-${ending}`]: appended(late),
      [`deltas-after-${ending}`]: appended({ type: "text_delta", delta: "" }, { type: "text_delta", delta: "more" }),
    }),
    () => ({ parts: endingIn(ending) }),
  ).concat(
    each(
      breaking("run", "stream.ends-after-terminal-event", {
        [`trailer-after-${ending}`]: appended({ type: "trailer", usage: null }),
      }),
      () => ({ parts: endingIn(ending), also: /^stream\.no-other-types$/ }),
    ),
  ),
);

/** The table. */
export const streamBreakers: readonly Breaker[] = [...formBreakers, ...eventBreakers, ...endBreakers];
