import type { StreamEvent } from "../events/event.ts";
import { copyText, readEscaped, readScalar } from "./field-values.ts";

/** A place in a text. */
export interface Place {
  /** Offset at which a line begins; a reader moves it to the end of the line. */
  at: number;
  /** Offset of a backslash: the first one after the last line that was read, if it is after it. Before the first one: -1. */
  backslash: number;
}

/**
 * Reads the line at a place of a text, whose lines are all complete.
 *
 * @returns the event that JSON.parse would have given; undefined, with the place anywhere, when the line has another layout.
 */
export type LayoutReader = (text: string, place: Place) => StreamEvent | undefined;

/** A value that differs between the events of a layout. */
export interface Slot {
  readonly key: string;
  readonly kind: "type" | "string" | "scalar";
  /** Number of the first group of the pattern that has its value. */
  readonly group: number;
}

/** A type of events. */
export interface TypeName {
  readonly name: string;
  /** How it is written, with its quotes. */
  readonly written: string;
  readonly isListed: boolean;
}

type Template = Readonly<Record<string, unknown>>;

/**
 * Creates the reader of a layout in which, beside the type, one string differs. Its place follows from where the line ends.
 *
 * @param source - matches a line without its line end
 * @param literals - the texts before, between and after the slots
 * @param probe - see `probeOf`
 */
export function createOneStringReader(
  source: string,
  slots: readonly Slot[],
  [first = "", middle = "", last = ""]: readonly string[],
  template: Template,
  types: readonly [TypeName, ...TypeName[]],
  probe: number,
): LayoutReader {
  const pattern = new RegExp(source, "y");
  const key = slots.find(({ kind }) => kind === "string")?.key ?? "";
  const typeAt = slots.findIndex(({ kind }) => kind === "type");
  const before = first.length + 1;
  const between = middle.length;
  const codes = codesAt(probe, types, typeAt > 0);
  const after = (slots.length > 1 ? last.length : middle.length) + 1;
  return (text, place) => {
    const { at } = place;
    pattern.lastIndex = at;
    if (!pattern.test(text)) return undefined;
    const end = pattern.lastIndex;
    const code = text.charCodeAt(end);
    if (code !== 10 && code !== 13) return undefined;
    let type = types[0];
    let from = at + before;
    let to = end - after;
    if (typeAt >= 0) {
      const sign = text.charCodeAt(typeAt ? to - probe : from - 1 + probe);
      let which = 0;
      while (codes[which] !== sign) which++;
      type = types[which] ?? type;
      if (typeAt) to -= type.written.length + between;
      else from += type.written.length + between;
    }
    if (place.backslash < from) {
      const next = text.indexOf("\\", from);
      place.backslash = next < 0 ? text.length : next;
    }
    place.at = end;
    const value = place.backslash < to ? readEscaped(text.slice(from - 1, to + 1)) : copyText(text.slice(from, to));
    if (value === undefined) return undefined;
    const event: Record<string, unknown> = { ...template };
    event["type"] = type.name;
    event[key] = value;
    return asEvent(event, type);
  };
}

/**
 * Returns the place of a character that tells types apart, counted from the start of the type, or from its end: to compare
 * a character takes a tenth of the time that a string takes. Returns -1 when there is none.
 */
export function probeOf(types: readonly TypeName[], fromEnd: boolean): number {
  const length = Math.min(...types.map(({ written }) => written.length));
  const places = Array.from({ length }, (_, place) => place);
  return places.findIndex((place) => new Set(codesAt(place, types, fromEnd)).size === types.length);
}

/** Returns the codes of the character at a place of each type. */
function codesAt(place: number, types: readonly TypeName[], fromEnd: boolean): readonly number[] {
  return types.map(({ written }) => written.charCodeAt(fromEnd ? written.length - 1 - place : place));
}

/**
 * Creates the reader of a layout in which several values differ.
 *
 * @param source - matches a line without its line end, and has the values as groups
 */
export function createGroupReader(
  source: string,
  slots: readonly Slot[],
  template: Template,
  types: readonly [TypeName, ...TypeName[]],
): LayoutReader {
  const pattern = new RegExp(source, "y");
  return (text, place) => {
    pattern.lastIndex = place.at;
    const match = pattern.exec(text);
    if (!match) return undefined;
    const end = pattern.lastIndex;
    const code = text.charCodeAt(end);
    if (code !== 10 && code !== 13) return undefined;
    place.at = end;
    const event: Record<string, unknown> = { ...template };
    let type = types[0];
    for (const { key, kind, group } of slots) {
      if (kind === "type") {
        let which = 0;
        while (match[group + which] === undefined) which++;
        type = types[which] ?? type;
        event["type"] = type.name;
        continue;
      }
      const plain = match[group];
      const value =
        plain === undefined ? readEscaped(match[group + 1]) : kind === "string" ? copyText(plain) : readScalar(plain);
      if (value === undefined) return undefined;
      event[key] = value;
    }
    return asEvent(event, type);
  };
}

/** Wraps an object as an event, if its type is not a listed one. */
function asEvent(event: Record<string, unknown>, type: TypeName): StreamEvent;
function asEvent(event: object, { name, isListed }: TypeName): object {
  return isListed ? event : { type: "unknown", originalType: name, event };
}
