/** Correct servers that use what the interface leaves open about runs and their streams. */
import { addPieces, inPieces, inTurn, markByteOrder, pause, refuse, type Change } from "../../targets/changes.ts";
import { at, both, has, type Condition } from "../../targets/conditions.ts";
import { functionId, threadId } from "../../targets/content.ts";
import { empty, findOperation, isJson, json, listMembers, words, type Fields } from "../../targets/messages.ts";
import { ending, events, revise, reviseAll, run, turnAway, writes } from "../../targets/parts.ts";
import { correctService, type Parts } from "../../targets/service.ts";
import { leaveOpen, type OpenServer } from "./open-server.ts";

const first = (...more: Fields[]): Parts => run((all) => [...more, ...all]);
const streaming = (change: Change): Parts => revise("run", change);
const reviseErrors = (change: Change): Parts => reviseAll(change, at("automation"), (_, { status }) => status >= 400);
/** Refuses tasks for which a condition holds. */
const refuseTasks = (status: number, when: Condition): Parts =>
  reviseAll(refuse(status), at("automation"), correctService.admits, when);

const isEmptyQuery: Condition = (request) =>
  /^\s*$/.test(JSON.stringify(listMembers(request).get("query") ?? 0).replaceAll('"', ""));
const isOddQuery = has("query", (query) => typeof query !== "string");
const hasMore = both(has("query"), (request) => listMembers(request).size > 1);
const isNoObject: Condition = (request) =>
  request.body === "" || (isJson(request) && !request.body.trim().startsWith("{"));

const requests = leaveOpen(
  {
    "open.automation.missing-content-type": {
      "takes no task without a media type": refuseTasks(400, ({ headers }) => !headers["content-type"]),
      "takes no task of another media type": refuseTasks(
        415,
        ({ headers }) => headers["content-type"]?.startsWith("application/json") !== true,
      ),
    },
    "open.automation.unknown-property": {
      "refuses tasks with unknown properties": refuseTasks(400, hasMore),
      "refuses tasks with unknown properties with 422": refuseTasks(422, hasMore),
    },
    "open.automation.empty-query": {
      "refuses empty tasks": refuseTasks(400, isEmptyQuery),
      "refuses empty tasks with 422": refuseTasks(422, isEmptyQuery),
    },
    "open.automation.query-wrong-type": {
      "refuses tasks that are no text": refuseTasks(400, isOddQuery),
      "refuses tasks that are no text with 422": refuseTasks(422, isOddQuery),
    },
  },
  8,
);

const errors = leaveOpen({
  "open.automation.error-bodies": {
    "tells errors of runs in words": reviseErrors(({ status }) => words(status, "no")),
    "tells errors of runs without a body": reviseErrors(({ status }) => empty(status)),
    "tells errors of runs as HTML": reviseErrors(({ status }) => ({
      status,
      headers: { "content-type": "text/html" },
      pieces: ["<h1>No</h1>"],
    })),
  },
  "open.automation.error-order": {
    "looks at the task before the key": turnAway(
      json(400, {}),
      (request) => findOperation(request) === "automation" && !listMembers(request).has("query"),
    ),
    "looks at the key before the task, and says so": turnAway(
      empty(401, { "www-authenticate": "Bearer" }),
      (request) => findOperation(request) === "automation",
    ),
  },
});

const bodies = leaveOpen(
  {
    "open.automation.empty-body": {
      "answers 422 to what is no object": refuseTasks(422, isNoObject),
      "answers 415 to what is no object": refuseTasks(415, isNoObject),
    },
    "open.automation.other-errors": {
      "answers 409 to tasks with more than a query": refuseTasks(409, hasMore),
      "answers 402 to tasks that are no text": refuseTasks(402, isOddQuery),
    },
  },
  8,
);

const framing = leaveOpen({
  "open.stream.blank-line": {
    "separates events by single line ends": writes((data) => `data: ${data}\n`),
    "ends the last event without a line end": streaming(
      inPieces((pieces) => [...pieces.slice(0, -1), String(pieces.at(-1)).trimEnd()]),
    ),
    "separates events by three blank lines": writes((data) => `data: ${data}\n\n\n\n`),
  },
  "open.stream.line-end": {
    "ends lines with CRLF": writes((data) => `data: ${data}\r\n\r\n`),
    "ends lines with CR": writes((data) => `data: ${data}\r\r`),
    "ends lines in all three ways": writes((data, { type }) =>
      type === "status" ? `data: ${data}\r\n\r\n` : type === "tool_start" ? `data: ${data}\r\r` : `data: ${data}\n\n`,
    ),
  },
  "open.stream.comments": {
    "sends comments between events": writes((data) => `: at work\n\ndata: ${data}\n\n`),
    "sends an empty comment within each event, and one at the end": streaming(
      inPieces((pieces) => [...pieces.map((piece) => `:\n${String(piece)}`), ": bye"]),
    ),
  },
  "open.stream.other-fields": {
    "names its events, and numbers them": writes(
      (data, { type = null }) => `event: ${JSON.stringify(type)}\nid: 7\ndata: ${data}\n\n`,
    ),
    "tells a time for coming back after each event": writes((data) => `data: ${data}\nretry: 10\n\n`),
  },
  "open.stream.byte-order-mark": {
    "begins with a byte order mark": streaming(markByteOrder),
    "begins with a byte order mark that comes byte by byte": streaming(
      inPieces((pieces) => [...[0xef, 0xbb, 0xbf].map((byte) => Uint8Array.of(byte)), ...pieces]),
    ),
  },
  "open.stream.socket-after-terminal": {
    "sends a comment after the last event, and closes": streaming(inTurn(addPieces(": closing\n\n"), pause(20))),
    "sends blank lines after the last event, and closes": streaming(inTurn(addPieces("\n", "\n"), pause(10))),
  },
  "open.limits.stream-duration": {
    "takes its time before each event": streaming(pause(25)),
    "streams two thousand events, and one of a megabyte": run((all) => [
      ...all.slice(0, 4),
      { type: "tool_result", content: "x".repeat(1_000_000) },
      ...Array.from({ length: 2_000 }, (_, place): Fields => ({ type: "thinking_delta", delta: `${place}\u2028🛳️` })),
      ...all.slice(4),
    ]),
  },
});

