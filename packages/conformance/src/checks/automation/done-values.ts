import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { listProblems, type Schema } from "../../contract/contract.ts";
import type { ObservedEvent } from "../../http/event-stream.ts";
import { isObject } from "../../http/json.ts";
import { describeEventPlace, type Stream } from "./read-stream.ts";
import { makeStreamCheck } from "./stream-check.ts";

const uuid: Schema = { type: "string", format: "uuid" };

const isUuid = (value: unknown): value is string => typeof value === "string" && listProblems(value, uuid).length === 0;

/** Returns the identifier of a function in an event, in lower case; undefined without one in UUID form, which other checks report. */
function findFunction({ object }: ObservedEvent): string | undefined {
  const id = object?.["function_id"];
  return isUuid(id) ? id.toLowerCase() : undefined;
}

const ofType = (type: string, { events }: Stream): ObservedEvent[] => events.filter((event) => event.type === type);

/** Judges that a run ends with a function that it has created, where its events name any. */
function judgeFunction(stream: Stream): Judgement {
  const uploaded = ofType("function_uploaded", stream).map(findFunction);
  if (uploaded.length === 0) return nothingSeen("No stream reported a function that was created.");
  if (uploaded.includes(undefined)) return nothingSeen("An uploaded function has no identifier that can be compared.");
  return combine(
    ofType("done", stream).flatMap((event) => {
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
  const [last] = ofType("done", stream).flatMap((event) => listMembers("thread_id", event).slice(1));
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
    ofType("done", stream).flatMap((event) => {
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
