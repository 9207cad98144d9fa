import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import { problemsOf, type Schema } from "../../contract/contract.ts";
import type { StreamEvent } from "../../http/event-stream.ts";
import { isAnswerOf } from "../../http/exchange.ts";
import { runProbeIds } from "./automation.ts";
import { onStream, placeOf, type Stream } from "./read-stream.ts";

const uuid: Schema = { type: "string", format: "uuid" };

/** Returns the identifier of a function in an event, in small letters; undefined without one in UUID form, which other checks report. */
function functionOf({ object }: StreamEvent): string | undefined {
  const id = object?.["function_id"];
  return typeof id === "string" && problemsOf(id, uuid).length === 0 ? id.toLowerCase() : undefined;
}

const ofType = (type: string, { events }: Stream): StreamEvent[] => events.filter((event) => event.type === type);

/** Judges that a run ends with a function that it has created, where it tells of some. */
function judgeFunction(stream: Stream): Judgement {
  const uploaded = ofType("function_uploaded", stream).map(functionOf);
  if (uploaded.length === 0) return nothingSeen("No stream told of a function that was created.");
  if (uploaded.includes(undefined)) return nothingSeen("An uploaded function has no identifier that can be compared.");
  return combine(
    ofType("done", stream).flatMap((event) => {
      const id = functionOf(event);
      if (id === undefined) return [];
      return verdict(uploaded.includes(id), {
        requirement: "event.done.function_id-uploaded",
        where: `${placeOf(event)} /function_id`,
        expected: "the identifier in a `function_uploaded` event of the stream",
        received: "another one",
      });
    }),
    "No `done` event carried `function_id`.",
  );
}

function judgeCost(stream: Stream): Judgement {
  return combine(
    ofType("done", stream).flatMap((event) => {
      const cost = event.object?.["total_cost_usd"];
      if (typeof cost !== "number") return [];
      return verdict(cost >= 0, {
        requirement: "event.done.total_cost_usd-not-negative",
        where: `${placeOf(event)} /total_cost_usd`,
        expected: "0 or more",
        received: String(cost),
      });
    }),
    "No `done` event carried `total_cost_usd`.",
  );
}

const rules: readonly (readonly [name: string, title: string, (stream: Stream) => Judgement])[] = [
  ["total_cost_usd-not-negative", "`total_cost_usd` is not negative.", judgeCost],
  ["function_id-uploaded", "A run ends with a function that it has told of, where it has told of some.", judgeFunction],
];

/** Checks of the values of `done` events. Source: interface § Events, § Limits (billing). */
export const doneValueChecks: readonly Check[] = rules.map(([name, title, judge]) => ({
  id: `event/done-${name}`,
  title,
  requirements: [`event.done.${name}`],
  level: "assumed",
  operation: "automation_start",
  probes: runProbeIds,
  appliesTo: (exchange) => isAnswerOf("automation_start", exchange),
  needs: [],
  judge: (exchange) => onStream(exchange, judge),
}));
