import { makeCheck, coverAnswers } from "../make-check.ts";
import { combine, nothingSeen, type Check, type Judgement } from "../check.ts";
import { mediaType, type Exchange } from "../../http/exchange.ts";
import { runProbeIds } from "./automation.ts";
import { onStream, type Stream } from "./read-stream.ts";

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

/** Shortens what a finding quotes. */
export function quote(text: string): string {
  return text.length > quoteLimit ? `${text.slice(0, quoteLimit)}…` : text;
}
