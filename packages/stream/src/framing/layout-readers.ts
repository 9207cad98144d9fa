import type { StreamEvent } from "../events/event.ts";
import { readScalar, readString, type Place } from "./field-values.ts";

/**
 * Reads the line at a place of a text, whose lines end with a line end.
 *
 * @returns the event that JSON.parse would have given, with the place at the end of the line; undefined, with the place
 * anywhere, when the line has another layout.
 */
export type LayoutReader = (text: string, place: Place) => StreamEvent | undefined;

/** A value that differs between the events of a layout. */
export interface Slot {
  /** Number of its field. */
  readonly field: number;
  readonly kind: "type" | "string" | "scalar";
  /** Length of the text between the value before, or the start of the line, and this value. */
  readonly before: number;
}

/** A type of events. */
export interface TypeName {
  readonly name: string;
  /** JSON text of the type, with its quotes. */
  readonly written: string;
  readonly isListed: boolean;
}

/**
 * Creates the reader of a layout.
 *
 * @param source - matches a line without its line end, and only if its text is valid JSON
 * @param constants - values of all fields, of which those in slots differ
 * @param types - those that are told apart by `probeOf`
 */
export function createLayoutReader(
  source: string,
  slots: readonly Slot[],
  keys: readonly string[],
  constants: readonly unknown[],
  types: readonly [TypeName, ...TypeName[]],
): LayoutReader {
  const pattern = new RegExp(source, "y");
  const probe = chooseProbe(types);
  const codes = codesAt(probe, types);
  const values = [...constants];
  const [firstKey = "", secondKey = ""] = keys;
  const others = keys.slice(2).map((key, index) => ({ key, field: index + 2 }));
  const beginning = ["type delta", "delta type"].indexOf(keys.slice(0, 2).join(" ")) + 1;
  return (text, place) => {
    pattern.lastIndex = place.at;
    if (!pattern.test(text)) return undefined;
    const end = pattern.lastIndex;
    const code = text.charCodeAt(end);
    if (code !== 10 && code !== 13) return undefined;
    let type = types[0];
    let [first, second] = constants;
    for (const { field, kind, before } of slots) {
      place.at += before;
      let value: unknown;
      if (kind === "string") value = readString(text, place);
      else if (kind === "scalar") value = readScalar(text, place);
      else {
        const sign = text.charCodeAt(place.at + probe);
        let which = 0;
        while (codes[which] !== sign) which++;
        type = types[which] ?? type;
        value = type.name;
        place.at += type.written.length;
      }
      // Most events have two fields. To keep a value that is new in an array that is old takes some time.
      if (field === 0) first = value;
      else if (field === 1) second = value;
      else values[field] = value;
    }
    place.at = end;
    const object: Record<string, unknown> =
      beginning === 1 ? { type: first, delta: second } : beginning === 2 ? { delta: first, type: second } : {};
    if (!beginning) {
      object[firstKey] = first;
      if (keys.length > 1) object[secondKey] = second;
    }
    for (const { key, field } of others) object[key] = values[field];
    return asEvent(object, type);
  };
}

/**
 * Returns the place of a character that tells types apart, counted from their start: to compare a character takes a tenth of
 * the time that a string takes. Returns -1 when there is none.
 */
export function chooseProbe(types: readonly TypeName[]): number {
  const length = Math.min(...types.map(({ written }) => written.length));
  const places = Array.from({ length }, (_, place) => place);
  return places.findIndex((place) => new Set(codesAt(place, types)).size === types.length);
}

/** Returns the codes of the character at a place of each type. */
function codesAt(place: number, types: readonly TypeName[]): readonly number[] {
  return types.map(({ written }) => written.charCodeAt(place));
}

/** Wraps an object as an event, if its type is not a listed one. */
function asEvent(event: Record<string, unknown>, type: TypeName): StreamEvent;
function asEvent(event: object, { name, isListed }: TypeName): object {
  return isListed ? event : { type: "unknown", originalType: name, event };
}
