import { isDeepStrictEqual } from "node:util";
import type { ChangeList, Direction } from "./changes.ts";
import { diffUnions } from "./unions.ts";
import type { DiffContext, SchemaPlace } from "./diff-context.ts";
import { readNode } from "./document.ts";
import { diffKeywords } from "./keywords.ts";
import { schemaForm, typeNames, type SchemaForm, type ValueType } from "./schema-form.ts";

/** Compares two schemas, considering the direction of their values. */
export function diffSchemas(before: unknown, after: unknown, context: DiffContext, place: SchemaPlace): void {
  const pair = [context.old.resolve(before), context.now.resolve(after)] as const;
  const within = place.within ?? [];
  const source = [identifyNode(before), identifyNode(after)] as const;
  if (within.some(([some, other]) => some === source[0] && other === source[1])) return;
  const inner: SchemaPlace = { ...place, within: [...within, source] };
  const [was, is] = [schemaForm(pair[0], context.old), schemaForm(pair[1], context.now)];
  if (was.choices || is.choices) {
    diffNull(was, is, context.list, place);
    diffUnions([was, pair[0]], [is, pair[1]], context, inner);
    if (!was.choices || !is.choices) return;
  } else {
    diffTypes(was, is, context.list, place);
  }
  diffValues(was, is, context.list, place);
  diffProperties(was, is, context, inner);
  diffAdditional(was, is, context, inner);
  if (was.keywords["items"] !== undefined || is.keywords["items"] !== undefined) {
    const items: SchemaPlace = { ...inner, where: [...place.where, "items"], events: false };
    diffSchemas(was.keywords["items"] ?? {}, is.keywords["items"] ?? {}, context, items);
  }
  diffKeywords(was, is, context, place);
}

/** Returns the identity of a schema: its reference, if it has one. */
function identifyNode(schema: unknown): unknown {
  const reference = readNode(schema)["$ref"];
  return typeof reference === "string" ? reference : schema;
}

function diffNull(was: SchemaForm, is: SchemaForm, list: ChangeList, { direction, where }: SchemaPlace): void {
  if (was.types.has("null") === is.types.has("null")) return;
  if (was.types.has("null")) list.narrowed(direction, where, "null is no longer allowed");
  else list.widened(direction, where, "null is allowed now");
}

function diffTypes(was: SchemaForm, is: SchemaForm, list: ChangeList, place: SchemaPlace): void {
  diffNull(was, is, list, place);
  const [removals, additions] = [typesWithout(was, is), typesWithout(is, was)];
  if (removals.length > 0) {
    list.narrowed(place.direction, place.where, `type: ${typeNames(removals)} is no longer allowed`);
  }
  if (additions.length > 0) list.widened(place.direction, place.where, `type: ${typeNames(additions)} is allowed now`);
}

/** Returns the types that only the first schema has, without `null`, which is reported by itself. */
function typesWithout(some: SchemaForm, other: SchemaForm): ValueType[] {
  return [...some.types].filter((type) => type !== "null" && !other.types.has(type));
}

function diffValues(was: SchemaForm, is: SchemaForm, list: ChangeList, { direction, where }: SchemaPlace): void {
  const [before, after] = [was.values, is.values];
  if (!before && !after) return;
  if (!before) return list.narrowed(direction, where, `only ${show(after ?? [])} is allowed now`);
  if (!after) return list.widened(direction, where, `values other than ${show(before)} are allowed now`);
  const [removals, additions] = [valuesWithout(before, after), valuesWithout(after, before)];
  // Null is told as a type. A value that comes no more is missed by readers who wait for it: breaking either way.
  if (removals.length > 0) list.add("breaking", where, `the value ${show(removals)} was removed`);
  if (additions.length > 0) list.widened(direction, where, `the value ${show(additions)} was added`);
}

function valuesWithout(some: readonly unknown[], others: readonly unknown[]): unknown[] {
  return some.filter((value) => value !== null && !others.some((other) => isDeepStrictEqual(other, value)));
}

function show(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

function diffProperties(was: SchemaForm, is: SchemaForm, context: DiffContext, place: SchemaPlace): void {
  const { list } = context;
  const names = new Set([
    ...Object.keys(was.properties),
    ...Object.keys(is.properties),
    ...was.required,
    ...is.required,
  ]);
  for (const name of names) {
    const where = [...place.where, name];
    const had = Object.hasOwn(was.properties, name);
    const has = Object.hasOwn(is.properties, name);
    if (had && !has) {
      list.add("breaking", where, describeRemoval(is, place.direction));
    } else if (!had && has) {
      const isRequired = is.required.has(name);
      if (place.direction === "request" && isRequired && !was.required.has(name)) {
        list.add("breaking", where, "a required field was added: requests without it are rejected");
      } else list.add("additive", where, "a field was added");
    } else {
      diffRequired(name, was, is, list, { ...place, where });
      if (had && has) {
        diffSchemas(was.properties[name], is.properties[name], context, { ...place, where, events: false });
      }
    }
  }
}

function describeRemoval(is: SchemaForm, direction: Direction): string {
  if (direction === "response") return "the field was removed: readers miss it";
  const isClosed = is.keywords["additionalProperties"] === false;
  return `the field was removed: requests with it are ${isClosed ? "rejected, as unknown fields are" : "no longer understood"}`;
}

function diffRequired(name: string, was: SchemaForm, is: SchemaForm, list: ChangeList, place: SchemaPlace): void {
  const [before, after] = [was.required.has(name), is.required.has(name)];
  if (before === after) return;
  if (after) list.narrowed(place.direction, place.where, "the field is required now");
  else list.widened(place.direction, place.where, "the field is no longer required");
}

/** Compares `additionalProperties`. Readers ignore unknown fields, so changes in responses are not breaking. */
function diffAdditional(was: SchemaForm, is: SchemaForm, context: DiffContext, place: SchemaPlace): void {
  const [before, after] = [findAdditional(was), findAdditional(is)];
  const where = [...place.where, "other fields"];
  if (before !== false && after !== false) {
    if (before !== true || after !== true) diffSchemas(before, after, context, { ...place, where, events: false });
  } else if (after !== before) {
    const what = after === false ? "unknown fields are rejected now" : "unknown fields are allowed now";
    const kind = place.direction === "request" && after === false ? "breaking" : "additive";
    context.list.add(kind, where, what);
  }
}

function findAdditional({ keywords }: SchemaForm): unknown {
  const value = keywords["additionalProperties"];
  return value === undefined || (value !== false && Object.keys(readNode(value)).length === 0) ? true : value;
}
