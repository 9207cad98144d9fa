import { makeStreamCheck, judgeEach } from "./stream-check.ts";
import { verdict, type Check } from "../check.ts";
import { keyFields } from "./events.ts";
import { describeEventPlace } from "./read-stream.ts";

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
