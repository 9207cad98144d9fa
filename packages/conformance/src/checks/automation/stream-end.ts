import { inError, nothingSeen, verdict, type Check, type Judgement, combine } from "../check.ts";
import { terminalTypes, type ObservedEvent } from "../../http/event-stream.ts";
import { findListedType } from "./event-types.ts";
import {
  describeEventPlace,
  type Stream,
  isNoStream,
  judgeEach,
  noStream,
  quoteStart,
  makeStreamCheck,
} from "./read-stream.ts";
import { bodyBytes, type Exchange } from "../../http/exchange.ts";

function listTerminalEvents(events: readonly ObservedEvent[]): ObservedEvent[] {
  return events.filter((event) => event.type !== undefined && terminalTypes.has(event.type));
}

/** Returns the reason why the terminal event may be there but unreadable; other checks report that fault. */
function explainUnreadableEnd({ lines, events }: Stream): string | undefined {
  const last = events.at(-1);
  if (!last) return lines.some(({ kind }) => kind === "other") ? "No line of the stream is an event." : undefined;
  if (last.object === undefined) return "The last event is not a JSON object.";
  if (last.type === undefined) return "The last event has no type.";
  const meaning = findListedType(last.type);
  return meaning === undefined || meaning === last.type ? undefined : "The type of the last event is misspelled.";
}

/** Returns whether the last event is of a type that the interface does not list: a terminal type of the target's own. */
function endsInUnlisted(events: readonly ObservedEvent[]): boolean {
  const type = events.at(-1)?.type;
  return type !== undefined && findListedType(type) === undefined;
}

function judgeOneTerminal(stream: Stream): Judgement {
  if (isNoStream(stream)) return noStream;
  const { response, events } = stream;
  const terminal = listTerminalEvents(events);
  const unreadable = terminal.length === 0 ? explainUnreadableEnd(stream) : undefined;
  if (unreadable !== undefined) return nothingSeen(unreadable);
  if (terminal.length === 0 && (response.end === "timeout" || response.end === "too-large")) {
    return inError(`No terminal event came before the suite's own limit was reached (${response.end}).`);
  }
  if (terminal.length === 0 && response.end === "reset") {
    const advice = "Does a proxy limit how long an answer may take, or was the network down?";
    return inError(`The connection broke before a terminal event, after ${events.length} events. ${advice}`);
  }
  const endsOtherwise = terminal.length === 0 && response.end === "complete" && endsInUnlisted(events);
  return verdict(terminal.length === 1, {
    requirement: endsOtherwise ? "stream.terminal-types" : undefined,
    where: terminal.length > 1 ? terminal.map(describeEventPlace).join(" and ") : "end of the stream",
    expected: "exactly one terminal event: done, error, timeout or cancelled",
    received:
      terminal.length > 1
        ? `${terminal.length} terminal events: ${terminal.map((event) => event.type).join(", ")}`
        : `none among ${events.length} events`,
  });
}

/** Judges that no event follows the terminal one. Other checks report a second terminal event and lines that are not events. */
function judgeNothingAfter(type: string, { events }: Stream): Judgement {
  const [terminal] = listTerminalEvents(events);
  if (terminal?.type !== type) return nothingSeen(`No stream ended with ${type}.`);
  const later = events.filter(
    (event) => event.number > terminal.number && event.object !== undefined && !terminalTypes.has(event.type ?? ""),
  );
  if (later.length === 0) return { assertions: 1, findings: [] };
  return judgeEach(later, "", (event) =>
    verdict(false, {
      // An event that a run sends while it goes on says that it has not ended; anything else is only more of the stream.
      requirement: findListedType(event.type ?? "") !== undefined ? `event.${type}.terminal` : undefined,
      where: describeEventPlace(event),
      expected: `nothing after the terminal event \`${terminal.type}\` (line ${terminal.line})`,
      received: `an event of the type ${quoteStart(event.type ?? "undefined")}`,
    }),
  );
}

function judgeCloses(type: string, { response, events }: Stream): Judgement {
  if (listTerminalEvents(events)[0]?.type !== type) return nothingSeen(`No stream ended with ${type}.`);
  const { end } = response;
  return verdict(end === "complete" || end === "reset", {
    where: "end of the stream",
    expected: `the stream closes after \`${type}\``,
    received: end === "still-open" ? "a stream that stays open" : `a stream that ended by ${end}`,
  });
}

