import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { listProblems, type Schema } from "../../contract/contract.ts";
import type { ObservedEvent } from "../../http/event-stream.ts";
import { isObject } from "../../http/json.ts";
import { describeEventPlace, type Stream, makeStreamCheck, judgeEach } from "./read-stream.ts";
import { keyFields } from "./events.ts";

const uuid: Schema = { type: "string", format: "uuid" };

/** Identifiers, each with the places that have checks of their own. */
const identifiers = {
  function_id: ["function_uploaded /function_id", "done /function_id"],
  thread_id: ["done /metadata/thread_id"],
} as const;

/** Returns the values of that name in an event and in its metadata. Deeper ones, as in the result of a tool, may mean something else. */
function listValues(name: string, { object = {} }: ObservedEvent): (readonly [pointer: string, value: unknown])[] {
  const metadata = Object.hasOwn(object, "metadata") ? object["metadata"] : undefined;
  return [
    ...(Object.hasOwn(object, name) ? [[`/${name}`, object[name]] as const] : []),
    ...(isObject(metadata) && Object.hasOwn(metadata, name) ? [[`/metadata/${name}`, metadata[name]] as const] : []),
  ];
}

function judgeEvent(name: string, places: readonly string[], event: ObservedEvent): Judgement {
  const judgements = listValues(name, event).map(([pointer, value]): Judgement => {
    if (value === null) return nothingSeen("It was null.");
    const holds = places.includes(`${event.type} ${pointer}`) || listProblems(value, uuid).length === 0;
    const received = typeof value === "string" ? JSON.stringify(value) : typeof value;
    return verdict(holds, { where: `${describeEventPlace(event)} ${pointer}`, expected: "a UUID", received });
  });
  return combine(judgements, "");
}

/** Checks of identifiers in events, wherever they occur. Source: interface § Resources and their fields. */
export const identifierChecks: readonly Check[] = Object.entries(identifiers).map(([name, places]) =>
  makeStreamCheck(`event/any-${name}-valid`, ({ events }) =>
    judgeEach(events, `No event carried \`${name}\`.`, (event) => judgeEvent(name, places, event)),
  ),
);

const isUuid = (value: unknown): value is string => typeof value === "string" && listProblems(value, uuid).length === 0;

/** Returns the identifier of a function in an event, in lower case; undefined without one in UUID form, which other checks report. */
function findFunction({ object }: ObservedEvent): string | undefined {
  const id = object?.["function_id"];
  return isUuid(id) ? id.toLowerCase() : undefined;
}

const listEventsOfType = (type: string, { events }: Stream): ObservedEvent[] =>
  events.filter((event) => event.type === type);

/** Judges that a run ends with a function that it has created, where its events name any. */
function judgeFunction(stream: Stream): Judgement {
  const uploaded = listEventsOfType("function_uploaded", stream).map(findFunction);
  if (uploaded.length === 0) return nothingSeen("No stream reported a function that was created.");
  if (uploaded.includes(undefined)) return nothingSeen("An uploaded function has no identifier that can be compared.");
  return combine(
    listEventsOfType("done", stream).flatMap((event) => {
      const id = findFunction(event);
      if (id === undefined) return [];
      return verdict(uploaded.includes(id), {
        where: `${describeEventPlace(event)} /function_id`,
        expected: "the identifier in a `function_uploaded` event of the stream",
        received: "another one",
      });
    }),
    "No `done` event carried `function_id`.",
  );
}

/** Returns the values of a member of an event, and of its `metadata`. */
const listMembers = (
  name: string,
  { object }: ObservedEvent,
): readonly (readonly [pointer: string, value: unknown])[] => {
  const metadata = object?.["metadata"];
  return [
    [`/${name}`, object?.[name]],
    [`/metadata/${name}`, isObject(metadata) ? metadata[name] : undefined],
  ];
};

/** Judges that all events of a run name the thread that its `done` event names. */
function judgeThread(stream: Stream): Judgement {
  const [last] = listEventsOfType("done", stream).flatMap((event) => listMembers("thread_id", event).slice(1));
  const thread = last?.[1];
  if (!isUuid(thread)) return nothingSeen("No `done` event carried the identifier of a thread.");
  const others = stream.events.flatMap((event) =>
    listMembers("thread_id", event).flatMap(([pointer, value]) =>
      isUuid(value) && !(event.type === "done" && pointer !== "/thread_id") ? [{ event, pointer, value }] : [],
    ),
  );
  return combine(
    others.map(({ event, pointer, value }) =>
      verdict(value.toLowerCase() === thread.toLowerCase(), {
        where: `${describeEventPlace(event)} ${pointer}`,
        expected: "the `thread_id` in the metadata of the `done` event",
        received: "another one",
      }),
    ),
    "No event but `done` carried `thread_id`.",
  );
}

/** Judges that a `done` event reports one cost. */
function judgeSameCost(stream: Stream): Judgement {
  return combine(
    listEventsOfType("done", stream).flatMap((event) => {
      const [cost, again] = listMembers("total_cost_usd", event).map(([, value]) => value);
      if (typeof cost !== "number" || typeof again !== "number") return [];
      return verdict(cost === again, {
        where: `${describeEventPlace(event)} /metadata/total_cost_usd`,
        expected: `${cost}, as in \`total_cost_usd\``,
        received: String(again),
      });
    }),
    "No `done` event reported the cost twice.",
  );
}

/** Checks of the values of `done` events. Source: interface § Events, § Limits (billing). */
export const doneValueChecks: readonly Check[] = [
  makeStreamCheck("event/done-function_id-uploaded", judgeFunction),
  makeStreamCheck("event/done-thread_id-same", judgeThread),
  makeStreamCheck("event/done-total_cost_usd-same", judgeSameCost),
];

/** Key fields with checks of their own, because more than their name is stated or assumed. */
const checkedElsewhere: ReadonlySet<string> = new Set(["function_id", "total_cost_usd", "metadata"]);

/** The key fields of which only the name is stated, by the type of the event. Source: interface § Events. */
const namedOnly = Map.groupBy(
  keyFields.filter(([, field]) => !checkedElsewhere.has(field)),
  ([type]) => type,
);

/** Check that key fields are not null. Source: interface § Events. */
export const keyFieldNullCheck: Check = makeStreamCheck("event/key-fields-not-null", ({ events }) => {
  const places = events.flatMap((event) =>
    (namedOnly.get(event.type ?? "") ?? []).flatMap(([, name]) =>
      event.object && Object.hasOwn(event.object, name) ? [{ event, name, value: event.object[name] }] : [],
    ),
  );
  return judgeEach(places, "No event carried a key field of which only the name is stated.", ({ event, name, value }) =>
    verdict(value !== null, { where: `${describeEventPlace(event)} /${name}`, expected: "a value", received: "null" }),
  );
});
