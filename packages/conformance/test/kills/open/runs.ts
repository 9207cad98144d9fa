/** Correct servers that use what the interface leaves open about runs and their streams. */
import {
  isJson,
  json,
  listMembers,
  findOperation,
  words,
  type Answer,
  type ReceivedRequest,
  type Fields,
  type Json,
} from "../../targets/messages.ts";
import { functionId, threadId } from "../../targets/content.ts";
import { correctService, type Service } from "../../targets/service.ts";
import { inRuns, leftOpen, refusal, type OpenServer } from "./open-server.ts";
import { changeAnswers, ending, events, of, run } from "../../targets/parts.ts";

const first = (...more: Fields[]): Partial<Service> => run((all) => [...more, ...all]);
const writes = (write: (data: string, event: Fields) => string): Partial<Service> => ({
  writes: (event) => write(JSON.stringify(event), event),
});
const streaming = (change: (answer: Answer) => Answer): Partial<Service> =>
  changeAnswers(of("automation", 200), change);
const errors = (to: (answer: Answer) => Answer): Partial<Service> =>
  changeAnswers((request, { status }) => findOperation(request) === "automation" && status >= 400, to);
const instead = (when: (request: ReceivedRequest) => boolean, status: number): Partial<Service> =>
  changeAnswers(
    (request) => findOperation(request) === "automation" && correctService.admits(request) && when(request),
    refusal(status),
  );

const query = (request: ReceivedRequest): Json | undefined => listMembers(request).get("query");
const media = ({ headers }: ReceivedRequest): string => headers["content-type"] ?? "";
const isEmptyQuery = (request: ReceivedRequest): boolean =>
  /^\s*$/.test(JSON.stringify(query(request) ?? 0).replaceAll('"', ""));
const isOddQuery = (request: ReceivedRequest): boolean =>
  listMembers(request).has("query") && typeof query(request) !== "string";
const hasMore = (request: ReceivedRequest): boolean =>
  listMembers(request).has("query") && listMembers(request).size > 1;
const isNoObject = (request: ReceivedRequest): boolean =>
  request.body === "" || (isJson(request) && !request.body.trim().startsWith("{"));

const requests: readonly OpenServer[] = [
  ...inRuns("open.automation.missing-content-type", {
    "takes no task without a media type": instead((request) => media(request) === "", 400),
    "takes no task of another media type": instead((request) => !media(request).startsWith("application/json"), 415),
  }),
  ...inRuns("open.automation.unknown-property", {
    "refuses tasks with unknown properties": instead(hasMore, 400),
    "refuses tasks with unknown properties with 422": instead(hasMore, 422),
  }),
  ...inRuns("open.automation.empty-query", {
    "refuses empty tasks": instead(isEmptyQuery, 400),
    "refuses empty tasks with 422": instead(isEmptyQuery, 422),
  }),
  ...inRuns("open.automation.query-wrong-type", {
    "refuses tasks that are no text": instead(isOddQuery, 400),
    "refuses tasks that are no text with 422": instead(isOddQuery, 422),
  }),
  ...leftOpen("open.automation.error-bodies", {
    "tells errors of runs in words": errors(({ status }) => words(status, "no")),
    "tells errors of runs without a body": errors(({ status }) => ({ status, headers: {}, pieces: [] })),
    "tells errors of runs as HTML": errors(({ status }) => ({
      status,
      headers: { "content-type": "text/html" },
      pieces: ["<h1>No</h1>"],
    })),
  }),
  ...leftOpen("open.automation.error-order", {
    "looks at the task before the key": {
      turnsAway: (request) =>
        findOperation(request) === "automation" && !listMembers(request).has("query")
          ? json(400, {})
          : correctService.turnsAway(request),
    },
    "looks at the key before the task, and says so": {
      turnsAway: (request) =>
        findOperation(request) === "automation"
          ? { status: 401, headers: { "www-authenticate": "Bearer" }, pieces: [] }
          : correctService.turnsAway(request),
    },
  }),
  ...inRuns("open.automation.empty-body", {
    "answers 422 to what is no object": instead(isNoObject, 422),
    "answers 415 to what is no object": instead(isNoObject, 415),
  }),
  ...inRuns("open.automation.other-errors", {
    "answers 409 to tasks with more than a query": instead(hasMore, 409),
    "answers 402 to tasks that are no text": instead(isOddQuery, 402),
  }),
];

