import { verdict, type Check, type Judgement } from "../check.ts";
import { eventSchemas } from "../../contract/contract.ts";
import type { ObservedEvent } from "../../http/event-stream.ts";
import { describeEventPlace, type Stream, judgeEach, quoteStart, makeStreamCheck } from "./read-stream.ts";

function judgeTypes({ events }: Stream): Judgement {
  const objects = events.filter((event) => event.object !== undefined);
  return judgeEach(objects, "The stream had no JSON objects.", (event) =>
    verdict(event.type !== undefined, {
      where: `${describeEventPlace(event)} /type`,
      expected: "a string",
      received: quoteStart(JSON.stringify(event.object?.["type"]) ?? "nothing"),
    }),
  );
}

/** Normalizes the spelling of an event type: lower case, without separators. */
const bare = (type: string): string => type.toLowerCase().replaceAll(/[^a-z]/g, "");
const typesBySpelling: ReadonlyMap<string, string> = new Map(
  [...eventSchemas.keys()].map((type) => [bare(type), type]),
);

/** Returns the type of the interface that a type is a spelling of; undefined for any other type. */
export const findListedType = (type: string): string | undefined => typesBySpelling.get(bare(type));

const sessionData = "notte_session_data";

/**
 * Returns the type of the interface that an event stands for; undefined for a type of the target's own. Where no event is about the browser
 * session, one that has the key field of that event under the name `service_session_data` counts as such.
 */
function findMeaning({ object = {}, type = "" }: ObservedEvent, tellsOfSession: boolean): string | undefined {
  const isRenamed = !tellsOfSession && bare(type).endsWith("sessiondata") && Object.hasOwn(object, "viewer_url");
  return findListedType(type) ?? (isRenamed ? sessionData : undefined);
}

/** Compares the type of each event with the expected one. */
function judgeEachType(
  { events }: Stream,
  makeExpectation: (type: string, meaning: string | undefined) => string,
  findRequirement: (meaning: string | undefined) => string | undefined = () => undefined,
): Judgement {
  const tellsOfSession = events.some(({ type = "" }) => findListedType(type) === sessionData);
  const typedEvents = events.flatMap((event) => (event.type === undefined ? [] : [{ event, type: event.type }]));
  return judgeEach(typedEvents, "The stream had no events with a type.", ({ event, type }) => {
    const meaning = findMeaning(event, tellsOfSession);
    const expected = makeExpectation(type, meaning);
    const where = `${describeEventPlace(event)} /type`;
    return verdict(type === expected, {
      requirement: findRequirement(meaning),
      where,
      expected,
      received: quoteStart(type),
    });
  });
}

/** Types whose spelling has a requirement of its own. */
const spellingRequirements: ReadonlyMap<string | undefined, string> = new Map([
  ["done", "event.done.type"],
  [sessionData, "event.notte_session_data.type-exact"],
]);

/** Judges the spelling of the event types in the table of the interface. Other types are left open. */
const judgeSpelling = (stream: Stream): Judgement =>
  judgeEachType(
    stream,
    (type, meaning) => meaning ?? type,
    (meaning) => spellingRequirements.get(meaning),
  );

/** Judges that each event type is in the table. A misspelled one counts as listed. */
const judgeListed = (stream: Stream): Judgement =>
  judgeEachType(stream, (type, meaning) => (meaning === undefined ? "one of the twelve types of the interface" : type));

/** Checks of the types of the events. Source: interface § Events. */
export const eventTypeChecks: readonly Check[] = [
  makeStreamCheck("stream/event-type", judgeTypes),
  {
    ...makeStreamCheck("stream/known-types", judgeSpelling),
    requirements: ["stream.known-types", ...spellingRequirements.values()],
  },
  makeStreamCheck("stream/types-are-listed", judgeListed),
];
