import { inError, notAbout, type Judgement, combine, nothingSeen, type Check } from "../check.ts";
import { streamEvents, streamLines, type ObservedEvent, type StreamLine } from "../../http/event-stream.ts";
import { bodyText, codedBody, type Exchange, type RawResponse, mediaType } from "../../http/exchange.ts";
import { makeCheck, coverAnswers } from "../make-check.ts";
import { runProbeIds } from "./automation.ts";

/** A stream that was read to its end: its lines, its events, and the answer that it came in. */
export interface Stream {
  /** The answer that it came in. */
  readonly response: RawResponse;
  /** Every line, blank ones and comments too. */
  readonly lines: readonly StreamLine[];
  /** Every event, in order. */
  readonly events: readonly ObservedEvent[];
}

/** Cache of parsed streams, since many checks judge the same one. */
const streams = new WeakMap<RawResponse, Stream>();

/** Judges the stream of an exchange, when it has one. */
export function onStream(exchange: Exchange, judge: (stream: Stream) => Judgement): Judgement {
  const { response } = exchange;
  if (response?.status !== 200) return notAbout("No run was answered with 200.");
  if (response.undecoded === "unknown")
    return inError(`The response has ${codedBody.unknown}, which the suite does not judge.`);
  return judge(streams.get(response) ?? readWhole(response));
}

function readWhole(response: RawResponse): Stream {
  const lines = listWholeLines(response);
  const stream = { response, lines, events: streamEvents(lines) };
  streams.set(response, stream);
  return stream;
}

/** Returns the lines of a stream. A last line that was cut off is left out, unless it is a complete event. */
function listWholeLines(response: RawResponse): StreamLine[] {
  const lines = streamLines(bodyText(response));
  const last = lines.at(-1);
  if (response.end === "complete" || last?.end !== "none") return lines;
  return streamEvents([last])[0]?.object ? lines : lines.slice(0, -1);
}

/** Describes the place of an event, for findings. */
export function describeEventPlace(event: ObservedEvent): string {
  return `event ${event.number} (line ${event.line})`;
}

/** Makes a check of the streams of all runs, by its whole id. */
export const makeStreamCheck = (
  id: string,
  judge: (stream: Stream, exchange: Exchange) => Judgement,
  needs: Check["needs"] = [],
): Check =>
  makeCheck(id, runProbeIds, (exchange) => onStream(exchange, (stream) => judge(stream, exchange)), {
    ...coverAnswers("automation_start"),
    needs,
  });

/** Judges each item; an empty list shows nothing. */
export function judgeEach<Item>(items: readonly Item[], reason: string, judge: (item: Item) => Judgement): Judgement {
  return combine(items.map(judge), reason);
}

/** Returns whether a response of another media type has no events, so that it is not a stream. Another check reports it. */
export function isNoStream({ response, events }: Stream): boolean {
  return events.length === 0 && mediaType(response) !== "text/event-stream";
}

/** Judgement of an answer that is not a stream. */
export const noStream = nothingSeen("The answer was not a stream.");

/** Longest piece of a line that a finding quotes, in characters. */
const quoteLimit = 120;

/** Returns the start of a line, as a finding quotes it. */
export function quoteStart(text: string): string {
  return text.length > quoteLimit ? `${text.slice(0, quoteLimit)}…` : text;
}
