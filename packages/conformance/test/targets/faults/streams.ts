/** Targets whose event stream is not as it should be, whatever its events hold. */
import { joinBody, type Answer, type Fields } from "../messages.ts";
import { endings, runEndingIn, type Ending } from "../content.ts";
import { listBreaking, type FaultyTarget } from "../faulty-target.ts";
import type { Service } from "../service.ts";
import { revise, run } from "../parts.ts";

const everyEnding: readonly Ending[] = ["done", "error", "timeout", "cancelled"];

const writes = (write: (data: string, event: Fields) => string): Partial<Service> => ({
  writes: (event) => write(JSON.stringify(event), event),
});

/** Writes one event in another way, and the others as they should be. */
const writesOne = (type: string, write: (data: string, event: Fields) => string): Partial<Service> =>
  writes((data, event) => (event["type"] === type ? write(data, event) : `data: ${data}\n\n`));

const stream = (change: (answer: Answer) => Answer): Partial<Service> => revise("automation", 200, change);
const inserted = (...events: Fields[]): Partial<Service> =>
  run((all) => [...all.slice(0, 3), ...events, ...all.slice(3)]);
const appended = (...events: Fields[]): Partial<Service> => run((all) => [...all, ...events]);
const line = (text: string): Partial<Service> => writesOne("tool_start", (data) => `${text}\n\ndata: ${data}\n\n`);

/** Writes an event over several lines, each with a prefix. */
const spread = (event: Fields, prefix: string): string =>
  JSON.stringify(event, null, 1).replaceAll("\n", `\n${prefix}`);

const notUtf8 = (bytes: readonly number[]): Partial<Service> =>
  stream((answer) => ({
    ...answer,
    pieces: answer.pieces.map((piece) => {
      const [before = "", after] = String(piece).split("–");
      return after === undefined ? piece : Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    }),
  }));

const formFaults: readonly FaultyTarget[] = [
  ...listBreaking("stream.line-form", {
    "data-without-a-space": writes((data) => `data:${data}\n\n`),
    "data-without-a-space-once": writesOne("text_delta", (data) => `data:${data}\n\n`),
    "every-event-without-data": writes((data) => `${data}\n\n`),
    "every-event-in-capitals": writes((data) => `DATA: ${data}\n\n`),
    "every-event-with-a-space-in-front": writes((data) => ` data: ${data}\n\n`),
    "data-in-capitals": writesOne("text_delta", (data) => `DATA: ${data}\n\n`),
    "data-with-a-space-before-the-colon": writesOne("status", (data) => `data : ${data}\n\n`),
    "event-without-data": writesOne("tool_result", (data) => `${data}\n\n`),
    "event-over-several-lines": writesOne("tool_result", (_, event) => `data: ${spread(event, "data: ")}\n\n`),
    "last-event-over-several-lines": writesOne("done", (_, event) => `data: ${spread(event, "data: ")}\n\n`),
    "event-over-lines-without-data": writesOne("tool_result", (_, event) => `data: ${spread(event, "")}\n\n`),
    "line-of-another-kind": line("keep-alive"),
    "line-of-a-trace": line("Traceback (most recent call last):"),
  }),
  ...listBreaking("stream.data-is-json-object", {
    "event-cut-off": line('data: {"type":"status","status'),
    "last-event-cut-off": writesOne("done", (data) => `data: ${data.slice(0, -5)}\n\n`),
    "ends-with-a-word": stream((answer) => ({ ...answer, pieces: [...answer.pieces, "data: [DONE]\n\n"] })),
    "two-events-on-one-line": line('data: {"type":"status","status":"a"}{"type":"status","status":"b"}'),
    "event-is-a-list": line('data: ["status", "running"]'),
    "event-is-a-string": line('data: "running"'),
    "letters-are-latin-1": notUtf8([0x96]),
    "letters-are-cut-in-two": notUtf8([0xe2, 0x80]),
    "letters-are-surrogates": notUtf8([0xed, 0xa0, 0xbd]),
  }),
  ...listBreaking("stream.event-has-type", {
    "event-without-a-type": inserted({ status: "running" }),
    "event-with-another-name-for-type": inserted({ event: "status", status: "running" }),
    "event-whose-type-is-a-number": inserted({ type: 3 }),
    "event-whose-type-is-null": inserted({ type: null }),
    "last-event-without-a-type": run((all) => [...all.slice(0, -1), { total_cost_usd: 0 }]),
    "event-inside-an-envelope": inserted({ data: { type: "status", status: "running" } }),
  }),
  ...listBreaking("stream.known-types", {
    "event-of-a-type-with-a-dash": inserted({ type: "tool-start", name: "open_page" }),
    "event-of-a-type-in-capitals": inserted({ type: "STATUS", status: "running" }),
  }),
  ...listBreaking("stream.no-other-types", {
    "event-of-an-unknown-type": inserted({ type: "progress", percent: 7 }),
    "event-of-a-heartbeat": inserted({ type: "ping" }),
    "event-of-the-empty-type": inserted({ type: "" }),
    "event-of-an-inherited-type": inserted({ type: "constructor" }),
  }),
];

