/** Conditions, changes of answers and parts of services: the words that all tables of targets are written in. */
import {
  joinBody,
  isObject,
  findOperation,
  readValue,
  type Answer,
  type ReceivedRequest,
  type Fields,
  type Json,
} from "./messages.ts";
import { recording, runEndingIn, type Ending } from "./content.ts";
import { correctService, type Service } from "./service.ts";

/** Operation of the interface. */
export type Operation = NonNullable<ReturnType<typeof findOperation>>;

/** Returns whether something is true of a request and of the answer to it. */
export type Condition = (request: ReceivedRequest, answer: Answer) => boolean;

/** Changes an answer. */
export type Change = (answer: Answer, request: ReceivedRequest) => Answer;

/** Returns whether a response belongs to an operation and has a status. */
export const of =
  (operation: Operation, code: number): Condition =>
  (request, answer) =>
    findOperation(request) === operation && answer.status === code;

/** Changes the answers for which something is true. */
export const changeAnswers = (when: Condition, change: Change): Partial<Service> => ({
  revises: (answer, request) => (when(request, answer) ? change(answer, request) : answer),
});

/** Changes the answers to one operation with one status. */
export const revise = (operation: Operation, code: number, change: Change): Partial<Service> =>
  changeAnswers(of(operation, code), change);

/** Another status. */
export const status =
  (to: number): Change =>
  (answer) => ({ ...answer, status: to });

/** Another media type, or none. */
export const mediaType =
  (value: string | undefined): Change =>
  (answer) => {
    const { "content-type": _, ...others } = answer.headers;
    return { ...answer, headers: value === undefined ? others : { ...others, "content-type": value } };
  };

/** Another body. */
export const text =
  (change: (body: string) => string): Change =>
  (answer) => ({ ...answer, pieces: [change(joinBody(answer))] });

/** Another value in the JSON of the body. */
export const inJson =
  (change: (value: Json) => Json): Change =>
  (answer) => ({ ...answer, pieces: [JSON.stringify(change(readValue(answer)))] });

/** One field of the body with another value, or missing. */
export const field = (name: string, to?: Json): Change => inJson((body) => other(body, { [name]: to }));

/** An object with fields that are other, or missing where they are undefined. */
export const other = (value: Json, fields: Readonly<Record<string, Json | undefined>>): Json => {
  const changed = { ...(typeof value === "object" && !Array.isArray(value) ? value : {}), ...fields };
  return Object.fromEntries(Object.entries(changed).filter((entry): entry is [string, Json] => entry[1] !== undefined));
};

/** Adds members to every object, however deep it lies. */
export function extend(value: Json, more: Readonly<Record<string, Json>>): Json {
  if (Array.isArray(value)) return value.map((inner) => extend(inner, more));
  if (!isObject(value)) return value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, extend(inner, more)])),
    ...more,
  };
}

/** Lets requests in at one door for which something is true, beside those with the key. */
export const admits = (operation: Operation, right: (request: ReceivedRequest) => boolean): Partial<Service> => ({
  admits: (request) => correctService.admits(request) || (findOperation(request) === operation && right(request)),
});

/** Answers requests at one door for which something is true, whatever else they hold. */
export const turnsAway = (
  operation: Operation,
  to: Answer,
  when: (request: ReceivedRequest) => boolean,
): Partial<Service> => ({
  turnsAway: (request) =>
    findOperation(request) === operation && when(request) ? to : correctService.turnsAway(request),
});

/** Has these cookies. */
export const jar = (...cookies: Json[]): Partial<Service> => ({ cookies: () => ({ cookies }) });

/** Has a recording with fields that are other, or missing where they are undefined. */
export const film = (fields: Readonly<Record<string, Json | undefined>>): Partial<Service> => ({
  recording: () => other(recording, fields),
});

/** Sends the stream of other events, or of the events in another order. */
export const run = (change: (events: Fields[]) => Fields[]): Partial<Service> => ({
  run: (request) => change([...correctService.run(request)]),
});

/** Sends events of a type with more fields. */
export const events = (type: string, more: Fields): Partial<Service> =>
  run((all) => all.map((event) => (event["type"] === type ? { ...event, ...more } : event)));

/** Ends a run by an event of that type, with fields that are other, or missing where they are undefined. */
export const ending = (name: Ending, fields: Readonly<Record<string, Json | undefined>> = {}): Partial<Service> =>
  run(() => {
    const all = runEndingIn(name);
    const last = other(all.at(-1) ?? null, fields);
    return isObject(last) ? [...all.slice(0, -1), last] : all;
  });
