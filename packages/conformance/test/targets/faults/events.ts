/** Targets one of whose events lacks a field, or has it in another form. */
import type { Fields, Json } from "../messages.ts";
import { functionId, runEndingIn, threadId, type Ending } from "../content.ts";
import { listBreaking, type FaultyTarget } from "../faulty-target.ts";
import type { Service } from "../service.ts";
import { other } from "../parts.ts";

const endings: ReadonlySet<string> = new Set(["done", "error", "timeout", "cancelled"]);
const isEnding = (type: string): type is Ending => endings.has(type);

/** A run with one event of that type whose fields are other. */
function event(type: string, fields: Readonly<Record<string, Json | undefined>>): Partial<Service> {
  const all = runEndingIn(isEnding(type) ? type : "done");
  const changed = all.map((one): Fields => {
    const value = one["type"] === type ? other(one, fields) : one;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : one;
  });
  return { run: () => changed };
}

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

const slug = (type: string, field: string): string => `${type}-${field}`.replaceAll("_", "-");
const uuid = { done: "event.done.function_id-uuid", uploaded: "event.function_uploaded.function_id-uuid" };
const thread = (value: Json): Partial<Service> => event("done", { metadata: { thread_id: value } });

export const eventFaults: readonly FaultyTarget[] = [
  ...Object.entries(assumedStrings).flatMap(([type, field]) =>
    listBreaking(`event.${type}.${field}-string`, {
      [`${slug(type, field)}-is-no-string`]: event(type, { [field]: 7 }),
    }),
  ),
  ...listBreaking("event.function_uploaded.function_name-string", {
    "function-name-is-a-list": event("function_uploaded", { function_name: ["next_ferry"] }),
  }),
  ...listBreaking("event.key-fields-not-null", {
    "function-name-is-null": event("function_uploaded", { function_name: null }),
  }),
  ...listBreaking("event.function_uploaded.created_at-string", {
    "created-at-is-a-number": event("function_uploaded", { created_at: 2_111_131_800 }),
  }),
  ...listBreaking("event.done.total_cost_usd-number", {
    "cost-is-a-string": event("done", { total_cost_usd: "0.0431" }),
    "cost-is-an-object": event("done", { total_cost_usd: { usd: 0.0431 } }),
  }),
  ...listBreaking("event.done.function_id-string", {
    "function-id-of-done-is-an-object": event("done", { function_id: { id: functionId } }),
  }),
  ...listBreaking(uuid.done, {
    "function-id-of-done-has-other-letters": event("done", { function_id: functionId.replace("5b", "5z") }),
  }),
  ...listBreaking(uuid.uploaded, {
    "function-id-uploaded-is-a-number": event("function_uploaded", { function_id: 7 }),
    "function-id-uploaded-has-a-line-end": event("function_uploaded", { function_id: `${functionId}\n` }),
  }),
  ...listBreaking("event.done.function_id-not-null", {
    "function-id-of-done-is-null": event("done", { function_id: null }),
  }),
  ...listBreaking("event.function_uploaded.function_id-not-null", {
    "function-id-uploaded-is-null": event("function_uploaded", { function_id: null }),
  }),
  ...listBreaking("event.done.metadata-object", {
    "metadata-is-a-string": event("done", { metadata: threadId }),
    "metadata-is-a-list": event("done", { metadata: [{ thread_id: threadId }] }),
  }),
  ...listBreaking("event.done.metadata.thread_id", {
    "thread-id-in-camel-case": event("done", { metadata: { threadId } }),
  }),
  ...listBreaking("event.done.metadata.thread_id-uuid", {
    "thread-id-is-a-word": thread("thread-7"),
    "thread-id-has-no-dashes": thread(threadId.replaceAll("-", "")),
    "thread-id-has-a-prefix": thread(`thread_${threadId}`),
  }),
];
