/** Changes of an answer: the words in which all tables say what a server does wrong. */
import {
  empty,
  isObject,
  joinBody,
  json,
  readValue,
  type Answer,
  type Fields,
  type Json,
  type ReceivedRequest,
} from "./messages.ts";
import { runEndingIn } from "./content.ts";
import { answerRequest, correctService } from "./service.ts";

/** Changes an answer. */
export type Change = (answer: Answer, request: ReceivedRequest) => Answer;

/** Changes an answer in several ways, one after the other. */
export const inTurn =
  (...changes: readonly Change[]): Change =>
  (answer, request) =>
    changes.reduce((before, change) => change(before, request), answer);

/** Another status. */
export const status =
  (to: number): Change =>
  (answer) => ({ ...answer, status: to });

/** One row for each status that is answered. */
export const listStatuses = (
  word: string,
  statuses: readonly number[],
  change: (to: number) => Change = status,
): Record<string, Change> => Object.fromEntries(statuses.map((to) => [`${word}-answers-${to}`, change(to)]));

/** More headers. */
export const addHeaders =
  (more: Answer["headers"]): Change =>
  (answer) => ({ ...answer, headers: { ...answer.headers, ...more } });

/** Another media type, or none. */
export const mediaType =
  (value?: string): Change =>
  (answer) => {
    const { "content-type": _, ...others } = answer.headers;
    return { ...answer, headers: value === undefined ? others : { ...others, "content-type": value } };
  };

/** Another answer altogether. */
export const instead =
  (answer: Answer): Change =>
  () =>
    answer;

/** Another status, with a body in JSON. */
export const refuse = (to: number, detail: Json = "no"): Change => instead(json(to, { detail }));

/** A redirect. */
export const redirect = (to: number, location: string): Change => instead(empty(to, { location }));

/** Turns a request down and blames one place for it. */
export const blame = (...loc: (string | number)[]): Change => refuse(422, [{ loc, msg: "no", type: "value_error" }]);

/** Answers a stranger as if the key were right. */
export const admit: Change = (_, request) => answerRequest({ ...correctService, admits: () => true }, request);

/** Starts a run. */
export const startRun: Change = instead({
  status: 200,
  headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  pieces: runEndingIn("done").map((event) => correctService.writes(event)),
});

/** Tells an error in a stream. */
export const streamError = (error: string, detail: string): Change =>
  instead({
    status: 200,
    headers: { "content-type": "text/event-stream" },
    pieces: [`data: ${JSON.stringify({ type: "error", error, detail })}\n\n`],
  });

/** Other pieces of the body. */
export const inPieces =
  (change: (pieces: Answer["pieces"]) => Answer["pieces"]): Change =>
  (answer) => ({ ...answer, pieces: change(answer.pieces) });

/** Sends these pieces in place of the body. */
export const send = (...pieces: Answer["pieces"]): Change => inPieces(() => pieces);

/** Sends more pieces at the end. */
export const addPieces = (...more: Answer["pieces"]): Change => inPieces((pieces) => [...pieces, ...more]);

/** Sends the first pieces alone, and resets the connection. */
export const cutOff = (count: number): Change =>
  inTurn(
    inPieces((pieces) => pieces.slice(0, count)),
    reset,
  );

/** Leaves the connection open after the last piece. */
export const hang: Change = (answer) => ({ ...answer, afterwards: "nothing" });

/** Resets the connection after the last piece. */
export const reset: Change = (answer) => ({ ...answer, afterwards: "reset" });

/** Waits before each piece. */
export const pause =
  (pauseMs: number): Change =>
  (answer) => ({ ...answer, pauseMs });

/** Another text of the body. */
export const text =
  (change: (body: string) => string): Change =>
  (answer) => ({ ...answer, pieces: [change(joinBody(answer))] });

/** A byte order mark before the body. */
export const markByteOrder: Change = inPieces((pieces) => ["\u{FEFF}", ...pieces]);

/** Another value in the JSON of the body. */
export const inJson =
  (change: (value: Json) => Json): Change =>
  (answer) => ({ ...answer, pieces: [JSON.stringify(change(readValue(answer)))] });

/** This value in place of the JSON of the body. */
export const give = (value: Json): Change => inJson(() => value);

/** Sets what stands at a path in the JSON of the body, as `edit` does. */
export const set = (path: string, to?: Json | ((value: Json) => Json)): Change => inJson(edit(path, to));

/**
 * Makes a function that sets what stands at a path in a value. Where there is nothing that could hold it, the value stays as it is.
 *
 * @param path - Names and numbers, separated by slashes; in a list also `first`, `middle`, `last`, `*` for each, and `+` for one more.
 * @param to - The value, or a change of the value that is there. Default: removes what is there.
 */
export const edit =
  (path: string, to?: Json | ((value: Json) => Json)): ((value: Json) => Json) =>
  (value) =>
    editAt(value, path.split("/"), to);

function editAt(value: Json, [step = "", ...rest]: readonly string[], to?: Json | ((value: Json) => Json)): Json {
  const change = (old: Json | undefined): Json | undefined => {
    if (rest.length > 0) return old === undefined ? old : editAt(old, rest, to);
    return typeof to === "function" ? (old === undefined ? old : to(old)) : to;
  };
  if (Array.isArray(value)) {
    const all = value.flatMap((one, at) => (isAt(step, at, value.length) ? box(change(one)) : [one]));
    return step === "+" ? [...all, ...box(change(undefined))] : all;
  }
  if (!isObject(value)) return value;
  const { [step]: old, ...others } = value;
  const changed = change(old);
  return changed === undefined ? others : { ...value, [step]: changed };
}

const box = (value: Json | undefined): Json[] => (value === undefined ? [] : [value]);

const isAt = (step: string, at: number, length: number): boolean =>
  step === "*" || at === ({ first: 0, middle: Math.floor(length / 2), last: length - 1 }[step] ?? Number(step));

/** An object with fields that are other, or missing where they are undefined. */
export const other = (value: Json, fields: Readonly<Record<string, Json | undefined>>): Fields => {
  const changed = { ...(isObject(value) ? value : {}), ...fields };
  return Object.fromEntries(Object.entries(changed).filter((entry): entry is [string, Json] => entry[1] !== undefined));
};

/** Adds members to every object, however deep it lies. */
export function extend(value: Json, more: Readonly<Record<string, Json>>): Json {
  if (Array.isArray(value)) return value.map((inner) => extend(inner, more));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, extend(inner, more)]);
  return { ...Object.fromEntries(members), ...more };
}
