import { nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { terminalTypes, type ObservedEvent } from "../../http/event-stream.ts";
import { bodyBytes, type Exchange } from "../../http/exchange.ts";
import type { Stream } from "./read-stream.ts";
import { isNoStream, noStream, makeStreamCheck } from "./stream-check.ts";

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
