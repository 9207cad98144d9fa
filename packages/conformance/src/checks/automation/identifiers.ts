import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { listProblems, type Schema } from "../../contract/contract.ts";
import type { ObservedEvent } from "../../http/event-stream.ts";
import { isObject } from "../../http/json.ts";
import { describeEventPlace } from "./read-stream.ts";
import { judgeEach, makeStreamCheck } from "./stream-check.ts";

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
