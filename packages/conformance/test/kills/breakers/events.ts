/** Events whose fields break a sentence. */
import { keyFields } from "../../broken-exchanges/event-fields.ts";
import type { Json } from "../../targets/messages.ts";
import { endings, functionId, threadId, type Ending } from "../../targets/content.ts";
import { breaking, kindsBut, type Breaker, type Ways } from "../breaker.ts";
import { endingIn, changeFields } from "./stream-pieces.ts";
import { type Change, other } from "../../targets/parts.ts";

const eventField = (type: string, name: string, to?: Json): Change =>
  changeFields(type, (event) => other(event, { [name]: to }));

const isEnding = (type: string): type is Ending => Object.hasOwn(endings, type);

const dashed = (name: string): string => name.replaceAll("_", "-");

/** Needs a run that ends in the type, when it is one that ends runs. */
const inRun = (type: string, breakers: readonly Breaker[]): Breaker[] =>
  breakers.map((breaker) => (isEnding(type) && type !== "done" ? { ...breaker, parts: endingIn(type) } : breaker));

const thread = (to: Json | undefined): Change =>
  changeFields("done", (event) => other(event, { metadata: other({}, { thread_id: to }) }));

const badIds = [
  "next_ferry",
  "",
  functionId.replaceAll("-", ""),
  `{${functionId}}`,
  functionId.slice(0, -1),
  `fn_${functionId}`,
  `urn:uuid:${functionId}`,
];
const ids = (type: string, name: string): Ways =>
  Object.fromEntries(
    badIds.map((to, place) => [`${dashed(type)}-${dashed(name)}-form-${place + 1}`, eventField(type, name, to)]),
  );

/** The sentence that an event without a field breaks. */
const absence = (type: string, name: string): string =>
  name === "total_cost_usd" ? "limits.cost-reported" : `event.${type}.${name}`;

/** The event of a created function with one field under another name. */
const renamed = (name: string, to: string): Change =>
  changeFields("function_uploaded", ({ [name]: value = null, ...event }) => ({ ...event, [to]: value }));

/** The table. */
export const eventBreakers: readonly Breaker[] = [
  ...Object.entries(keyFields).flatMap(([type, names]) =>
    names.flatMap((name) =>
      inRun(
        type,
        breaking("run", absence(type, name), {
          [`${dashed(type)}-without-${dashed(name)}`]: eventField(type, name),
        }),
      ),
    ),
  ),
  ...breaking("run", "event.done.total_cost_usd", {
    "cost-inside-metadata": changeFields("done", ({ total_cost_usd: cost = null, metadata = null, ...event }) => ({
      ...event,
      metadata: other(metadata, { total_cost_usd: cost }),
    })),
  }),
  ...breaking("run", "identifier.function-record", {
    "function-id-in-camel-case": renamed("function_id", "functionId"),
    "function-name-with-a-dash": renamed("function_name", "function-name"),
    "created-at-in-capitals": renamed("created_at", "CREATED_AT"),
  }),
  ...breaking(
    "run",
    "event.done.total_cost_usd-number",
    kindsBut("cost", ["a-number", "a-fraction"], (to) => eventField("done", "total_cost_usd", to)),
  ),
  ...breaking(
    "run",
    "event.done.function_id-string",
    kindsBut("function-id", ["a-string", "null"], (to) => eventField("done", "function_id", to)),
  ),
  ...breaking("run", "event.done.total_cost_usd-not-negative", {
    "cost-is-a-credit": eventField("done", "total_cost_usd", -0.5),
    "cost-is-minus-one": eventField("done", "total_cost_usd", -1),
  }),
  ...breaking("run", "event.done.total_cost_usd-same", {
    "cost-is-another-in-metadata": changeFields("done", (event) => ({
      ...event,
      metadata: { thread_id: threadId, total_cost_usd: 9.75 },
    })),
  }),
  ...breaking("run", "event.done.thread_id-same", {
    "thread-id-of-another-run": changeFields("status", (event) => ({
      ...event,
      thread_id: "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f",
    })),
  }),
  ...breaking("run", "event.done.function_id-uuid", ids("done", "function_id")),
  ...breaking("run", "event.done.function_id-uploaded", {
    "function-id-of-another-function": eventField("done", "function_id", "0195b7e4-6c2f-7d1a-9f3e-5a6b7c8d9e0f"),
    "function-id-of-the-thread": eventField("done", "function_id", threadId),
  }),
  ...breaking("run", "event.function_uploaded.function_id-uuid", ids("function_uploaded", "function_id")),
  ...breaking(
    "run",
    "event.done.metadata-object",
    kindsBut("metadata", ["an-object"], (to) => eventField("done", "metadata", to)),
  ),
  ...breaking("run", "event.done.metadata.thread_id", {
    "metadata-is-empty": thread(undefined),
    "thread-id-beside-metadata": changeFields("done", (event) => ({ ...event, metadata: {}, thread_id: threadId })),
  }),
  ...breaking(
    "run",
    "event.done.metadata.thread_id-string",
    kindsBut("thread-id", ["a-string"], (to) => thread(to)),
  ),
  ...breaking(
    "run",
    "event.done.metadata.thread_id-uuid",
    Object.fromEntries(badIds.map((to, place) => [`thread-id-form-${place + 1}`, thread(to)])),
  ),
];
