import { combine, inError, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import { eventSchemas } from "../../contract/contract.ts";
import { terminalTypes, type StreamEvent } from "../../http/event-stream.ts";
import { bodyBytes, isAnswerOf, mediaType } from "../../http/exchange.ts";
import { runProbeIds } from "./automation.ts";
import { onStream, placeOf, type Stream } from "./read-stream.ts";

const operation: Operation = "automation_start";

type StreamJudge = (stream: Stream, requirement: string) => Judgement;

/** A check of whole streams. The first requirement is the one that a finding names. */
function streamCheck(
  name: string,
  title: string,
  requirements: readonly [string, ...string[]],
  judge: StreamJudge,
  needs: Check["needs"] = [],
): Check {
  return {
    id: `stream/${name}`,
    title,
    requirements,
    level: "stated",
    operation,
    probes: runProbeIds,
    appliesTo: (exchange) => isAnswerOf(operation, exchange),
    needs,
    judge: (exchange) => onStream(exchange, (stream) => judge(stream, requirements[0])),
  };
}

/** Judges each item; an empty list shows nothing. */
function judgeEach<Item>(items: readonly Item[], reason: string, judge: (item: Item) => Judgement): Judgement {
  return combine(items.map(judge), reason);
}

function judgeUtf8({ response }: Stream, requirement: string): Judgement {
  const bytes = bodyBytes(response);
  const finding = { requirement, where: "body", expected: "UTF-8", received: "bytes that are not UTF-8" };
  if (bytes.length === 0) return nothingSeen("The stream was empty.");
  // A stream that was cut may end inside a character: only a complete one is held to its last byte.
  const cut = response.end !== "complete";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: cut });
    return verdict(true, finding);
  } catch {
    return verdict(false, finding);
  }
}

/** Returns whether a response of another media type has no events, so that it is not a stream. Another check reports it. */
function isNoStream({ response, events }: Stream): boolean {
  return events.length === 0 && mediaType(response) !== "text/event-stream";
}

const noStream = nothingSeen("The answer was not a stream.");

/** Comments, blank lines and the other fields of server-sent events are neither stated nor excluded. */
function judgeLineForm(stream: Stream, requirement: string): Judgement {
  if (isNoStream(stream)) return noStream;
  const { lines, events } = stream;
  const spread = events.filter((event) => event.lines > 1);
  const inside = new Set(
    spread.flatMap(({ line, lines: count }) => Array.from({ length: count }, (_, at) => line + at)),
  );
  const written = lines.filter((line) => (line.kind === "data" || line.kind === "other") && !inside.has(line.number));
  const expected = "`data: ` followed by a JSON object";
  return combine(
    [
      ...written.map((line) => {
        const holds = line.kind === "data" && line.text.startsWith("data: ");
        return verdict(holds, { requirement, where: `line ${line.number}`, expected, received: quote(line.text) });
      }),
      ...spread.map((event) =>
        verdict(false, {
          requirement,
          where: placeOf(event),
          expected: `one line: ${expected}`,
          received: `an event that is spread over ${event.lines} lines`,
        }),
      ),
    ],
    "The stream had no lines.",
  );
}

function judgeJsonObjects({ events }: Stream, requirement: string): Judgement {
  return judgeEach(events, "The stream had no data lines.", (event) =>
    verdict(event.object !== undefined, {
      requirement,
      where: placeOf(event),
      expected: "a JSON object on one line",
      received: event.text === "" ? "nothing after `data:`" : quote(event.text),
    }),
  );
}

function judgeTypes({ events }: Stream, requirement: string): Judgement {
  const objects = events.filter((event) => event.object !== undefined);
  return judgeEach(objects, "The stream had no JSON objects.", (event) =>
    verdict(event.type !== undefined, {
      requirement,
      where: `${placeOf(event)} /type`,
      expected: "a string",
      received: quote(JSON.stringify(event.object?.["type"]) ?? "nothing"),
    }),
  );
}

/** Normalizes the spelling of an event type: lower case, without separators. */
const bare = (type: string): string => type.toLowerCase().replaceAll(/[^a-z]/g, "");
const listed: ReadonlyMap<string, string> = new Map([...eventSchemas.keys()].map((type) => [bare(type), type]));

const sessionData = "notte_session_data";

