/** Targets that are all correct, and whose runs differ. */
import { addPieces, inTurn, markByteOrder, pause, text } from "../changes.ts";
import type { Condition } from "../conditions.ts";
import { joinBody, type Fields } from "../messages.ts";
import { ending, reviseAll, run, writes } from "../parts.ts";
import type { Parts } from "../service.ts";
import { correct, isStream, type CorrectTarget } from "./correct-target.ts";

const isRun: Condition = (_, answer) => isStream(answer);

/** Writes every body in other pieces. */
const cut = (split: (body: string) => (string | Uint8Array)[]): Parts =>
  reviseAll((answer) => ({ ...answer, pieces: split(joinBody(answer)) }));

export const correctRuns: readonly CorrectTarget[] = [
  ...correct({
    "separates events by single newlines, and ends the last one without": {
      ...writes((data) => `data: ${data}\n`),
      ...reviseAll(
        text((body) => body.trimEnd()),
        isRun,
      ),
    },
    "ends lines with CRLF, and cuts between CR and LF": {
      ...writes((data) => `data: ${data}\r\n\r\n`),
      ...cut((body) => body.split(/(?<=\r)/)),
    },
    "sends a byte order mark, comments, ids, names of events and a retry time": {
      ...writes(
        (data, { type = null }) => `: at work\nid: 7\nevent: ${JSON.stringify(type)}\nretry: 10\ndata: ${data}\n\n`,
      ),
      ...reviseAll(inTurn(markByteOrder, addPieces(": bye\n\n")), isRun),
    },
    "writes JSON with white space, and the type last": writes(
      (_, { type = null, ...event }) =>
        `data: { ${JSON.stringify(event).slice(1, -1)} , "type" :\t${JSON.stringify(type)} }  \n\n`,
    ),
    "writes one byte at a time": cut((body) => [...Buffer.from(body)].map((byte) => Uint8Array.of(byte))),
    "takes its time before each event": reviseAll(pause(20), isRun),
    "streams two thousand events, and one of a megabyte": run((all) => [
      ...all.slice(0, 4),
      { type: "tool_result", content: "x".repeat(1_000_000) },
      ...Array.from({ length: 2_000 }, (_, at): Fields => ({ type: "thinking_delta", delta: `${at}\u2028🛳️` })),
      ...all.slice(4),
    ]),
  }),
  {
    does: "has another host for the automation",
    parts: { startsNoRun: () => "not here" },
    automation: { knows: () => true },
  },
  ...correct({
    "ends a run by an error whose fields are objects": ending("error", { error: { code: 7 }, detail: ["a"] }),
    "ends a run by a timeout": ending("timeout"),
    "ends a run by a cancellation": ending("cancelled", { by: "user" }),
    "ends a run at once": run((all) => all.slice(-1)),
    "asks a tiny price, written with an exponent": ending("done", {
      total_cost_usd: 1e-7,
      metadata: { thread_id: "C1B6A2DE-4F7E-4A52-8F0A-9E2D5B7C3F60", model: "x" },
    }),
  }),
];
