import { combine, verdict, type Check } from "../check.ts";
import { isAnswerOf } from "../../http/exchange.ts";
import { runProbeIds } from "./automation.ts";
import { keyFields } from "./events.ts";
import { onStream, describeEventPlace } from "./read-stream.ts";

const requirement = "event.key-fields-not-null";

/** Key fields with checks of their own, because more than their name is stated or assumed. */
const checkedElsewhere: ReadonlySet<string> = new Set(["function_id", "total_cost_usd", "metadata"]);

/** The key fields of which only the name is stated, by the type of the event. Source: interface § Events. */
const namedOnly = Map.groupBy(
  keyFields.filter(([, field]) => !checkedElsewhere.has(field)),
  ([type]) => type,
);

/** Check that key fields are not null. Source: interface § Events. */
export const keyFieldNullCheck: Check = {
  id: "event/key-fields-not-null",
  title: "A key field of an event is not null.",
  requirements: [requirement],
  probes: runProbeIds,
  appliesTo: (exchange) => isAnswerOf("automation_start", exchange),
  judge: (exchange) =>
    onStream(exchange, ({ events }) =>
      combine(
        events.flatMap((event) =>
          (namedOnly.get(event.type ?? "") ?? []).flatMap(([, name]) =>
            event.object && Object.hasOwn(event.object, name)
              ? verdict(event.object[name] !== null, {
                  requirement,
                  where: `${describeEventPlace(event)} /${name}`,
                  expected: "a value",
                  received: "null",
                })
              : [],
          ),
        ),
        "No event carried a key field of which only the name is stated.",
      ),
    ),
};
