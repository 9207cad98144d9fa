/** Targets that are all correct, and whose runs differ. */
import { joinBody, type Fields } from "../asked.ts";
import { isStream, pieces, revises, stream, type CorrectTarget } from "./correct-target.ts";
import { ending, run } from "../parts.ts";

export const correctRuns: readonly CorrectTarget[] = [
  {
    does: "separates events by single newlines, and ends the last one without",
    parts: {
      ...stream((event) => `data: ${JSON.stringify(event)}\n`),
      ...revises((answer) => (isStream(answer) ? { ...answer, pieces: [joinBody(answer).trimEnd()] } : answer)),
    },
  },
  {
    does: "ends lines with CRLF, and cuts between CR and LF",
    parts: {
      ...stream((event) => `data: ${JSON.stringify(event)}\r\n\r\n`),
      ...pieces((body) => body.split(/(?<=\r)/)),
    },
  },
  {
    does: "sends a byte order mark, comments, ids, names of events and a retry time",
    parts: {
      ...stream(
        (event) =>
          `: at work\nid: 7\nevent: ${JSON.stringify(event["type"])}\nretry: 10\ndata: ${JSON.stringify(event)}\n\n`,
      ),
      ...revises((answer) =>
        isStream(answer) ? { ...answer, pieces: ["\uFEFF", ...answer.pieces, ": bye\n\n"] } : answer,
      ),
    },
  },
  {
    does: "writes JSON with white space, and the type last",
    parts: stream(
      ({ type = null, ...event }) =>
        `data: { ${JSON.stringify(event).slice(1, -1)} , "type" :\t${JSON.stringify(type)} }  \n\n`,
    ),
  },
  {
    does: "writes one byte at a time",
    parts: pieces((body) => [...Buffer.from(body)].map((byte) => Uint8Array.of(byte))),
  },
  {
    does: "takes its time before each event",
    parts: revises((answer) => (isStream(answer) ? { ...answer, pauseMs: 20 } : answer)),
  },
  {
    does: "streams two thousand events, and one of a megabyte",
    parts: run((all) => [
      ...all.slice(0, 4),
      { type: "tool_result", content: "x".repeat(1_000_000) },
      ...Array.from({ length: 2_000 }, (_, at): Fields => ({ type: "thinking_delta", delta: `${at}\u2028🛳️` })),
      ...all.slice(4),
    ]),
  },
  {
    does: "has another host for the automation",
    parts: { startsNoRun: () => "not here" },
    automation: { knows: () => true },
  },
  {
    does: "ends a run by an error whose fields are objects",
    parts: ending("error", { error: { code: 7 }, detail: ["a"] }),
  },
  { does: "ends a run by a timeout", parts: ending("timeout") },
  { does: "ends a run by a cancellation", parts: ending("cancelled", { by: "user" }) },
  { does: "ends a run at once", parts: run((all) => all.slice(-1)) },
  {
    does: "asks a tiny price, written with an exponent",
    parts: ending("done", {
      total_cost_usd: 1e-7,
      metadata: { thread_id: "C1B6A2DE-4F7E-4A52-8F0A-9E2D5B7C3F60", model: "x" },
    }),
  },
];
