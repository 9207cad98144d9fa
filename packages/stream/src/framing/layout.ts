import { eventFrom } from "../events/event.ts";
import {
  createGroupReader,
  createOneStringReader,
  probeOf,
  type LayoutReader,
  type Slot,
  type TypeName,
} from "./layout-readers.ts";
import type { LineField, LineFields } from "./line-fields.ts";

/** What flat events with the same keys have in common: the text around their values, and values that are always the same. */
export interface Layout {
  /** Reads a line. It changes with what is learned. */
  read: LayoutReader;
  /** Learns one more line; returns false when it has another layout. */
  extend(line: LineFields): boolean;
}

/** Largest number of types in a layout. */
const maxTypes = 6;

/** A JSON string, but any letter may follow a backslash. A repeated group can overflow the stack, so there is a bound. */
const stringPattern = String.raw`"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*){0,99}"`;
/** The same, in two groups: a string without escapes, and one that has some, with its quotes. */
const stringGroups = String.raw`(?:"([^"\\\x00-\x1f]*)"|("[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*){1,99}"))`;
const scalarGroup = String.raw`(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)`;

/**
 * Creates the layout of a line. A value counts as the same in all events until a line has another one.
 *
 * @returns undefined when a key comes twice, has a meaning of its own, or has another place in the object than in the line.
 */
export function createLayout(first: LineFields, object: object): Layout | undefined {
  const { fields, tail } = first;
  const keys = fields.map(({ key }) => key);
  const type = fields[keys.indexOf("type")]?.raw ?? "\\";
  if (keys.includes("__proto__") || keys.join('"') !== Object.keys(object).join('"') || type.includes("\\")) {
    return undefined;
  }
  const types: [string, ...string[]] = [type];
  const varying = new Set<string>();
  const layout: Layout = {
    read: () => undefined,
    extend(line) {
      if (line.tail !== tail || line.fields.length !== keys.length) return false;
      const others = fields.map((field, index) => valueInPlace(field, line.fields[index]));
      if (others.includes(undefined)) return false;
      fields.forEach(({ key, raw }, index) => {
        const other = others[index] ?? raw;
        if (key !== "type" && other !== raw) varying.add(key);
        if (key !== "type" || types.includes(other) || types.length >= maxTypes || other.includes("\\")) return;
        types.push(other);
        varying.add(key);
      });
      compile(layout, first, varying, types);
      return true;
    },
  };
  compile(layout, first, varying, types);
  return layout;
}

/** Returns a value that has the place of another one in its line, and is written like it. */
function valueInPlace(field: LineField, other: LineField | undefined): string | undefined {
  return other?.before === field.before && other.raw.startsWith('"') === field.raw.startsWith('"')
    ? other.raw
    : undefined;
}

/** Gives a layout the reader of what it has learned. */
function compile(
  layout: Layout,
  { fields, tail }: LineFields,
  varying: ReadonlySet<string>,
  written: readonly [string, ...string[]],
): void {
  const slots: Slot[] = [];
  /** Texts before, between and after the slots. */
  const literals = [""];
  for (const { before, key, raw } of fields) {
    const varies = varying.has(key);
    literals.push((literals.pop() ?? "") + before + (varies ? "" : raw));
    if (!varies) continue;
    const kind = key === "type" ? "type" : raw.startsWith('"') ? "string" : "scalar";
    const group = 1 + slots.reduce((sum, slot) => sum + groupsOf(slot.kind, written), 0);
    slots.push({ key, kind, group });
    literals.push("");
  }
  literals.push((literals.pop() ?? "") + tail);
  const template: Readonly<Record<string, unknown>> = JSON.parse(
    `{${fields.map(({ key, raw }) => `"${key}":${raw}`).join(",")}}`,
  );
  const types = [typeOf(written[0]), ...written.slice(1).map(typeOf)] as const;
  const others = slots.filter(({ kind }) => kind !== "type");
  const probe = probeOf(types, slots[0]?.kind !== "type");
  const isOneString = others.length === 1 && others[0]?.kind === "string" && probe >= 0;
  const patterns: Readonly<Record<Slot["kind"], string>> = {
    type: `(?:${written.map((type) => `${patternOf(type)}${isOneString ? "" : "()"}`).join("|")})`,
    string: isOneString ? stringPattern : stringGroups,
    scalar: scalarGroup,
  };
  const patternAt = (index: number): string => {
    const slot = slots[index];
    return slot ? patterns[slot.kind] : "";
  };
  const source = literals.map((literal, index) => patternOf(literal) + patternAt(index)).join("");
  layout.read = isOneString
    ? createOneStringReader(source, slots, literals, template, types, probe)
    : createGroupReader(source, slots, template, types);
}

function groupsOf(kind: Slot["kind"], types: readonly string[]): number {
  return { type: types.length, string: 2, scalar: 1 }[kind];
}

/** Returns a type of events by how it is written. */
function typeOf(written: string): TypeName {
  const name = String(JSON.parse(written));
  return { name, written: JSON.stringify(name), isListed: eventFrom({ type: name })?.type === name };
}

/** Returns the source of a pattern that matches a text. */
function patternOf(text: string): string {
  return text.replaceAll(/\W/g, (letter) => String.raw`\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
