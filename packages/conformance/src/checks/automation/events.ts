import { combine, type Check, type Judgement } from "../check.ts";
import { eventSchemas } from "../../contract/contract.ts";
import { judgeField, type FieldRule, makeFieldCheck } from "../fields/field-rules.ts";
import { fieldTable, type FieldRow } from "../fields/field-table.ts";
import { runProbeIds } from "./automation.ts";
import type { ObservedEvent } from "../../http/event-stream.ts";
import { onStream, describeEventPlace } from "./read-stream.ts";

const functionRecord = "identifier.function-record";
const costReported = "limits.cost-reported";

/** Letters of a name, without what separates its words: `functionId` and `function-id` are `functionid`. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");

/** Returns whether an event has the field in another spelling. */
const isMisspelled = (field: string, event: ObservedEvent): boolean =>
  Object.keys(event.object ?? {}).some((name) => name !== field && bare(name) === bare(field));

/** Returns whether no event of the stream has the field. */
const isNowhere = (field: string, events: readonly ObservedEvent[]): boolean =>
  events.every((event) => !JSON.stringify(event.object ?? {}).includes(`${JSON.stringify(field)}:`));

/** Cases in which the absence of a key field violates more than the requirement that the field belongs to the event. */
const absences: Readonly<
  Record<string, (field: string, event: ObservedEvent, events: readonly ObservedEvent[]) => boolean>
> = { [functionRecord]: isMisspelled, [costReported]: (field, _, events) => isNowhere(field, events) };

/** Replaces the requirement of the findings about an absent field by the most specific one. */
function specify(
  judgement: Judgement,
  [, , holds, , , { also = [] } = {}]: FieldRow,
  name: string,
  event: ObservedEvent,
  events: readonly ObservedEvent[],
): Judgement {
  const requirement = also.find((id) => absences[id]?.(name, event, events) === true);
  if (holds !== "present" || requirement === undefined) return judgement;
  return { ...judgement, findings: judgement.findings.map((finding) => ({ ...finding, requirement })) };
}

/** Makes the check of a row: it judges the events of one type, one after the other. */
function makeEventCheck(row: FieldRow): Check {
  const [type = "", ...path] = row[1].split("/");
  const rule: FieldRule = { holds: row[2], schema: eventSchemas.get(type) ?? type, path };
  return makeFieldCheck(row, "automation_start", runProbeIds, (exchange) =>
    onStream(exchange, ({ events }) => {
      const ofType = events.filter((event) => event.type === type);
      return combine(
        ofType.map((event) =>
          specify(judgeField(rule, event.object, describeEventPlace(event)), row, path[0] ?? "", event, events),
        ),
        `No stream carried an event of the type ${type}${ofType.length > 0 ? " with this field" : ""}.`,
      );
    }),
  );
}

/** The fields that the interface names for a type of event. */
export const keyFields: readonly (readonly [type: string, field: string])[] = fieldTable.event.flatMap(
  ([, place, holds]) => {
    const [type = "", field = "", ...deeper] = place.split("/");
    return holds === "present" && deeper.length === 0 ? [[type, field] as const] : [];
  },
);

/** Checks of the fields of events. Source: interface § Events. */
export const eventFieldChecks: readonly Check[] = fieldTable.event.map(makeEventCheck);