/**
 * Returns the type of the interface that an event means; undefined when it is of a type of its own. Where no event tells of the browser
 * session, one with its key field that is called `service_session_data` does.
 */
function meantType({ object = {}, type = "" }: StreamEvent, tellsOfSession: boolean): string | undefined {
  const isRenamed = !tellsOfSession && bare(type).endsWith("sessiondata") && Object.hasOwn(object, "viewer_url");
  return listed.get(bare(type)) ?? (isRenamed ? sessionData : undefined);
}

/** Compares the type of each event with the one that is wanted. */
function judgeEachType(
  { events }: Stream,
  requirementOf: (meant: string | undefined) => string,
  wanted: (type: string, meant: string | undefined) => string,
): Judgement {
  const tellsOfSession = events.some(({ type = "" }) => listed.get(bare(type)) === sessionData);
  const typed = events.flatMap((event) => (event.type === undefined ? [] : [{ event, type: event.type }]));
  return judgeEach(typed, "The stream had no events with a type.", ({ event, type }) => {
    const meant = meantType(event, tellsOfSession);
    const expected = wanted(type, meant);
    const where = `${placeOf(event)} /type`;
    return verdict(type === expected, { requirement: requirementOf(meant), where, expected, received: quote(type) });
  });
}

/** Types of which a sentence of their own says how they are spelled. */
const spelled: ReadonlyMap<string | undefined, string> = new Map([
  ["done", "event.done.type"],
  [sessionData, "event.notte_session_data.type-exact"],
]);

/** Judges the spelling of the event types in the table of the interface. Other types are left open. */
function judgeSpelling(stream: Stream, requirement: string): Judgement {
  return judgeEachType(
    stream,
    (meant) => spelled.get(meant) ?? requirement,
    (type, meant) => meant ?? type,
  );
}

/** Judges that each event type is in the table. A misspelled one counts as listed. */
function judgeListed(stream: Stream, requirement: string): Judgement {
  return judgeEachType(
    stream,
    () => requirement,
    (type, meant) => (meant === undefined ? "one of the twelve types of the interface" : type),
  );
}

function terminalEvents(events: readonly StreamEvent[]): StreamEvent[] {
  return events.filter((event) => event.type !== undefined && terminalTypes.has(event.type));
}

/** Returns the reason why the terminal event may be there but unreadable; other checks report that fault. */
function unreadableEnd({ lines, events }: Stream): string | undefined {
  const last = events.at(-1);
  if (!last) return lines.some(({ kind }) => kind === "other") ? "No line of the stream is an event." : undefined;
  if (last.object === undefined) return "The last event is not a JSON object.";
  if (last.type === undefined) return "The last event has no type.";
  const meant = listed.get(bare(last.type));
  return meant === undefined || meant === last.type ? undefined : "The type of the last event is misspelled.";
}

/** The sentence that lists the types that end a stream. */
const terminalRequirement = "stream.terminal-types";

/** Returns whether the last event is of a type that the interface does not list: a terminal type of the target's own. */
function endsInUnlisted(events: readonly StreamEvent[]): boolean {
  const type = events.at(-1)?.type;
  return type !== undefined && !listed.has(bare(type));
}

function judgeOneTerminal(stream: Stream, requirement: string): Judgement {
  if (isNoStream(stream)) return noStream;
  const { response, events } = stream;
  const terminal = terminalEvents(events);
  const unreadable = terminal.length === 0 ? unreadableEnd(stream) : undefined;
  if (unreadable !== undefined) return nothingSeen(unreadable);
  if (terminal.length === 0 && (response.end === "timeout" || response.end === "too-large")) {
    return inError(`No terminal event came before the suite's own limit was reached (${response.end}).`);
  }
  const endsOtherwise = terminal.length === 0 && response.end === "complete" && endsInUnlisted(events);
  return verdict(terminal.length === 1, {
    requirement: endsOtherwise ? terminalRequirement : requirement,
    where: terminal.length > 1 ? terminal.map(placeOf).join(" and ") : "end of the stream",
    expected: "exactly one terminal event: done, error, timeout or cancelled",
    received:
      terminal.length > 1
        ? `${terminal.length} terminal events: ${terminal.map((event) => event.type).join(", ")}`
        : `none among ${events.length} events${response.end === "reset" ? "; the connection broke" : ""}`,
  });
}

