/** Streams that break one sentence of the interface, as they come over the wire. */
import type { PinnedReadings } from "../../src/contract/readings.ts";
import type { Answer } from "../server.ts";

/** One faulty stream. */
export interface StreamFault {
  /** The fault, as the end of a sentence about a stream. */
  readonly name: string;
  /** The one requirement that is broken. */
  readonly requirement: string;
  /** Changes the answer of a conforming server to a run. */
  readonly change: (answer: Answer) => Answer;
  /** The bytes that are written, in place of the text. */
  readonly bytes?: (text: string) => Uint8Array;
  /** Breaks the connection after the last piece. */
  readonly breaksOff?: true;
  /** Pinned readings. Default: the most tolerant values. */
  readonly readings?: PinnedReadings;
}

const text =
  (change: (body: string) => string): StreamFault["change"] =>
  (answer) => ({ ...answer, body: change(answer.body) });

const once = (from: string, to: string): StreamFault["change"] => text((body) => body.replace(from, to));
const everywhere = (from: string, to: string): StreamFault["change"] => text((body) => body.replaceAll(from, to));

/** Changes the first event of a type, as text. */
const event = (type: string, change: (line: string) => string): StreamFault["change"] =>
  text((body) => {
    const line = body.split("\n").find((one) => one.includes(`"type":"${type}"`));
    if (line === undefined) throw new Error(`no event of the type ${type}`);
    return body.replace(line, () => change(line));
  });

/** Writes another line in place of the first event, which tells a status. */
const firstLine = (line: string): StreamFault["change"] => event("status", () => line);

/** Changes a part of the first event of a type. */
const within = (type: string, part: RegExp | string, to: string): StreamFault["change"] =>
  event(type, (line) => line.replace(part, to));

const pretty = (line: string, prefix: string): string =>
  `data: ${JSON.stringify(JSON.parse(line.slice("data: ".length)), null, 1).replaceAll("\n", `\n${prefix}`)}`;

const nonTerminal = ["status", "thinking_delta", "text_delta", "tool_start", "message_complete"];
const lineForm = "stream.line-form";
const oneObject = "stream.data-is-json-object";
const oneTerminal = "stream.one-terminal-event";
const hasType = "stream.event-has-type";
const knownTypes = "stream.known-types";
const noOtherTypes = "stream.no-other-types";
const closed: PinnedReadings = { "events.unknown-type": "closed" };

