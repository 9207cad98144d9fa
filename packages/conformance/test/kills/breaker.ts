/** Ways to break one sentence: each makes, of a correct answer, one that breaks just that sentence. */
import {
  joinBody,
  isObject,
  findOperation,
  type Answer,
  type ReceivedRequest,
  type Json,
} from "../targets/messages.ts";
import type { Service } from "../targets/service.ts";
import { type Change, other, text } from "../targets/parts.ts";

/** Subject of an exchange: an operation, and the reason for the correct service's response. */
export type Subject =
  | "scrape"
  | "scrape-invalid"
  | "scrape-stranger"
  | "cookies"
  | "cookies-stranger"
  | "replay"
  | "replay-stranger"
  | "run"
  | "run-stranger"
  | "run-refused";

const statuses: Readonly<Record<string, Readonly<Record<number, Subject>>>> = {
  scrape: { 200: "scrape", 422: "scrape-invalid", 403: "scrape-stranger" },
  cookies: { 200: "cookies", 403: "cookies-stranger" },
  replay: { 200: "replay", 403: "replay-stranger" },
  automation: { 200: "run", 401: "run-stranger", 400: "run-refused" },
};

/** Returns the subject of a request and its correct response; undefined when no requirement is about it. */
export function findSubject(answer: Answer, request: ReceivedRequest): Subject | undefined {
  const operation = findOperation(request);
  return operation === undefined ? undefined : statuses[operation]?.[answer.status];
}

/** One way to break a sentence. */
export interface Breaker {
  /** Behaviour of the server, in kebab-case. */
  readonly id: string;
  /** The one requirement that it breaks. */
  readonly requirement: string;
  /** Requirements that say the same of a part of the answers: a finding may name one of them instead. Default: none. */
  readonly also?: RegExp;
  /** The answers that it changes. */
  readonly subject: Subject;
  /** Those of them in which the sentence can be broken. Default: all. */
  readonly fits?: (request: ReceivedRequest, answer: Answer) => boolean;
  /** The answer that breaks the sentence. */
  readonly breaks: (answer: Answer, request: ReceivedRequest) => Answer;
  /** Correct behaviour of the service without which the requirement can't be violated. Default: none. */
  readonly parts?: Partial<Service>;
}

/** Changes of an answer, each by what the server does. */
export type Ways = Readonly<Record<string, Change>>;

/** All ways of several lists. */
export const together = (...lists: readonly Ways[]): Ways =>
  Object.fromEntries(lists.flatMap((list) => Object.entries(list)));

/** The same ways, each with a word in front. */
export const addWord = (word: string, ways: Ways): Ways =>
  Object.fromEntries(Object.entries(ways).map(([id, change]) => [`${word}-${id}`, change]));

/** One way for each value that is of none of the right types. */
export const kindsBut = (word: string, right: readonly string[], change: (value: Json) => Change): Ways =>
  Object.fromEntries(
    Object.entries(jsonKinds)
      .filter(([kind]) => !right.includes(kind))
      .map(([kind, to]) => [`${word}-is-${kind}`, change(to)]),
  );

/** One way for each place in a list. */
export const atPlaces = (word: string, change: (place: Place) => Change): Ways =>
  Object.fromEntries(places.map((place) => [`${place}-${word}`, change(place)]));

/** The ways to break one sentence. */
export function breaking(subject: Subject, requirement: string, ways: Ways): Breaker[] {
  return Object.entries(ways).map(([id, breaks]) => ({ id, requirement, subject, breaks }));
}

/** The same ways, where something is true of the request. */
export const where = (fits: NonNullable<Breaker["fits"]>, breakers: readonly Breaker[]): Breaker[] =>
  each(breakers, () => ({ fits }));

/** Other fields in each of some objects. */
export const each = <T extends object, U extends object>(list: readonly T[], fields: (one: T) => U): (T & U)[] =>
  list.map((one) => Object.assign({}, one, fields(one)));

/** Bytes that are not UTF-8, inside a string of the JSON. */
const notUtf8: Change = (answer) => {
  const body = joinBody(answer);
  const at = body.indexOf('"') + 1;
  return { ...answer, pieces: [body.slice(0, at), Uint8Array.of(0xe9, 0x22), body.slice(body.indexOf('"', at) + 1)] };
};

/** A body that is no JSON, in all ways. */
export const noJson: Ways = {
  "is-cut-off": text((body) => body.slice(0, -2)),
  "is-empty": text(() => ""),
  "is-in-words": text(() => "all is well"),
  "comes-twice": text((body) => `${body}\n${body}`),
  "is-not-utf-8": notUtf8,
};

/** Place of something in a list. */
const places = ["first", "middle", "last"] as const;
export type Place = (typeof places)[number];

/** The list with one element changed. */
export function changedAt(list: readonly Json[], place: Place, change: (element: Json) => Json): Json[] {
  const at = { first: 0, middle: Math.floor(list.length / 2), last: list.length - 1 }[place];
  return list.map((element, index) => (index === at ? change(element) : element));
}

/** An object with one field changed; anything else as it is. */
export const withField = (element: Json, name: string, to?: Json): Json =>
  isObject(element) ? other(element, { [name]: to }) : element;

/** Values of JSON, each of another type, by a word for it. */
const jsonKinds: Readonly<Record<string, Json>> = {
  null: null,
  "a-number": 7,
  "a-fraction": 0.5,
  "a-string": "7",
  "a-boolean": false,
  "a-list": [7],
  "an-object": { value: 7 },
};