const ends = (ending: Ending): Fields[] => runEndingIn(ending);

/** Events after a terminal event, which are not allowed. */
const endFaults: readonly FaultyTarget[] = [
  ...listBreaking("stream.not-cut", {
    "stream-breaks-off": stream((answer) => ({ ...answer, pieces: answer.pieces.slice(0, 4), afterwards: "reset" })),
    "stream-breaks-off-within-an-event": stream((answer) => ({
      ...answer,
      pieces: [...answer.pieces.slice(0, -1), String(answer.pieces.at(-1)).slice(0, 30)],
      afterwards: "reset",
    })),
  }),
  ...listBreaking("stream.one-terminal-event", {
    "stream-ends-with-a-status": run((all) => [...all.slice(0, -1), { type: "status", status: "done" }]),
    ...Object.fromEntries(
      ["thinking-delta", "tool-start", "text-delta", "message-complete"].map((type) => [
        `stream-ends-with-${type}`,
        run((all) => all.slice(0, 1 + all.findIndex((event) => event["type"] === type.replace("-", "_")))),
      ]),
    ),
    "stream-of-comments": stream((answer) => ({ ...answer, pieces: [": still here\n\n"] })),
    "done-after-error": run(() => [...ends("error"), endings.done]),
    "cancelled-after-timeout": run(() => [...ends("timeout"), endings.cancelled]),
    "done-after-cancelled": run(() => [...ends("cancelled"), endings.done]),
    "all-four-terminal-events": appended(endings.error, endings.timeout, endings.cancelled),
  }),
  ...everyEnding.flatMap((ending) =>
    listBreaking(`event.${ending}.terminal`, {
      [`events-after-${ending}`]: run(() => [...ends(ending), ...ends(ending).slice(1, 7)]),
      [`delta-after-${ending}`]: run(() => [...ends(ending), { type: "text_delta", delta: "" }]),
    }),
  ),
  ...listBreaking("event.done.terminal", {
    "delta-after-done-without-a-blank-line": stream((answer) => ({
      ...answer,
      pieces: [`${joinBody(answer).trimEnd()}\ndata: {"type":"text_delta","delta":"late"}\n`],
    })),
  }),
  ...everyEnding.flatMap((ending) =>
    listBreaking(`stream.closes-after-${ending}`, {
      [`stays-open-after-${ending}`]: {
        ...run(() => ends(ending)),
        ...stream((answer) => ({ ...answer, afterwards: "nothing" })),
      },
    }),
  ),
  ...everyEnding.flatMap((ending) =>
    listBreaking("stream.no-reset", {
      [`breaks-off-after-${ending}`]: {
        ...run(() => ends(ending)),
        ...stream((answer) => ({ ...answer, afterwards: "reset" })),
      },
    }),
  ),
  ...listBreaking("stream.closes-after-done", {
    "sends-comments-after-done": stream((answer) => ({
      ...answer,
      pieces: [...answer.pieces, ...Array<string>(60).fill(":\n\n")],
      pauseMs: 10,
    })),
  }),
];

export const streamFaults: readonly FaultyTarget[] = [...formFaults, ...endFaults];
