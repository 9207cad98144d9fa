/** Changes of a stream, piece by piece: each piece holds one event. */
import { isObject, type Answer, type Fields, type Json } from "../../targets/messages.ts";
import { runEndingIn, type Ending } from "../../targets/content.ts";
import type { Service } from "../../targets/service.ts";
import type { Change } from "../../targets/parts.ts";
import type { Ways } from "../breaker.ts";

const dataLine = /^([\s\S]*?data: )([^\r\n]*)([\s\S]*)$/;

/** The event that a piece of a stream holds. */
export function eventIn(piece: string): Fields {
  const event: Json = JSON.parse(dataLine.exec(piece)?.[2] ?? "null");
  return isObject(event) ? event : {};
}

/** The pieces of a stream: one holds one event. */
export const listPieces = ({ pieces }: Answer): string[] => pieces.map(String);

const spots = ["first", "fourth", "last-but-one"] as const;
type Spot = (typeof spots)[number];
const findIndex = (spot: Spot, count: number): number => ({ first: 0, fourth: 3, "last-but-one": count - 2 })[spot];

/** Changes the piece at one spot. */
const at =
  (spot: Spot | "last", change: (piece: string) => string): Change =>
  (answer) => {
    const pieces = listPieces(answer);
    const index = spot === "last" ? pieces.length - 1 : findIndex(spot, pieces.length);
    return { ...answer, pieces: pieces.map((piece, place) => (place === index ? change(piece) : piece)) };
  };

/** The same at every spot, and at the end, where the terminal event is. */
export const everywhere = (word: string, change: (piece: string) => string): Ways =>
  Object.fromEntries(
    [...spots, "last" as const].map((spot) => [`${word}-${spot === "last" ? "at-last" : spot}`, at(spot, change)]),
  );

/** Puts a line before the event at a spot, written as that event is. */
export const inserted = (word: string, data: string): Ways =>
  Object.fromEntries(
    spots.map((spot) => [
      `${word}-${spot}`,
      at(
        spot,
        (piece) => `${piece.replace(dataLine, (_, head: string, __, tail: string) => `${head}${data}${tail}`)}${piece}`,
      ),
    ]),
  );

export const insertedEvent = (word: string, event: Fields): Ways => inserted(word, JSON.stringify(event));
const withData = (change: (data: string) => string) => (piece: string) =>
  piece.replace(dataLine, (_, head: string, data: string, tail: string) => `${head}${change(data)}${tail}`);

/** Puts events after the last one, written as that is. */
export const appended =
  (...events: Fields[]): Change =>
  (answer) => {
    const last = listPieces(answer).at(-1) ?? "";
    const more = events.map((event) => withData(() => JSON.stringify(event))(last));
    return { ...answer, pieces: [...answer.pieces, ...more] };
  };

/** Makes a run end with the given event. */
export const endingIn = (ending: Ending): Partial<Service> => ({ run: () => runEndingIn(ending) });

/** Changes fields of every event of a type. */
export const changeFields =
  (type: string, change: (event: Fields) => Json): Change =>
  (answer) => ({
    ...answer,
    pieces: listPieces(answer).map((piece) =>
      eventIn(piece)["type"] === type ? withData(() => JSON.stringify(change(eventIn(piece))))(piece) : piece,
    ),
  });

/** The same events, one type of which is spelled otherwise. */
export const retyped = (type: string, to: string): Change => changeFields(type, (event) => ({ ...event, type: to }));
