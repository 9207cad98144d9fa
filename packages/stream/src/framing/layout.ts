import { eventFrom } from "../events/event.ts";
import { createLayoutReader, chooseProbe, type LayoutReader, type Slot, type TypeName } from "./layout-readers.ts";
import type { LineField, LineFields } from "./line-fields.ts";

/** Layout of flat events with the same keys: the text around their values, and constant values. */
export interface EventLayout {
  /** Reads a line. Replaced when more lines are learned. */
  read: LayoutReader;
  /** Learns one more line; returns false when it has another layout. */
  extend(line: LineFields): boolean;
}

/**
 * Number of lines that are learned before a reader is compiled, or compiled again. That takes as long as to parse some hundred lines: not
 * worth it for rare ones, and few values are equal by chance in eight of them.
 */
const minLines = 8;

/** Largest number of types in a layout. */
const maxTypes = 6;

/** Patterns of values. With more escapes, JSON.parse takes less time; a group repeated without a bound can overflow the stack. */
const patterns = {
  string: String.raw`"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\x00-\x1f]*){0,99}"`,
  scalar: String.raw`(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)`,
};

/**
 * Creates the layout of a line. A value counts as the same in all events until a line has another one.
 *
 * @returns undefined when a key comes twice, has a meaning of its own, or has another place in the object than in the line.
 */
export function createLayout(first: LineFields, object: object): EventLayout | undefined {
  const { fields, tail } = first;
  const keys = Object.keys(object); // unlike texts that were cut, engines compare these by their address
  const type = fields[keys.indexOf("type")]?.raw ?? "\\";
  // A key that objects inherit could not be set, or has a meaning of its own.
  const isUnusual = keys.some((key) => key in Object.prototype) || type.includes("\\");
  if (isUnusual || keys.join('"') !== fields.map(({ key }) => key).join('"')) return undefined;
  let types: Types = [readType(type)];
  const varying = new Set<string>();
  /** Number of lines that were learned. */
  let learned = 1;
  const layout: EventLayout = {
    read: () => undefined,
    extend(line) {
      if (line.tail !== tail || line.fields.length !== keys.length) return false;
      const others = fields.map((field, index) => valueInPlace(field, line.fields[index]));
      if (others.includes(undefined)) return false;
      const other = others[keys.indexOf("type")] ?? type;
      if (!types.some(({ written }) => written === other)) {
        const more: Types = [...types, readType(other)];
        if (more.length > maxTypes || other.includes("\\") || chooseProbe(more) < 0) return false;
        types = more;
      }
      fields.forEach(({ key, raw }, index) => others[index] !== raw && varying.add(key));
      if (++learned % minLines === 0) layout.read = compile(first, keys, varying, types);
      return true;
    },
  };
  return layout;
}

/** The types of a layout. */
type Types = readonly [TypeName, ...TypeName[]];

/** Returns a value that has the place of another one in its line, and is written like it. */
function valueInPlace(field: LineField, other: LineField | undefined): string | undefined {
  return other?.before === field.before && other.raw.startsWith('"') === field.raw.startsWith('"')
    ? other.raw
    : undefined;
}

/** Compiles the reader of a learned layout. */
function compile(
  { fields, tail }: LineFields,
  keys: readonly string[],
  varying: ReadonlySet<string>,
  types: Types,
): LayoutReader {
  const slots: Slot[] = [];
  let source = "";
  /** The text since the last slot. */
  let literal = "";
  fields.forEach(({ before, key, raw }, field) => {
    literal += before;
    if (!varying.has(key)) {
      literal += raw;
      return;
    }
    const kind = key === "type" ? "type" : raw.startsWith('"') ? "string" : "scalar";
    slots.push({ field, kind, before: literal.length });
    const names = types.map(({ written }) => writePattern(written)).join("|");
    source += writePattern(literal) + (kind === "type" ? `(?:${names})` : patterns[kind]);
    literal = "";
  });
  source += writePattern(literal + tail);
  const values = fields.map(({ raw }): unknown => JSON.parse(raw));
  return createLayoutReader(source, slots, keys, values, types);
}

/** Returns a type of events by how it is written. */
function readType(written: string): TypeName {
  const [name = ""] = Object.keys({ [String(JSON.parse(written))]: 0 }); // engines compare keys by their address
  const object = { type: name };
  return { name, written, isListed: eventFrom(object) === object };
}

/** Returns the source of a pattern that matches a text. */
function writePattern(text: string): string {
  return text.replaceAll(/\W/g, (letter) => String.raw`\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