const contents = leaveOpen({
  "open.stream.status-values": {
    "has its own words for the state": events("status", { status: "WAITING_FOR-agent 7" }),
    "has no word for the state": events("status", { status: "" }),
  },
  "open.stream.status-moves": {
    "goes back from running to starting": first({ type: "status", status: "running" }),
    "says that it is done long before": first({ type: "status", status: "done" }, { type: "status", status: "error" }),
  },
  "open.stream.first-event": {
    "begins with a result of a tool": first({ type: "tool_result", content: "" }),
    "begins with its end": run((all) => all.slice(-1)),
  },
  "open.stream.event-order": {
    "tells what it has done in no order": run((all) => [...all.slice(0, -1).toReversed(), ...all.slice(-1)]),
    "tells results of tools that never started": run((all) => all.filter(({ type }) => type !== "tool_start")),
  },
  "open.event.other-fields": {
    "adds fields to every event": run((all) => all.map((event) => ({ ...event, at: 7, more: { deep: [null] } }))),
    "adds fields of other events to each": run((all) =>
      all.map((event) => ({ delta: "", name: "x", content: null, ...event, error: null })),
    ),
  },
  "open.event.role-values": {
    "has messages of tools": events("message_complete", { role: "tool" }),
    "has messages of nobody": events("message_complete", { role: "" }),
  },
  "open.event.timeout-reason-values": {
    "gives an own reason for a timeout": ending("timeout", { reason: "Because of the hour." }),
    "gives an empty reason for a timeout": ending("timeout", { reason: "" }),
  },
  "open.event.cancelled-reason-values": {
    "gives an own reason for a cancellation": ending("cancelled", { reason: "quota/7" }),
    "gives an empty reason for a cancellation": ending("cancelled", { reason: "" }),
  },
  "open.event.null-key-field": {
    "sends null for what a tool gave": events("tool_result", { content: null }),
    "sends null for what went wrong": ending("error", { error: null, detail: null }),
  },
  "open.event.content-type": {
    "sends what a tool gave as an object": events("tool_result", { content: { text: "# Ferries", parts: [1] } }),
    "sends what a tool gave as a list": events("tool_result", { content: [{ type: "text", text: "x" }, null] }),
    "sends what a tool gave as a number": events("tool_result", { content: 0 }),
  },
  "open.event.function_id-equality": {
    "ends with another function than it uploaded": events("done", { function_id: threadId }),
    "ends with a function that was never uploaded": run((all) =>
      all.filter(({ type }) => type !== "function_uploaded"),
    ),
    "uploads a function, and ends without": run((all) =>
      all.map(({ function_id: id = null, ...event }) =>
        event["type"] === "done" || id === null ? event : { ...event, function_id: id },
      ),
    ),
  },
  "open.event.negative-cost": {
    "asks nothing for a run": events("done", { total_cost_usd: 0 }),
    "gives money back": events("done", { total_cost_usd: -0.5 }),
    "asks a tiny price": events("done", { total_cost_usd: 1e-7 }),
  },
  "open.event.error-values": {
    "tells an error as an object": ending("error", { error: { code: 7, message: "x" } }),
    "tells an error as a number": ending("error", { error: 502 }),
  },
  "open.event.error-detail-values": {
    "details an error in a list": ending("error", { detail: ["a", 1] }),
    "details an error by nothing": ending("error", { detail: "" }),
  },
  "open.event.timeout-detail-values": {
    "details a timeout by a number": ending("timeout", { detail: 600 }),
    "details a timeout by an object": ending("timeout", { detail: { seconds: 600 } }),
  },
  "open.function.record": {
    "tells more of a function": events("function_uploaded", { version: 3, variables: { pier: "string" } }),
    "tells the path of a function": events("function_uploaded", { function_path: "s3://functions/7" }),
  },
  "open.function.created_at-form": {
    "tells a day for a moment": events("function_uploaded", { created_at: "2036-11-20" }),
    "tells a moment in words": events("function_uploaded", { created_at: "Thu Nov 20 2036 09:30:05" }),
  },
  "open.identifier.uuid-version": {
    "writes identifiers in capitals": events("done", {
      function_id: functionId.toUpperCase(),
      metadata: { thread_id: threadId.toUpperCase() },
    }),
    "has identifiers of version 7": events("done", { function_id: "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f" }),
    "has identifiers of no version": events("done", { function_id: "00000000-0000-0000-0000-000000000000" }),
  },
});

/** The table. */
export const openRuns: readonly OpenServer[] = [...requests, ...errors, ...bodies, ...framing, ...contents];