const framing: readonly OpenServer[] = [
  ...leftOpen("open.stream.blank-line", {
    "separates events by single line ends": writes((data) => `data: ${data}\n`),
    "ends the last event without a line end": streaming((answer) => ({
      ...answer,
      pieces: [...answer.pieces.slice(0, -1), String(answer.pieces.at(-1)).trimEnd()],
    })),
    "separates events by three blank lines": writes((data) => `data: ${data}\n\n\n\n`),
  }),
  ...leftOpen("open.stream.line-end", {
    "ends lines with CRLF": writes((data) => `data: ${data}\r\n\r\n`),
    "ends lines with CR": writes((data) => `data: ${data}\r\r`),
    "ends lines in all three ways": writes((data, { type }) =>
      type === "status" ? `data: ${data}\r\n\r\n` : type === "tool_start" ? `data: ${data}\r\r` : `data: ${data}\n\n`,
    ),
  }),
  ...leftOpen("open.stream.comments", {
    "sends comments between events": writes((data) => `: at work\n\ndata: ${data}\n\n`),
    "sends an empty comment within each event, and one at the end": streaming((answer) => ({
      ...answer,
      pieces: [...answer.pieces.map((piece) => `:\n${String(piece)}`), ": bye"],
    })),
  }),
  ...leftOpen("open.stream.other-fields", {
    "names its events, and numbers them": writes(
      (data, { type = null }) => `event: ${JSON.stringify(type)}\nid: 7\ndata: ${data}\n\n`,
    ),
    "tells a time for coming back after each event": writes((data) => `data: ${data}\nretry: 10\n\n`),
  }),
  ...leftOpen("open.stream.byte-order-mark", {
    "begins with a byte order mark": streaming((answer) => ({ ...answer, pieces: ["\uFEFF", ...answer.pieces] })),
    "begins with a byte order mark that comes byte by byte": streaming((answer) => ({
      ...answer,
      pieces: [...[0xef, 0xbb, 0xbf].map((byte) => Uint8Array.of(byte)), ...answer.pieces],
    })),
  }),
  ...leftOpen("open.stream.socket-after-terminal", {
    "sends a comment after the last event, and closes": streaming((answer) => ({
      ...answer,
      pieces: [...answer.pieces, ": closing\n\n"],
      pauseMs: 20,
    })),
    "sends blank lines after the last event, and closes": streaming((answer) => ({
      ...answer,
      pieces: [...answer.pieces, "\n", "\n"],
      pauseMs: 10,
    })),
  }),
  ...leftOpen("open.limits.stream-duration", {
    "takes its time before each event": streaming((answer) => ({ ...answer, pauseMs: 25 })),
    "streams two thousand events, and one of a megabyte": run((all) => [
      ...all.slice(0, 4),
      { type: "tool_result", content: "x".repeat(1_000_000) },
      ...Array.from({ length: 2_000 }, (_, at): Fields => ({ type: "thinking_delta", delta: `${at}\u2028🛳️` })),
      ...all.slice(4),
    ]),
  }),
];

