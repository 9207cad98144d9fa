/** Streams of events that break a sentence. */
import { blame, inPieces, listStatuses, mediaType, status, type Change } from "../../targets/changes.ts";
import { endings, type Ending } from "../../targets/content.ts";
import { breakAnswers, type AnswerFault } from "../../targets/fault.ts";
import type { Answer, Fields, Json } from "../../targets/messages.ts";
import { ending } from "../../targets/parts.ts";
import {
  append,
  drop,
  eventIn,
  insert,
  insertData,
  listPieces,
  retype,
  rewrite,
  spots,
} from "../../targets/stream-changes.ts";
import { list, together, type Ways } from "../ways.ts";
import { eventBreakers } from "./events.ts";

const running = '{"type":"status","status":"running"}';

/** The whole run as one JSON document. */
const asDocument =
  (value: (pieces: readonly string[]) => Json): Change =>
  (answer): Answer => ({
    ...answer,
    headers: { ...answer.headers, "content-type": "application/json" },
    pieces: [JSON.stringify(value(listPieces(answer)))],
  });

/** The same change of the text of an event at every spot, and at the end, where the terminal event is. */
const everywhere = (word: string, from: string | RegExp, to: string): Ways =>
  list([...spots, "last"] as const, (spot) => [
    `${word}-${spot === "last" ? "at-last" : spot}`,
    rewrite(spot, (piece) => piece.replace(from, to)),
  ]);

/** The same data, or event, before the events at every spot. */
const insertEverywhere = (word: string, data: string | Fields): Ways =>
  list(spots, (spot) => [`${word}-${spot}`, typeof data === "string" ? insertData(spot, data) : insert(data, spot)]);

const formBreakers: readonly AnswerFault[] = breakAnswers("run", {
  "automation.request.body run-answers-400": status(400),
  "automation.request.content-type run-answers-415": status(415),
  "automation.request.query.type run-refuses-the-query": blame("body", "query"),
  "stream.server-sent-events": {
    "run-is-a-json-list": asDocument((pieces) => pieces.map(eventIn)),
    "run-is-its-last-event": asDocument((pieces) => eventIn(pieces.at(-1) ?? "")),
  },
  "automation.status-200": listStatuses("run", [201, 202, 500]),
  "stream.content-type": {
    "stream-is-json": mediaType("application/json"),
    "stream-is-text": mediaType("text/plain; charset=utf-8"),
    "stream-is-of-json-lines": mediaType("application/x-ndjson"),
    "stream-has-no-media-type": mediaType(),
    "stream-is-misspelled": mediaType("text/eventstream"),
  },
  "stream.line-form": together(
    everywhere("no-space", "data: ", "data:"),
    everywhere("tab", "data: ", "data:\t"),
    everywhere("capitals", "data: ", "DATA: "),
    everywhere("space-in-front", "data: ", " data: "),
    everywhere("no-data", "data: ", ""),
    everywhere("line-of-a-trace", /^/, "Traceback (most recent call last):\n"),
  ),
  "stream.data-is-json-object": together(
    insertEverywhere("single-quotes", "{'type': 'status', 'status': 'running'}"),
    insertEverywhere("trailing-comma", `${running.slice(0, -1)},}`),
    insertEverywhere("cut-off", running.slice(0, -4)),
    insertEverywhere("two-on-a-line", running + running),
    insertEverywhere("word", "[DONE]"),
    insertEverywhere("list", `[${running}]`),
    insertEverywhere("null", "null"),
    insertEverywhere("nothing", ""),
    insertEverywhere("no-number", `${running.slice(0, -1)},"left":NaN}`),
  ),
  "stream.event-has-type": together(
    insertEverywhere("no-type", { status: "running" }),
    insertEverywhere("another-name", { event: "status", status: "running" }),
    insertEverywhere("envelope", { data: { type: "status", status: "running" } }),
  ),
  "stream.known-types": together(
    insertEverywhere("type-in-capitals", { type: "STATUS", status: "running" }),
    insertEverywhere("type-with-a-dash", { type: "tool-start", name: "open_page" }),
  ),
  "stream.no-other-types": together(
    insertEverywhere("progress", { type: "progress", percent: 7 }),
    insertEverywhere("ping", { type: "ping" }),
    insertEverywhere("inherited-type", { type: "constructor" }),
  ),
  "event.notte_session_data.type-exact": {
    "session-data-with-dashes": retype("notte_session_data", "notte-session-data"),
    "session-data-in-camel-case": retype("notte_session_data", "notteSessionData"),
    "session-data-of-the-service": retype("notte_session_data", "service_session_data"),
    "session-data-of-nobody": retype("notte_session_data", "session_data"),
  },
  "event.done.type": {
    "done-in-capitals": retype("done", "DONE"),
    "done-with-a-capital": retype("done", "Done"),
  },
  "identifier.function-uuid": together(
    insertEverywhere("name-for-an-identifier", { type: "status", status: "running", function_id: "next_ferry" }),
    insertEverywhere("number-for-an-identifier", { type: "tool_result", content: null, function_id: 7 }),
  ),
  "identifier.thread-uuid": together(
    insertEverywhere("thread-of-no-uuid", { type: "message_complete", role: "user", thread_id: "thread-7" }),
    insertEverywhere("thread-of-no-uuid-in-metadata", { type: "status", status: "", metadata: { thread_id: "7" } }),
  ),
  "stream.terminal-types": {
    "ends-with-finished": retype("done", "finished"),
    "ends-with-failed": retype("done", "agent_failed"),
  },
  "stream.one-terminal-event": {
    "no-terminal-event": drop(),
    "no-event-at-all": inPieces(() => []),
    "done-twice": append(endings.done),
    "cancelled-after-done": append(endings.cancelled),
    "error-after-done": append(endings.error),
  },
});

/** Sentences that a finding may name in place of the one that is broken. */
function addOthers(fault: AnswerFault): AnswerFault {
  // A terminal event that can't be read is none.
  if (fault.id.endsWith("at-last")) return { ...fault, also: /^stream\.one-terminal-event$/ };
  // That there are no other types is a warning of its own.
  return fault.requirement === "stream.terminal-types" ? { ...fault, also: /^stream\.no-other-types$/ } : fault;
}

const endBreakers = (["done", "error", "timeout", "cancelled"] as const satisfies Ending[]).flatMap((end) => {
  const parts = ending(end);
  const trailer = append({ type: "trailer", usage: null });
  return [
    breakAnswers(
      "run",
      {
        [`event.${end}.terminal`]: {
          [`status-after-${end}`]: append({ type: "status", status: "late" }),
          [`deltas-after-${end}`]: append({ type: "text_delta", delta: "" }, { type: "text_delta", delta: "more" }),
        },
      },
      { parts },
    ),
    breakAnswers(
      "run",
      { [`stream.ends-after-terminal-event trailer-after-${end}`]: trailer },
      { parts, also: /^stream\.no-other-types$/ },
    ),
  ].flat();
});

/** The table. */
export const streamBreakers: readonly AnswerFault[] = [
  ...formBreakers.map(addOthers),
  ...eventBreakers,
  ...endBreakers,
];
