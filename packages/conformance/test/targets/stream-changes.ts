/** Changes of a stream, piece by piece: each piece holds one event. */
import { edit, inPieces, type Change } from "./changes.ts";
import { isObject, type Answer, type Fields, type Json } from "./messages.ts";

const dataLine = /^([\s\S]*?data: )([^\r\n]*)([\s\S]*)$/;

/** The event that a piece of a stream holds. */
export function eventIn(piece: string): Fields {
  const event: Json = JSON.parse(dataLine.exec(piece)?.[2] ?? "null");
  return isObject(event) ? event : {};
}

/** The pieces of a stream: one holds one event. */
export const listPieces = ({ pieces }: Answer): string[] => pieces.map(String);

/** The same piece with other data, or the piece of another event that is written as this one is. */
const withData = (piece: string, data: string): string =>
  piece.replace(dataLine, (_, head: string, __, tail: string) => `${head}${data}${tail}`);

/** Some places in a stream; `last` is that of the terminal event. */
export const spots = ["first", "fourth", "last-but-one"] as const;
export type Spot = (typeof spots)[number] | "last";
const findIndex = (spot: Spot, count: number): number =>
  ({ first: 0, fourth: 3, "last-but-one": count - 2, last: count - 1 })[spot];

/** Changes the text of one event. */
export const rewrite = (spot: Spot, change: (piece: string) => string): Change =>
  inPieces((pieces) =>
    pieces.map((piece, place) => (place === findIndex(spot, pieces.length) ? change(String(piece)) : piece)),
  );

/** Puts data before one event, written as that event is. */
export const insertData = (spot: Spot, data: string): Change =>
  rewrite(spot, (piece) => `${withData(piece, data)}${piece}`);

/** Puts an event before another one. */
export const insert = (event: Fields, spot: Spot = "fourth"): Change => insertData(spot, JSON.stringify(event));

/** Puts events after the last one, written as that is. */
export const append = (...events: readonly Fields[]): Change =>
  inPieces((pieces) => [...pieces, ...events.map((event) => withData(String(pieces.at(-1)), JSON.stringify(event)))]);

/** Leaves out the last events. */
export const drop = (count = 1): Change => inPieces((pieces) => pieces.slice(0, -count));

/** Changes the text of every event of a type. */
export const rewriteType = (type: string, change: (piece: string) => string): Change =>
  inPieces((pieces) => pieces.map(String).map((piece) => (eventIn(piece)["type"] === type ? change(piece) : piece)));

/** Changes every event of a type. */
export const changeEvents = (type: string, change: (event: Fields) => Json): Change =>
  rewriteType(type, (piece) => withData(piece, JSON.stringify(change(eventIn(piece)))));

/** Sets what stands at a path in every event of a type, as `edit` does. */
export const setInEvents = (type: string, path: string, to?: Json | ((value: Json) => Json)): Change =>
  changeEvents(type, edit(path, to));

/** Writes one type of events otherwise. */
export const retype = (type: string, to: string): Change => setInEvents(type, "type", to);