/** The table. */
export const streamServerFaults: readonly StreamFault[] = [
  { name: "has no space after `data:`", requirement: lineForm, change: everywhere("data: ", "data:") },
  { name: "has a tab after `data:`", requirement: lineForm, change: everywhere("data: ", "data:\t") },
  { name: "writes one event without a space", requirement: lineForm, change: once("data: ", "data:") },
  { name: "is JSON lines, without `data: `", requirement: lineForm, change: everywhere("data: ", "") },
  { name: "indents its lines", requirement: lineForm, change: everywhere("data: ", " data: ") },
  { name: "writes DATA in capitals", requirement: lineForm, change: everywhere("data: ", "DATA: ") },
  {
    name: "spreads one event over several data lines",
    requirement: lineForm,
    change: event("tool_start", (line) => pretty(line, "data: ")),
  },
  {
    name: "spreads its last event over several data lines",
    requirement: lineForm,
    change: event("done", (line) => pretty(line, "data: ")),
  },
  {
    name: "spreads one event over lines without `data: `",
    requirement: lineForm,
    change: event("tool_start", (line) => pretty(line, "")),
  },
  { name: "has a line that is no event", requirement: lineForm, change: once("data: ", "hello\ndata: ") },
  { name: "has a data line that is no JSON", requirement: oneObject, change: firstLine("data: running") },
  {
    name: "has an array for an event",
    requirement: oneObject,
    change: event("status", (line) => `data: [${line.slice(6)}]`),
  },
  { name: "has a string for an event", requirement: oneObject, change: firstLine('data: "status"') },
  { name: "has null for an event", requirement: oneObject, change: firstLine("data: null") },
  { name: "has an empty data line", requirement: oneObject, change: firstLine("data: ") },
  {
    name: "has two objects on one line",
    requirement: oneObject,
    change: event("status", (line) => `${line}${line.slice(6)}`),
  },
  {
    name: "cuts an event in its middle",
    requirement: oneObject,
    change: event("tool_start", (line) => line.slice(0, -5)),
  },
  {
    name: "cuts its last event in its middle",
    requirement: oneObject,
    change: event("done", (line) => line.slice(0, -5)),
  },
  { name: "ends with [DONE]", requirement: oneObject, change: text((body) => `${body}data: [DONE]\n\n`) },
  {
    name: "is Latin-1 and not UTF-8",
    requirement: oneObject,
    change: event("text_delta", (line) => line.replace('"delta":"', '"delta":"é')),
    bytes: (body) => Buffer.from(body.replaceAll(/[\u0100-\uffff]/g, "?"), "latin1"),
  },
  { name: "has an event without a type", requirement: hasType, change: firstLine('data: {"status":"x"}') },
  { name: "has an event whose type is a number", requirement: hasType, change: firstLine('data: {"type":3}') },
  { name: "has an event whose type is null", requirement: hasType, change: firstLine('data: {"type":null}') },
  { name: "ends with an event without a type", requirement: hasType, change: within("done", '"type":"done",', "") },
  {
    name: "has an event of a thirteenth type",
    requirement: noOtherTypes,
    change: firstLine('data: {"type":"ping"}'),
    readings: closed,
  },
  { name: "writes a type in capitals", requirement: knownTypes, change: once('"type":"status"', '"type":"STATUS"') },
  {
    name: "ends with `finished`",
    requirement: "stream.terminal-types",
    change: once('"type":"done"', '"type":"finished"'),
  },
  {
    name: "names the vendor's event by another word",
    requirement: "event.notte_session_data.type-exact",
    change: everywhere("notte_session_data", "session_data"),
  },
  ...nonTerminal.map((type): StreamFault => ({
    name: `ends after an event of the type ${type}`,
    requirement: oneTerminal,
    change: text((body) => {
      const kept = body.slice(0, body.indexOf('data: {"type":"done"'));
      return `${kept}${body.split("\n").find((line) => line.includes(`"type":"${type}"`))}\n\n`;
    }),
  })),
  { name: "has no event at all", requirement: oneTerminal, change: text(() => "") },
  { name: "has nothing but comments", requirement: oneTerminal, change: text(() => ": still here\n\n") },
  {
    name: "breaks off before the terminal event",
    requirement: "stream.not-cut",
    readings: { "stream.cut": "whole" },
    change: text((body) => body.slice(0, body.indexOf('data: {"type":"done"'))),
    breaksOff: true,
  },
  {
    name: "breaks off in the middle of an event",
    requirement: "stream.not-cut",
    readings: { "stream.cut": "whole" },
    change: text((body) => body.slice(0, body.indexOf('data: {"type":"done"') + 30)),
    breaksOff: true,
  },
  { name: "says `done` twice", requirement: oneTerminal, change: event("done", (line) => `${line}\n\n${line}`) },
  {
    name: "says `cancelled` after `done`",
    requirement: oneTerminal,
    change: text((body) => `${body}data: {"type":"cancelled","reason":"late"}\n\n`),
  },
  {
    name: "goes on after `done`",
    requirement: "event.done.terminal",
    change: text((body) => `${body}data: {"type":"status","status":"late"}\n\n`),
  },
  {
    name: "goes on after `error`",
    requirement: "event.error.terminal",
    change: text(() => 'data: {"type":"error","error":"x","detail":""}\n\ndata: {"type":"status","status":"late"}\n\n'),
  },
  {
    name: "goes on after `done` on the same piece of bytes, without a blank line",
    requirement: "event.done.terminal",
    change: text((body) => `${body.trimEnd()}\ndata: {"type":"text_delta","delta":"late"}\n`),
  },
  {
    name: "stays open after `done`",
    requirement: "stream.closes-after-done",
    change: (answer) => ({ ...answer, leaveOpen: true }),
  },
  {
    name: "stays open after `timeout`",
    requirement: "stream.closes-after-timeout",
    change: (answer) => ({ ...answer, body: 'data: {"type":"timeout","reason":"x","detail":""}\n\n', leaveOpen: true }),
  },
  {
    name: "comes as text/plain",
    requirement: "stream.content-type",
    change: (answer) => ({ ...answer, headers: { "content-type": "text/plain" } }),
  },
  {
    name: "is one JSON document",
    requirement: "stream.server-sent-events",
    change: (answer) => ({ ...answer, headers: { "content-type": "application/json" }, body: '{"type":"done"}' }),
  },
  {
    name: "is an array of events",
    requirement: "stream.server-sent-events",
    change: (answer) => ({ ...answer, headers: { "content-type": "application/json" }, body: '[{"type":"done"}]' }),
  },
  {
    name: "comes with status 201",
    requirement: "automation.status-200",
    change: (answer) => ({ ...answer, status: 201 }),
  },
  {
    name: "has a cost that is a string",
    requirement: "event.done.total_cost_usd-number",
    change: within("done", /"total_cost_usd":[\d.]+/, '"total_cost_usd":"0.04"'),
  },
  {
    name: "has a cost that is null",
    requirement: "event.done.total_cost_usd-number",
    change: within("done", /"total_cost_usd":[\d.]+/, '"total_cost_usd":null'),
  },
  {
    name: "has no cost",
    requirement: "limits.cost-reported",
    change: within("done", /"total_cost_usd":[\d.]+,?/, ""),
  },
  {
    name: "has a function identifier that is no UUID",
    requirement: "event.done.function_id-uuid",
    change: within("done", /"function_id":"[^"]+"/, '"function_id":"fn_1"'),
  },
  {
    name: "has a function identifier without dashes",
    requirement: "event.function_uploaded.function_id-uuid",
    change: event("function_uploaded", (line) =>
      line.replace(/"function_id":"([^"]+)"/, (_, id: string) => `"function_id":"${id.replaceAll("-", "")}"`),
    ),
  },
  {
    name: "has a thread identifier in braces",
    requirement: "event.done.metadata.thread_id-uuid",
    change: within("done", /"thread_id":"([^"]+)"/, '"thread_id":"{$1}"'),
  },
  {
    name: "has no thread identifier",
    requirement: "event.done.metadata.thread_id",
    change: within("done", /"thread_id":"[^"]+"/, '"thread":1'),
  },
];
