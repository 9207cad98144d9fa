import { combine, type Check, type Judgement } from "../check.ts";
import { eventSchemas } from "../../contract/contract.ts";
import { fieldRules, judgeField, type FieldRow, type FieldRule, type Nulls } from "../fields.ts";
import { runProbeIds } from "./automation.ts";
import { isAnswerOf } from "../../http/exchange.ts";
import type { StreamEvent } from "../../http/event-stream.ts";
import { onStream, placeOf } from "./read-stream.ts";

const functionRecord = "identifier.function-record";
const costReported = "limits.cost-reported";

/** Letters of a name, without what separates its words: `functionId` and `function-id` are `functionid`. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, "");

/** Returns whether an event has the field in another spelling. */
const isMisspelled = (field: string, event: StreamEvent): boolean =>
  Object.keys(event.object ?? {}).some((name) => name !== field && bare(name) === bare(field));

/** Returns whether no event of the stream has the field. */
const isNowhere = (field: string, events: readonly StreamEvent[]): boolean =>
  events.every((event) => !JSON.stringify(event.object ?? {}).includes(`${JSON.stringify(field)}:`));

/** When the absence of a key field contradicts a sentence of its own, and not only that the field belongs to the event. */
const absences: Readonly<
  Record<string, (field: string, event: StreamEvent, events: readonly StreamEvent[]) => boolean>
> = {
  [functionRecord]: isMisspelled,
  [costReported]: (field, _, events) => isNowhere(field, events),
};

/** Names in the findings about an absent field the sentence that says most. */
function named(
  judgement: Judgement,
  { rule, path: [name = ""], also }: FieldRule,
  event: StreamEvent,
  events: readonly StreamEvent[],
): Judgement {
  const requirement = also.find((id) => absences[id]?.(name, event, events) === true);
  if (rule !== "present" || requirement === undefined) return judgement;
  return { ...judgement, findings: judgement.findings.map((finding) => ({ ...finding, requirement })) };
}

/** A check of the events of one type, one after the other. */
function eventCheck(type: string, field: FieldRule): Check {
  return {
    id: `event/${type}-${field.name}`,
    title: field.title,
    requirements: [field.requirement, ...field.also],
    level: field.level,
    operation: "automation_start",
    probes: runProbeIds,
    appliesTo: (exchange) => isAnswerOf("automation_start", exchange),
    needs: [],
    judge: (exchange) =>
      onStream(exchange, ({ events }) => {
        const ofType = events.filter((event) => event.type === type);
        return combine(
          ofType.map((event) => named(judgeField(field, event.object, placeOf(event)), field, event, events)),
          `No stream carried an event of the type ${type}${ofType.length > 0 ? " with this field" : ""}.`,
        );
      }),
  };
}

function eventChecks(
  type: string,
  rows: readonly FieldRow[],
  level: Check["level"] = "stated",
  nulls: Nulls = "typed",
): Check[] {
  return fieldRules(eventSchemas.get(type) ?? type, rows, level, nulls).map((field) => eventCheck(type, field));
}

/** A field that the interface names for a type, and what else is seen when it is there. */
export const keyFields: readonly (readonly [type: string, field: string, also?: readonly string[]])[] = [
  ["status", "status"],
  ["thinking_delta", "delta"],
  ["text_delta", "delta"],
  ["tool_start", "name"],
  ["tool_result", "content"],
  ["message_complete", "role"],
  ["notte_session_data", "viewer_url", ["event.notte_session_data.type-exact"]],
  ["function_uploaded", "function_id", [functionRecord]],
  ["function_uploaded", "function_name", [functionRecord]],
  ["function_uploaded", "created_at", [functionRecord]],
  ["done", "total_cost_usd", ["event.done.type", costReported]],
  ["done", "metadata"],
  ["error", "error"],
  ["error", "detail"],
  ["timeout", "reason"],
  ["timeout", "detail"],
  ["cancelled", "reason"],
];

const keyFieldChecks = keyFields.flatMap(([type, field, also = []]) =>
  eventChecks(type, [
    [`${field}-present`, field, `event.${type}.${field}`, `\`${field}\` of \`${type}\` events is there.`, also],
  ]),
);

/** The types whose events carry the identifier of a function, with the sentence about its type. */
const identified: readonly (readonly [type: string, requirement: string])[] = [
  ["function_uploaded", "event.function_uploaded.function_id-uuid"],
  ["done", "event.done.function_id-string"],
];

/** The interface leaves open whether an identifier is null or absent, so its type is only judged when it is not null. */
const identifierTypeChecks = identified.flatMap(([type, requirement]) =>
  eventChecks(
    type,
    [["function_id-type", "function_id", requirement, "`function_id` is a string, where it is not null."]],
    "stated",
    "absent",
  ),
);

const identifierNullChecks = identified.flatMap(([type]) => {
  const title = `\`function_id\` of \`${type}\` events is not null.`;
  return eventChecks(
    type,
    [["function_id-not-null", "function_id", `event.${type}.function_id-not-null`, title]],
    "assumed",
  );
});

const formChecks: readonly Check[] = [
  ...identifierTypeChecks,
  ...identifierNullChecks,
  ...eventChecks("function_uploaded", [
    [
      "function_id-valid",
      "function_id",
      "event.function_uploaded.function_id-uuid",
      "`function_id` is a UUID.",
      ["identifier.function-uuid"],
    ],
  ]),
  ...eventChecks("done", [
    ["total_cost_usd-type", "total_cost_usd", "event.done.total_cost_usd-number", "`total_cost_usd` is a number."],
    [
      "function_id-valid",
      "function_id",
      "event.done.function_id-uuid",
      "`function_id` is a UUID.",
      ["identifier.function-uuid"],
    ],
    ["metadata-type", "metadata", "event.done.metadata-object", "`metadata` is an object."],
    ["thread_id-present", "metadata/thread_id", "event.done.metadata.thread_id", "`metadata` has `thread_id`."],
    ["thread_id-type", "metadata/thread_id", "event.done.metadata.thread_id-string", "`thread_id` is a string."],
    [
      "thread_id-valid",
      "metadata/thread_id",
      "event.done.metadata.thread_id-uuid",
      "`thread_id` is a UUID.",
      ["identifier.thread-uuid"],
    ],
  ]),
];

/** Fields whose type the interface leaves to be guessed; whether one may be null is another matter. */
const assumedStrings: readonly (readonly [type: string, field: string])[] = [
  ["status", "status"],
  ["thinking_delta", "delta"],
  ["text_delta", "delta"],
  ["tool_start", "name"],
  ["message_complete", "role"],
  ["notte_session_data", "viewer_url"],
  ["function_uploaded", "function_name"],
  ["function_uploaded", "created_at"],
  ["timeout", "reason"],
  ["cancelled", "reason"],
];

const assumedChecks = assumedStrings.flatMap(([type, field]) =>
  eventChecks(
    type,
    [[`${field}-type`, field, `event.${type}.${field}-string`, `\`${field}\` of \`${type}\` events is a string.`]],
    "assumed",
    "absent",
  ),
);

/** Checks of the fields of events, type by type. Source: interface § Events. */
export const eventFieldChecks: readonly Check[] = [...keyFieldChecks, ...formChecks, ...assumedChecks];
