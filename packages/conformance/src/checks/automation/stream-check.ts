import { combine, nothingSeen, type Check, type Judgement } from "../check.ts";
import type { Operation } from "../../contract/contract.ts";
import { isAnswerOf, mediaType } from "../../http/exchange.ts";
import { runProbeIds } from "./automation.ts";
import { onStream, type Stream } from "./read-stream.ts";

const operation: Operation = "automation_start";

/** Judges a stream; findings name the requirement. */
type StreamJudge = (stream: Stream, requirement: string) => Judgement;

/** Returns a check `stream/<name>` of whole streams. The first requirement is the one that a finding names. */
export function streamCheck(
  name: string,
  title: string,
  requirements: readonly [string, ...string[]],
  judge: StreamJudge,
  needs: Check["needs"] = [],
): Check {
  return eventStreamCheck(`stream/${name}`, title, requirements, judge, needs);
}

/** Returns a check of streams by its whole id, such as one of the events in them. */
export function eventStreamCheck(
  id: string,
  title: string,
  requirements: readonly [string, ...string[]],
  judge: StreamJudge,
  needs: Check["needs"] = [],
): Check {
  return {
    id,
    title,
    requirements,
    probes: runProbeIds,
    appliesTo: (exchange) => isAnswerOf(operation, exchange),
    needs,
    judge: (exchange) => onStream(exchange, (stream) => judge(stream, requirements[0])),
  };
}

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
