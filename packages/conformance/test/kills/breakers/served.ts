/** Operations that are not where they should be, or not as they should be reached. */
import { inTurn, mediaType, refuse, send, status, text, type Change } from "../../targets/changes.ts";
import { breakAnswers, type AnswerFault } from "../../targets/fault.ts";
import { empty } from "../../targets/messages.ts";
import { isBare } from "./reads.ts";
import { isOrdinary } from "./scrapes.ts";

/** Redirects to the same path with a version in it. */
const moveTo =
  (version: string): Change =>
  (_, { path }) =>
    empty(308, { location: `/${version}${path}` });

/** The ways in which an operation is not there. */
const unserve = (
  subject: "scrape" | "cookies" | "replay" | "run",
  word: string,
  address: string,
  more: Partial<AnswerFault> = {},
): AnswerFault[] =>
  breakAnswers(
    subject,
    {
      [`${word}.method-and-path`]: { [`${word}-answers-405`]: status(405) },
      [address]: { [`${word}-answers-421`]: status(421) },
      "answers.no-redirect": {
        [`${word}-is-moved-to-v1`]: moveTo("v1"),
        [`${word}-is-moved-to-v1-4-40`]: moveTo("v1.4.40"),
        [`${word}-is-moved-to-a-date`]: moveTo("2026-11-01"),
      },
      ...(subject === "run" ? {} : { [`service.offers-${subject}`]: { [`${subject}-answers-501`]: status(501) } }),
    },
    more,
  );

/** Answers with an event, where there is no stream. */
const sendEvent = text((body) => `data: ${body}\n\n`);

/** The table. */
export const serviceBreakers: readonly AnswerFault[] = [
  ...unserve("scrape", "scrape", "address.base_url", { fits: isOrdinary }),
  ...breakAnswers("scrape", { "stream.events-only-here": { "scrape-is-an-event": sendEvent } }),
  ...(["cookies", "replay"] as const).flatMap((word) =>
    [
      unserve(word, word, "address.base_url", { fits: isBare }),
      breakAnswers(
        word,
        {
          [`${word}.no-body`]: {
            [`${word}-asks-for-a-length`]: status(411),
            [`${word}-asks-for-a-media-type`]: status(415),
            [`${word}-asks-for-a-body`]: refuse(422, [{ loc: ["body"], msg: "missing", type: "missing" }]),
          },
        },
        { fits: isBare },
      ),
      breakAnswers(word, {
        "stream.events-only-here": {
          [`${word}-is-an-event`]: sendEvent,
          [`${word}-is-a-stream`]: inTurn(send(": wait\n\n"), mediaType("text/event-stream")),
        },
      }),
    ].flat(),
  ),
  ...unserve("run", "automation", "address.automation_url"),
];
