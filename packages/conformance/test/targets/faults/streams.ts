/** Servers whose event stream is not as it should be, whatever its events hold. */
import { addPieces, cutOff, hang, inPieces, inTurn, pause, reset, send, text, type Change } from "../changes.ts";
import { endings, runEndingIn, type Ending } from "../content.ts";
import { breakAnswers, type Fault } from "../fault.ts";
import { type Fields } from "../messages.ts";
import { ending } from "../parts.ts";
import { append, drop, eventIn, insert, rewrite, rewriteType } from "../stream-changes.ts";

/** Writes every event in another way, from its JSON. */
const write = (change: (data: string) => string): Change =>
  inPieces((pieces) => pieces.map((piece) => change(JSON.stringify(eventIn(String(piece))))));

/** Writes one event in another way, and the others as they should be. */
const writeType = (type: string, change: (data: string, event: Fields) => string): Change =>
  rewriteType(type, (piece) => change(JSON.stringify(eventIn(piece)), eventIn(piece)));

const addLine = (line: string): Change => rewrite("fourth", (piece) => `${line}\n\n${piece}`);

/** Writes an event over several lines, each with a prefix. */
const spread = (event: Fields, prefix: string): string =>
  JSON.stringify(event, null, 1).replaceAll("\n", `\n${prefix}`);

/** Bytes that are not UTF-8, in place of a dash. */
const notUtf8 = (...bytes: readonly number[]): Change =>
  inPieces((pieces) =>
    pieces.map((piece) => {
      const [before = "", after] = String(piece).split("–");
      return after === undefined ? piece : Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    }),
  );

const formFaults = breakAnswers("run", {
  "stream.line-form": {
    "data-without-a-space": write((data) => `data:${data}\n\n`),
    "data-without-a-space-once": writeType("text_delta", (data) => `data:${data}\n\n`),
    "every-event-without-data": write((data) => `${data}\n\n`),
    "every-event-in-capitals": write((data) => `DATA: ${data}\n\n`),
    "every-event-with-a-space-in-front": write((data) => ` data: ${data}\n\n`),
    "data-in-capitals": writeType("text_delta", (data) => `DATA: ${data}\n\n`),
    "data-with-a-space-before-the-colon": writeType("status", (data) => `data : ${data}\n\n`),
    "event-without-data": writeType("tool_result", (data) => `${data}\n\n`),
    "event-over-several-lines": writeType("tool_result", (_, event) => `data: ${spread(event, "data: ")}\n\n`),
    "last-event-over-several-lines": writeType("done", (_, event) => `data: ${spread(event, "data: ")}\n\n`),
    "event-over-lines-without-data": writeType("tool_result", (_, event) => `data: ${spread(event, "")}\n\n`),
    "line-of-another-kind": addLine("keep-alive"),
    "line-of-a-trace": addLine("Traceback (most recent call last):"),
  },
  "stream.data-is-json-object": {
    "event-cut-off": addLine('data: {"type":"status","status'),
    "last-event-cut-off": writeType("done", (data) => `data: ${data.slice(0, -5)}\n\n`),
    "ends-with-a-word": addPieces("data: [DONE]\n\n"),
    "two-events-on-one-line": addLine('data: {"type":"status","status":"a"}{"type":"status","status":"b"}'),
    "event-is-a-list": addLine('data: ["status", "running"]'),
    "event-is-a-string": addLine('data: "running"'),
    "letters-are-latin-1": notUtf8(0x96),
    "letters-are-cut-in-two": notUtf8(0xe2, 0x80),
    "letters-are-surrogates": notUtf8(0xed, 0xa0, 0xbd),
  },
  "stream.event-has-type": {
    "event-without-a-type": insert({ status: "running" }),
    "event-with-another-name-for-type": insert({ event: "status", status: "running" }),
    "event-whose-type-is-a-number": insert({ type: 3 }),
    "event-whose-type-is-null": insert({ type: null }),
    "last-event-without-a-type": inTurn(drop(), append({ total_cost_usd: 0 })),
    "event-inside-an-envelope": insert({ data: { type: "status", status: "running" } }),
  },
  "stream.known-types": {
    "event-of-a-type-with-a-dash": insert({ type: "tool-start", name: "open_page" }),
    "event-of-a-type-in-capitals": insert({ type: "STATUS", status: "running" }),
  },
  "stream.no-other-types": {
    "event-of-an-unknown-type": insert({ type: "progress", percent: 7 }),
    "event-of-a-heartbeat": insert({ type: "ping" }),
    "event-of-the-empty-type": insert({ type: "" }),
    "event-of-an-inherited-type": insert({ type: "constructor" }),
  },
  "stream.not-cut": {
    "stream-breaks-off": cutOff(4),
    "stream-breaks-off-within-an-event": inTurn(
      rewrite("last", (piece) => piece.slice(0, 30)),
      reset,
    ),
  },
  "stream.one-terminal-event": {
    "stream-ends-with-a-status": inTurn(drop(), append({ type: "status", status: "done" })),
    ...Object.fromEntries(
      ["thinking-delta", "tool-start", "text-delta", "message-complete"].map((type) => [
        `stream-ends-with-${type}`,
        text((body) => new RegExp(`^[^]*?"type":"${type.replace("-", "_")}".*\n\n`).exec(body)?.[0] ?? ""),
      ]),
    ),
    "stream-of-comments": send(": still here\n\n"),
    "all-four-terminal-events": append(endings.error, endings.timeout, endings.cancelled),
  },
  "event.done.terminal delta-after-done-without-a-blank-line": text(
    (body) => `${body.trimEnd()}\ndata: {"type":"text_delta","delta":"late"}\n`,
  ),
  "stream.closes-after-done sends-comments-after-done": inTurn(
    addPieces(...Array<string>(60).fill(":\n\n")),
    pause(10),
  ),
});

/** A second terminal event, after each but `done`. */
const secondEnds = {
  error: { "done-after-error": append(endings.done) },
  timeout: { "cancelled-after-timeout": append(endings.cancelled) },
  cancelled: { "done-after-cancelled": append(endings.done) },
};

/** Runs that go on after an event of that type, which ends them. */
const endFaults = (["done", "error", "timeout", "cancelled"] as const satisfies Ending[]).flatMap((end) =>
  breakAnswers(
    "run",
    {
      [`event.${end}.terminal`]: {
        [`events-after-${end}`]: append(...runEndingIn(end).slice(1, 7)),
        [`delta-after-${end}`]: append({ type: "text_delta", delta: "" }),
      },
      [`stream.closes-after-${end}`]: { [`stays-open-after-${end}`]: hang },
      "stream.no-reset": { [`breaks-off-after-${end}`]: reset },
      ...(end === "done" ? {} : { "stream.one-terminal-event": secondEnds[end] }),
    },
    { parts: ending(end) },
  ),
);

export const streamFaults: readonly Fault[] = [...formFaults, ...endFaults];
