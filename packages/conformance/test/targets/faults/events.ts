/** Servers one of whose events lacks a field, or has it in another form. */
import { endings, functionId, threadId, type Ending } from "../content.ts";
import { breakAnswers, type Fault } from "../fault.ts";
import { ending } from "../parts.ts";
import type { Parts } from "../service.ts";
import { setInEvents as set } from "../stream-changes.ts";

/** Fields that are taken for strings, though only their names are stated. */
const assumedStrings: Readonly<Record<string, string>> = {
  status: "status",
  thinking_delta: "delta",
  text_delta: "delta",
  tool_start: "name",
  message_complete: "role",
  notte_session_data: "viewer_url",
  timeout: "reason",
  cancelled: "reason",
};

const isEnding = (type: string): type is Ending => Object.hasOwn(endings, type);
/** A run in which there is an event of that type. */
const runWith = (type: string): { parts?: Parts } => (isEnding(type) && type !== "done" ? { parts: ending(type) } : {});
const dash = (name: string): string => name.replaceAll("_", "-");

export const eventFaults: readonly Fault[] = [
  ...Object.entries(assumedStrings).flatMap(([type, field]) =>
    breakAnswers(
      "run",
      { [`event.${type}.${field}-string`]: { [`${dash(`${type}-${field}`)}-is-no-string`]: set(type, field, 7) } },
      runWith(type),
    ),
  ),
  ...breakAnswers("run", {
    "event.function_uploaded.function_name-string": {
      "function-name-is-a-list": set("function_uploaded", "function_name", ["next_ferry"]),
    },
    "event.key-fields-not-null function-name-is-null": set("function_uploaded", "function_name", null),
    "event.function_uploaded.created_at-string": {
      "created-at-is-a-number": set("function_uploaded", "created_at", 2_111_131_800),
    },
    "event.done.total_cost_usd-number": {
      "cost-is-a-string": set("done", "total_cost_usd", "0.0431"),
      "cost-is-an-object": set("done", "total_cost_usd", { usd: 0.0431 }),
    },
    "event.done.function_id-string function-id-of-done-is-an-object": set("done", "function_id", { id: functionId }),
    "event.done.function_id-uuid": {
      "function-id-of-done-has-other-letters": set("done", "function_id", functionId.replace("5b", "5z")),
    },
    "event.function_uploaded.function_id-uuid": {
      "function-id-uploaded-is-a-number": set("function_uploaded", "function_id", 7),
      "function-id-uploaded-has-a-line-end": set("function_uploaded", "function_id", `${functionId}\n`),
    },
    "event.done.function_id-not-null function-id-of-done-is-null": set("done", "function_id", null),
    "event.function_uploaded.function_id-not-null": {
      "function-id-uploaded-is-null": set("function_uploaded", "function_id", null),
    },
    "event.done.metadata-object": {
      "metadata-is-a-string": set("done", "metadata", threadId),
      "metadata-is-a-list": set("done", "metadata", [{ thread_id: threadId }]),
    },
    "event.done.metadata.thread_id thread-id-in-camel-case": set("done", "metadata", { threadId }),
    "event.done.metadata.thread_id-uuid": {
      "thread-id-is-a-word": set("done", "metadata/thread_id", "thread-7"),
      "thread-id-has-no-dashes": set("done", "metadata/thread_id", threadId.replaceAll("-", "")),
      "thread-id-has-a-prefix": set("done", "metadata/thread_id", `thread_${threadId}`),
    },
  }),
];
