import { combine, verdict, type Check } from "../check.ts";
import { isAnswerOf } from "../../http/exchange.ts";
import { runProbeIds } from "./automation.ts";
import { onStream, placeOf } from "./read-stream.ts";

const requirement = "event.key-fields-not-null";

/** The key fields whose type is not stated, by the type of the event. Source: interface § Events. */
const keyFields: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    status: ["status"],
    thinking_delta: ["delta"],
    text_delta: ["delta"],
    tool_start: ["name"],
    tool_result: ["content"],
    message_complete: ["role"],
    notte_session_data: ["viewer_url"],
    function_uploaded: ["function_name", "created_at"],
    error: ["error", "detail"],
    timeout: ["reason", "detail"],
    cancelled: ["reason"],
  }),
);

/** Check that a key field says something. Source: interface § Events. */
export const keyFieldNullCheck: Check = {
  id: "event/key-fields-not-null",
  title: "A key field of an event is not null.",
  requirements: [requirement],
  level: "assumed",
  operation: "automation_start",
  probes: runProbeIds,
  appliesTo: (exchange) => isAnswerOf("automation_start", exchange),
  needs: [],
  judge: (exchange) =>
    onStream(exchange, ({ events }) =>
      combine(
        events.flatMap((event) =>
          (keyFields.get(event.type ?? "") ?? []).flatMap((name) =>
            event.object && Object.hasOwn(event.object, name)
              ? verdict(event.object[name] !== null, {
                  requirement,
                  where: `${placeOf(event)} /${name}`,
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
