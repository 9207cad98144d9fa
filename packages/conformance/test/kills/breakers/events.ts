/** Events whose fields break a sentence. */
import { other, type Change } from "../../targets/changes.ts";
import { endings, functionId, threadId, type Ending } from "../../targets/content.ts";
import { breakAnswers, dash, type AnswerFault } from "../../targets/fault.ts";
import { ending } from "../../targets/parts.ts";
import { changeEvents, setInEvents as set } from "../../targets/stream-changes.ts";
import { list, listKinds, type Ways } from "../ways.ts";

/** The key fields of each type of event. Source: interface § Events. */
const keyFields: Readonly<Record<string, readonly string[]>> = {
  status: ["status"],
  thinking_delta: ["delta"],
  text_delta: ["delta"],
  tool_start: ["name"],
  tool_result: ["content"],
  message_complete: ["role"],
  notte_session_data: ["viewer_url"],
  function_uploaded: ["function_id", "function_name", "created_at"],
  done: ["total_cost_usd", "metadata"],
  error: ["error", "detail"],
  timeout: ["reason", "detail"],
  cancelled: ["reason"],
};

const isEnding = (type: string): type is Ending => Object.hasOwn(endings, type);
const another = "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f";

const badIds = [
  "next_ferry",
  "",
  functionId.replaceAll("-", ""),
  `{${functionId}}`,
  functionId.slice(0, -1),
  `fn_${functionId}`,
  `urn:uuid:${functionId}`,
];
const setIds = (word: string, type: string, path: string): Ways =>
  list(badIds, (to, place) => [`${word}-form-${place + 1}`, set(type, path, to)]);

/** The sentence that an event without a field breaks. */
const findAbsence = (type: string, name: string): string =>
  name === "total_cost_usd" ? "limits.cost-reported" : `event.${type}.${name}`;

/** The event of a created function with one field under another name. */
const rename = (name: string, to: string): Change =>
  changeEvents("function_uploaded", ({ [name]: value = null, ...event }) => ({ ...event, [to]: value }));

/** The table. */
export const eventBreakers: readonly AnswerFault[] = [
  ...Object.entries(keyFields).flatMap(([type, names]) =>
    breakAnswers(
      "run",
      names.map((name) => ({
        [findAbsence(type, name)]: { [`${dash(type)}-without-${dash(name)}`]: set(type, name) },
      })),
      isEnding(type) && type !== "done" ? { parts: ending(type) } : {},
    ),
  ),
  ...breakAnswers("run", {
    "event.done.total_cost_usd": {
      "cost-inside-metadata": changeEvents("done", ({ total_cost_usd: cost = null, metadata = null, ...event }) => ({
        ...event,
        metadata: other(metadata, { total_cost_usd: cost }),
      })),
    },
    "identifier.function-record": {
      "function-id-in-camel-case": rename("function_id", "functionId"),
      "function-name-with-a-dash": rename("function_name", "function-name"),
      "created-at-in-capitals": rename("created_at", "CREATED_AT"),
    },
    "event.done.total_cost_usd-number": listKinds("cost", ["a-number", "a-fraction"], (to) =>
      set("done", "total_cost_usd", to),
    ),
    "event.done.function_id-string": listKinds("function-id", ["a-string", "null"], (to) =>
      set("done", "function_id", to),
    ),
    "event.done.total_cost_usd-not-negative": {
      "cost-is-a-credit": set("done", "total_cost_usd", -0.5),
      "cost-is-minus-one": set("done", "total_cost_usd", -1),
    },
    "event.done.total_cost_usd-same": {
      "cost-is-another-in-metadata": set("done", "metadata", { thread_id: threadId, total_cost_usd: 9.75 }),
    },
    "event.done.thread_id-same thread-id-of-another-run": set("status", "thread_id", another),
    "event.done.function_id-uuid": setIds("done-function-id", "done", "function_id"),
    "event.done.function_id-uploaded": {
      "function-id-of-another-function": set("done", "function_id", another),
      "function-id-of-the-thread": set("done", "function_id", threadId),
    },
    "event.function_uploaded.function_id-uuid": setIds(
      "function-uploaded-function-id",
      "function_uploaded",
      "function_id",
    ),
    "event.done.metadata-object": listKinds("metadata", ["an-object"], (to) => set("done", "metadata", to)),
    "event.done.metadata.thread_id": {
      "metadata-is-empty": set("done", "metadata/thread_id"),
      "thread-id-beside-metadata": changeEvents("done", (event) => ({ ...event, metadata: {}, thread_id: threadId })),
    },
    "event.done.metadata.thread_id-string": listKinds("thread-id", ["a-string"], (to) =>
      set("done", "metadata/thread_id", to),
    ),
    "event.done.metadata.thread_id-uuid": setIds("thread-id", "done", "metadata/thread_id"),
  }),
];
