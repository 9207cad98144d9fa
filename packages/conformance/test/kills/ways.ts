/** Several ways to break one sentence: values of other types, other places in a list, bodies that are no JSON. */
import { inTurn, send, set, text, type Change } from "../targets/changes.ts";
import { joinBody, type Json } from "../targets/messages.ts";

/** Changes of an answer, each by what the server does. */
export type Ways = Readonly<Record<string, Change>>;

/** All ways of several lists. */
export const together = (...lists: readonly Ways[]): Ways =>
  Object.fromEntries(lists.flatMap((list) => Object.entries(list)));

/** One way for each item of a list. */
export const list = <Item>(
  items: readonly Item[],
  write: (item: Item, at: number) => readonly [string, Change],
): Ways => Object.fromEntries(items.map(write));

/** The same ways, each with a word in front. */
export const addWord = (word: string, ways: Ways): Ways =>
  list(Object.entries(ways), ([id, change]) => [`${word}-${id}`, change]);

/** Other fields in each of some objects. */
export const each = <T extends object, U extends object>(all: readonly T[], fields: (one: T) => U): (T & U)[] =>
  all.map((one) => Object.assign({}, one, fields(one)));

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

/**
 * One way for each value at a path that is of none of the right types.
 *
 * @param before - Changes that are made first. Default: none.
 */
export const setKinds = (word: string, path: string, right: readonly string[], ...before: readonly Change[]): Ways =>
  listKinds(word, right, (to) => inTurn(...before, set(path, to)));

/** One way for each value that is of none of the right types. */
export const listKinds = (word: string, right: readonly string[], change: (value: Json) => Change): Ways =>
  list(
    Object.entries(jsonKinds).filter(([kind]) => !right.includes(kind)),
    ([kind, to]) => [`${word}-is-${kind}`, change(to)],
  );

/** The ways at each place in a list. */
export const atPlaces = (write: (place: string) => Ways): Ways => together(...["first", "middle", "last"].map(write));

/** Bytes that are not UTF-8, inside a string of the JSON. */
const breakUtf8: Change = (answer, request) => {
  const body = joinBody(answer);
  const at = body.indexOf('"') + 1;
  const rest = body.slice(body.indexOf('"', at) + 1);
  return send(body.slice(0, at), Uint8Array.of(0xe9, 0x22), rest)(answer, request);
};

/** A body that is no JSON, in all ways. */
export const noJson: Ways = {
  "is-cut-off": text((body) => body.slice(0, -2)),
  "is-empty": text(() => ""),
  "is-in-words": text(() => "all is well"),
  "comes-twice": text((body) => `${body}\n${body}`),
  "is-not-utf-8": breakUtf8,
};