/** Judges that the stream does not end with a connection reset, which is assumed only: a reset closes the connection as well. */
function judgeOrderly({ response, events }: Stream): Judgement {
  if (listTerminalEvents(events).length === 0) return nothingSeen("No stream ended with a terminal event.");
  if (response.end !== "complete" && response.end !== "reset") return nothingSeen("The stream did not close.");
  return verdict(response.end === "complete", {
    where: "end of the stream",
    expected: "the end of the body",
    received: "a connection that was reset",
  });
}

/** Checks of how the event stream ends. Source: interface § States and transitions. */
export const streamEndChecks: readonly Check[] = [
  makeStreamCheck("stream/closes-without-reset", judgeOrderly),
  makeStreamCheck("stream/one-terminal-event", judgeOneTerminal),
  ...[...terminalTypes].flatMap((type): Check[] => [
    {
      ...makeStreamCheck(`stream/nothing-after-${type}`, (stream) => judgeNothingAfter(type, stream)),
      requirements: ["stream.ends-after-terminal-event", `event.${type}.terminal`],
    },
    makeStreamCheck(`stream/closes-after-${type}`, (stream) => judgeCloses(type, stream), ["streams"]),
  ]),
];

const findTerminal = ({ events }: Stream): ObservedEvent | undefined =>
  events.find(({ type }) => type !== undefined && terminalTypes.has(type));

/** Judges that the connection of a stream does not break before its terminal event. */
function judgeWhole(stream: Stream): Judgement {
  if (isNoStream(stream)) return noStream;
  const { response, events } = stream;
  const isCut = response.end === "reset" && findTerminal(stream) === undefined;
  if (!isCut && response.end !== "complete" && findTerminal(stream) === undefined)
    return nothingSeen("The stream was not read to its end.");
  return verdict(!isCut, {
    where: "end of the stream",
    expected: "a terminal event before the connection ends",
    received: `a connection that broke after ${events.length} events`,
  });
}

/** Longest time from a terminal event to the close of its stream, in milliseconds, in the strict reading. */
const soonMs = 5_000;

/** Returns the time at which the terminal event of a stream had arrived, in milliseconds from the request. */
function parseArrival(terminal: ObservedEvent, { response }: Stream): number | undefined {
  const text = Buffer.from(terminal.text);
  let left = Buffer.from(bodyBytes(response)).indexOf(text) + text.length;
  return response.chunks.find(({ bytes }) => (left -= bytes.length) <= 0)?.atMs;
}

/** Judges how soon after its terminal event a stream closes. Another check judges whether it closes at all. */
function judgeSoon(stream: Stream, { durationMs }: Exchange): Judgement {
  const terminal = findTerminal(stream);
  const { end } = stream.response;
  const arrival = terminal && parseArrival(terminal, stream);
  if (arrival === undefined || (end !== "complete" && end !== "reset"))
    return nothingSeen("No stream closed after a terminal event.");
  const ms = durationMs - arrival;
  return verdict(ms <= soonMs, {
    where: "end of the stream",
    expected: `a close within ${soonMs / 1000} seconds of the terminal event`,
    received: `a close after ${(ms / 1000).toFixed(1)} seconds`,
  });
}

/** Checks of what the interface leaves open about the end of a stream. Source: interface § States and transitions, § Limits. */
export const streamEndingChecks: readonly Check[] = [
  makeStreamCheck("stream/breaks-not-off", judgeWhole),
  makeStreamCheck("stream/closes-soon", judgeSoon),
];

/** Judges what is written after the terminal event. Other checks judge further events there, under any reading of the sentence. */
function judgeAfterEnd({ lines, events }: Stream): Judgement {
  const terminal = events.find(({ type }) => type !== undefined && terminalTypes.has(type));
  if (!terminal) return nothingSeen("No stream ended with a terminal event.");
  const after = lines.filter(({ number }) => number > terminal.line);
  const blank = after.findIndex(({ kind }) => kind === "blank");
  // The fields of server-sent events that follow at once belong to the terminal event itself.
  const late = after.filter(({ kind }, at) => kind === "comment" || (kind === "field" && blank >= 0 && at > blank));
  if (late.length === 0) return { assertions: 1, findings: [] };
  return combine(
    late.map(({ number, kind }) =>
      verdict(false, {
        where: `line ${number}`,
        expected: `nothing but blank lines after the terminal event (line ${terminal.line})`,
        received: kind === "comment" ? "a comment" : "a field of server-sent events",
      }),
    ),
    "",
  );
}

/** Check that nothing follows the end of a stream. Source: interface § States and transitions. */
export const afterEndCheck: Check = makeStreamCheck("stream/nothing-written-after-end", judgeAfterEnd);
