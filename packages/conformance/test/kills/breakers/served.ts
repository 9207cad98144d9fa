/** Operations that are not where they should be, or not as they should be reached. */
import { joinBody, json } from "../../targets/messages.ts";
import { breaking, where, type Breaker } from "../breaker.ts";
import { isBare } from "./reads.ts";
import { isOrdinary } from "./scrapes.ts";
import { type Change, mediaType, status } from "../../targets/parts.ts";

/** A redirect to the same path with a version in it. */
const toVersion =
  (version: string): Change =>
  (_, { path }) => ({ status: 308, headers: { location: `/${version}${path}` }, pieces: [] });

const versions = { v1: toVersion("v1"), "v1-4-40": toVersion("v1.4.40"), "a-date": toVersion("2026-11-01") };

/** The ways in which an operation is not there. */
function unserved(subject: "scrape" | "cookies" | "replay" | "run", word: string, address: string): Breaker[] {
  const moved = Object.fromEntries(Object.entries(versions).map(([name, to]) => [`${word}-is-moved-to-${name}`, to]));
  const statuses = [
    breaking(subject, `${word}.method-and-path`, { [`${word}-answers-405`]: status(405) }),
    breaking(subject, address, { [`${word}-answers-421`]: status(421) }),
    breaking(subject, "answers.no-redirect", moved),
  ];
  return statuses.flat();
}

const offered = (subject: "scrape" | "cookies" | "replay"): Breaker[] =>
  breaking(subject, `service.offers-${subject}`, { [`${subject}-answers-501`]: status(501) });

const missingBody: Change = () => json(422, { detail: [{ loc: ["body"], msg: "missing", type: "missing" }] });

const withoutBody = (subject: "cookies" | "replay"): Breaker[] =>
  breaking(subject, `${subject}.no-body`, {
    [`${subject}-asks-for-a-length`]: status(411),
    [`${subject}-asks-for-a-media-type`]: status(415),
    [`${subject}-asks-for-a-body`]: missingBody,
  });

/** Answers with an event stream, where there is none. */
const eventsHere = (subject: "scrape" | "cookies" | "replay"): Breaker[] =>
  breaking(subject, "stream.events-only-here", {
    [`${subject}-is-an-event`]: (answer) => ({ ...answer, pieces: [`data: ${joinBody(answer)}\n\n`] }),
    ...(subject === "scrape"
      ? {}
      : {
          [`${subject}-is-a-stream`]: (answer, request) =>
            mediaType("text/event-stream")({ ...answer, pieces: [": wait\n\n"] }, request),
        }),
  } satisfies Record<string, Change>);

const reads = (["cookies", "replay"] as const).map((subject) => {
  const bare = [unserved(subject, subject, "address.base_url"), offered(subject), withoutBody(subject)].flat();
  return where(isBare, bare).concat(eventsHere(subject));
});

/** The table. */
export const servedBreakers: readonly Breaker[] = [
  ...where(isOrdinary, unserved("scrape", "scrape", "address.base_url").concat(offered("scrape"))),
  ...eventsHere("scrape"),
  ...reads.flat(),
  ...unserved("run", "automation", "address.automation_url"),
];
