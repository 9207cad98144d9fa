/** Targets that are all correct, and whose JSON is written otherwise. */
import { joinBody, isObject, findOperation, readValue, type Json } from "../messages.ts";
import { correct, isStream, revises, stream, type CorrectTarget } from "./correct-target.ts";

function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, reversed(inner)] as const);
  return Object.fromEntries(members.toReversed());
}

const escaped = (text: string): string =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const correctWriting: readonly CorrectTarget[] = correct({
  "orders the members of every object the other way round": {
    ...revises((answer) =>
      answer.headers["content-type"] === "application/json"
        ? { ...answer, pieces: [JSON.stringify(reversed(readValue(answer)))] }
        : answer,
    ),
    ...stream((event) => `data: ${JSON.stringify(reversed(event))}\n\n`),
  },
  "writes events with escapes for every letter beyond ASCII": stream(
    (event) => `data: ${escaped(JSON.stringify(event))}\n\n`,
  ),
  "names no media type where none is stated": revises((answer, request) =>
    isStream(answer) || (findOperation(request) === "scrape" && answer.status === 200)
      ? answer
      : { ...answer, headers: {}, pieces: [joinBody(answer)] },
  ),
});
