/** Targets that are all correct, and whose JSON is written otherwise. */
import { inJson } from "../changes.ts";
import { findOperation, isObject, joinBody, type Json } from "../messages.ts";
import { reviseAll, writes } from "../parts.ts";
import { correct, isStream, type CorrectTarget } from "./correct-target.ts";

function reverse(value: Json): Json {
  if (Array.isArray(value)) return value.map(reverse);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, reverse(inner)] as const);
  return Object.fromEntries(members.toReversed());
}

/** Writes every letter beyond ASCII as an escape of JSON. */
export const escapeLetters = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const correctWriting: readonly CorrectTarget[] = correct({
  "orders the members of every object the other way round": {
    ...reviseAll(inJson(reverse), (_, answer) => answer.headers["content-type"] === "application/json"),
    ...writes((_, event) => `data: ${JSON.stringify(reverse(event))}\n\n`),
  },
  "writes events with escapes for every letter beyond ASCII": writes((data) => `data: ${escapeLetters(data)}\n\n`),
  "names no media type where none is stated": reviseAll(
    (answer) => ({ ...answer, headers: {}, pieces: [joinBody(answer)] }),
    (request, answer) => !isStream(answer) && !(findOperation(request) === "scrape" && answer.status === 200),
  ),
});
