import {
  isStream,
  isSession,
  stream,
  body,
  events,
  both,
  contentType,
  header,
  extended,
  reversed,
  minimal,
  ending,
  type CorrectServer,
} from "./parts.ts";

/** Correct servers that differ in how streams and bodies are written. */
export const correctStreams: Readonly<Record<string, CorrectServer>> = {
  "sends no field that is not required": {
    alter: both(body(minimal), ending("done-without-function")),
  },
  "sends more fields than are described, at every depth": {
    alter: both(
      body((value) => extended(value)),
      events((event) => ({ "x-more": [null], ...event })),
    ),
  },
  "orders the fields of every object the other way round": {
    alter: both(
      body((value) => reversed(value)),
      events((event) => reversed(event)),
    ),
  },
  "separates events by single newlines": { alter: stream((text) => text.replaceAll("\n\n", "\n")) },
  "ends lines with CRLF": { alter: stream((text) => text.replaceAll("\n", "\r\n")) },
  "ends lines with CR": { alter: stream((text) => text.replaceAll("\n", "\r")) },
  "sends a byte order mark, comments, ids, event names and a retry time": {
    alter: stream(
      (text) => `\uFEFF: hello\nretry: 3000\n\n${text.replaceAll("data:", "event: message\nid: 1\ndata:")}: bye\n`,
    ),
  },
  "sends comments as a heartbeat between events": {
    alter: stream((text) => text.replaceAll("\n\n", "\n\n:\n\n:\n\n")),
  },
  "sends no newline after the last event": { alter: stream((text) => text.trimEnd()) },
  "writes bodies byte by byte": {
    manners: { pieces: (text) => [...Buffer.from(text)].map((byte) => Uint8Array.of(byte)) },
  },
  "writes each body in one piece": { manners: { pieces: (text) => [text] } },
  "tells the length of every body": {
    alter: (answer) => ({
      ...answer,
      headers: { ...answer.headers, "content-length": String(Buffer.byteLength(answer.body)) },
    }),
  },
  "ends bodies by closing the connection": {
    alter: header({ connection: "close", "transfer-encoding": "identity" }),
  },
  "closes the connection after every answer": { alter: header({ connection: "close" }) },
  "writes all letters outside ASCII as escapes": {
    alter: stream((text) =>
      text.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`),
    ),
  },
  "writes header names in capitals": { manners: { headerName: (name) => name.toUpperCase() } },
  "writes media types in capitals, with parameters": {
    alter: both(
      contentType("Application/JSON;Charset=UTF-8;v=1", (_, request) => isSession(request)),
      contentType("TEXT/EVENT-STREAM; charset=utf-8", (answer, request) => isStream(request, answer)),
    ),
  },
  "names no media type where none is stated": {
    alter: (answer, request) =>
      isStream(request, answer) || (answer.status === 200 && request.url.includes("/scrape"))
        ? answer
        : { ...answer, headers: {} },
  },
  "writes identifiers in capitals": {
    alter: stream((text) => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => id.toUpperCase())),
  },
  "asks nothing for a run, and says so": {
    alter: events((event) => ("total_cost_usd" in event ? { ...event, total_cost_usd: 0 } : event)),
  },
  "ends a run by `done` without a function": { alter: ending("done-without-function") },
  "ends a run by `error`": { alter: ending("error") },
  "ends a run by `timeout`": { alter: ending("timeout") },
  "ends a run by `cancelled`": { alter: ending("cancelled") },
  "ends a run by an `error` whose fields are objects and null": {
    alter: stream(() => 'data: {"type":"error","error":{"code":7},"detail":null}\n\n'),
  },
};