/** Judges that no event follows the terminal one. Other checks report a second terminal event and lines that are not events. */
function judgeNothingAfter(type: string, { events }: Stream, requirement: string): Judgement {
  const [terminal] = terminalEvents(events);
  if (terminal?.type !== type) return nothingSeen(`No stream ended with ${type}.`);
  const later = events.filter(
    (event) => event.number > terminal.number && event.object !== undefined && !terminalTypes.has(event.type ?? ""),
  );
  if (later.length === 0) return { seen: 1, findings: [] };
  return judgeEach(later, "", (event) =>
    verdict(false, {
      // An event that a run sends while it goes on says that it has not ended; anything else is only more of the stream.
      requirement: listed.has(bare(event.type ?? "")) ? `event.${type}.terminal` : requirement,
      where: placeOf(event),
      expected: `nothing after the terminal event \`${terminal.type}\` (line ${terminal.line})`,
      received: `an event of the type ${quote(event.type ?? "undefined")}`,
    }),
  );
}

function judgeCloses(type: string, { response, events }: Stream, requirement: string): Judgement {
  if (terminalEvents(events)[0]?.type !== type) return nothingSeen(`No stream ended with ${type}.`);
  const { end } = response;
  return verdict(end === "complete" || end === "reset", {
    requirement,
    where: "end of the stream",
    expected: `the stream closes after \`${type}\``,
    received: end === "still-open" ? "a stream that stays open" : `a stream that ended by ${end}`,
  });
}

/** Judges that the stream does not end with a connection reset, which is assumed only: a reset closes the connection as well. */
function judgeOrderly({ response, events }: Stream, requirement: string): Judgement {
  if (terminalEvents(events).length === 0) return nothingSeen("No stream ended with a terminal event.");
  if (response.end !== "complete" && response.end !== "reset") return nothingSeen("The stream did not close.");
  return verdict(response.end === "complete", {
    requirement,
    where: "end of the stream",
    expected: "the end of the body",
    received: "a connection that was reset",
  });
}

/** Longest piece of a line that a finding quotes, in characters. */
const quoteLimit = 120;

function quote(text: string): string {
  return text.length > quoteLimit ? `${text.slice(0, quoteLimit)}…` : text;
}

const assumed = (check: Check): Check => ({ ...check, level: "assumed" });

/** Checks of the event stream as a whole, on its raw bytes. Source: interface § Events, § States and transitions. */
export const streamChecks: readonly Check[] = [
  streamCheck("utf-8", "The stream is UTF-8.", ["stream.data-is-json-object"], judgeUtf8),
  streamCheck("line-form", "Each event is one line that begins with `data: `.", ["stream.line-form"], judgeLineForm),
  streamCheck("json-object", "Each data line holds one JSON object.", ["stream.data-is-json-object"], judgeJsonObjects),
  streamCheck("event-type", "Each event has a `type`.", ["stream.event-has-type"], judgeTypes),
  streamCheck(
    "known-types",
    "Each of the twelve types is spelled as it is listed.",
    ["stream.known-types", ...spelled.values()],
    judgeSpelling,
  ),
  assumed(
    streamCheck(
      "types-are-listed",
      "No event is of another type than the twelve.",
      ["stream.no-other-types"],
      judgeListed,
    ),
  ),
  assumed(
    streamCheck(
      "closes-without-reset",
      "The stream ends, and its connection is not reset.",
      ["stream.no-reset"],
      judgeOrderly,
    ),
  ),
  streamCheck(
    "one-terminal-event",
    "There is exactly one terminal event.",
    ["stream.one-terminal-event", terminalRequirement],
    judgeOneTerminal,
  ),
  ...[...terminalTypes].flatMap((type) => [
    streamCheck(
      `nothing-after-${type}`,
      `No event follows \`${type}\`.`,
      ["stream.ends-after-terminal-event", `event.${type}.terminal`],
      (stream, requirement) => judgeNothingAfter(type, stream, requirement),
    ),
    streamCheck(
      `closes-after-${type}`,
      `The stream closes after \`${type}\`.`,
      [`stream.closes-after-${type}`],
      (stream, requirement) => judgeCloses(type, stream, requirement),
      ["streams"],
    ),
  ]),
];