const contents: readonly OpenServer[] = [
  ...leftOpen("open.stream.status-values", {
    "has its own words for the state": events("status", { status: "WAITING_FOR-agent 7" }),
    "has no word for the state": events("status", { status: "" }),
  }),
  ...leftOpen("open.stream.status-moves", {
    "goes back from running to starting": first({ type: "status", status: "running" }),
    "says that it is done long before": first({ type: "status", status: "done" }, { type: "status", status: "error" }),
  }),
  ...leftOpen("open.stream.first-event", {
    "begins with a result of a tool": first({ type: "tool_result", content: "" }),
    "begins with its end": run((all) => all.slice(-1)),
  }),
  ...leftOpen("open.stream.event-order", {
    "tells what it has done in no order": run((all) => [...all.slice(0, -1).toReversed(), ...all.slice(-1)]),
    "tells results of tools that never started": run((all) => all.filter(({ type }) => type !== "tool_start")),
  }),
  ...leftOpen("open.event.other-fields", {
    "adds fields to every event": run((all) => all.map((event) => ({ ...event, at: 7, more: { deep: [null] } }))),
    "adds fields of other events to each": run((all) =>
      all.map((event) => ({ delta: "", name: "x", content: null, ...event, error: null })),
    ),
  }),
  ...leftOpen("open.event.role-values", {
    "has messages of tools": events("message_complete", { role: "tool" }),
    "has messages of nobody": events("message_complete", { role: "" }),
  }),
  ...leftOpen("open.event.timeout-reason-values", {
    "gives an own reason for a timeout": ending("timeout", { reason: "Because of the hour." }),
    "gives an empty reason for a timeout": ending("timeout", { reason: "" }),
  }),
  ...leftOpen("open.event.cancelled-reason-values", {
    "gives an own reason for a cancellation": ending("cancelled", { reason: "quota/7" }),
    "gives an empty reason for a cancellation": ending("cancelled", { reason: "" }),
  }),
  ...leftOpen("open.event.null-key-field", {
    "sends null for what a tool gave": events("tool_result", { content: null }),
    "sends null for what went wrong": ending("error", { error: null, detail: null }),
  }),
  ...leftOpen("open.event.content-type", {
    "sends what a tool gave as an object": events("tool_result", { content: { text: "# Ferries", parts: [1] } }),
    "sends what a tool gave as a list": events("tool_result", { content: [{ type: "text", text: "x" }, null] }),
    "sends what a tool gave as a number": events("tool_result", { content: 0 }),
  }),
  ...leftOpen("open.event.function_id-equality", {
    "ends with another function than it uploaded": events("done", { function_id: threadId }),
    "ends with a function that was never uploaded": run((all) =>
      all.filter(({ type }) => type !== "function_uploaded"),
    ),
    "uploads a function, and ends without": run((all) =>
      all.map(({ function_id: id = null, ...event }) =>
        event["type"] === "done" || id === null ? event : { ...event, function_id: id },
      ),
    ),
  }),
  ...leftOpen("open.event.negative-cost", {
    "asks nothing for a run": events("done", { total_cost_usd: 0 }),
    "gives money back": events("done", { total_cost_usd: -0.5 }),
    "asks a tiny price": events("done", { total_cost_usd: 1e-7 }),
  }),
  ...leftOpen("open.event.error-values", {
    "tells an error as an object": ending("error", { error: { code: 7, message: "x" } }),
    "tells an error as a number": ending("error", { error: 502 }),
  }),
  ...leftOpen("open.event.error-detail-values", {
    "details an error in a list": ending("error", { detail: ["a", 1] }),
    "details an error by nothing": ending("error", { detail: "" }),
  }),
  ...leftOpen("open.event.timeout-detail-values", {
    "details a timeout by a number": ending("timeout", { detail: 600 }),
    "details a timeout by an object": ending("timeout", { detail: { seconds: 600 } }),
  }),
  ...leftOpen("open.function.record", {
    "tells more of a function": events("function_uploaded", { version: 3, variables: { pier: "string" } }),
    "tells the path of a function": events("function_uploaded", { function_path: "s3://functions/7" }),
  }),
  ...leftOpen("open.function.created_at-form", {
    "tells a day for a moment": events("function_uploaded", { created_at: "2036-11-20" }),
    "tells a moment in words": events("function_uploaded", { created_at: "Thu Nov 20 2036 09:30:05" }),
  }),
  ...leftOpen("open.identifier.uuid-version", {
    "writes identifiers in capitals": events("done", {
      function_id: functionId.toUpperCase(),
      metadata: { thread_id: threadId.toUpperCase() },
    }),
    "has identifiers of version 7": events("done", { function_id: "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f" }),
    "has identifiers of no version": events("done", { function_id: "00000000-0000-0000-0000-000000000000" }),
  }),
];

/** The table. */
export const openRuns: readonly OpenServer[] = [...requests, ...framing, ...contents];
