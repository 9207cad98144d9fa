import { isDeepStrictEqual } from "node:util";
import type { ChangeList } from "./changes.ts";
import type { DiffContext, SchemaPlace } from "./diff-context.ts";
import { readNode, writeText } from "./document.ts";
import { isAnnotation, readMeaning, type SchemaForm } from "./schema-form.ts";

/** Keywords that other parts compare. */
const comparedKeyword = /^(?:type|enum|const|properties|required|additionalProperties|items|oneOf|anyOf|allOf|\$ref)$/;

/** Keywords that are bounds, by the side of the values that they limit. */
const lowerBound = /^(?:exclusiveMinimum|min(?:imum|Length|Items|Properties|Contains))$/;
const upperBound = /^(?:exclusiveMaximum|max(?:imum|Length|Items|Properties|Contains))$/;

/** Values of keywords that are equal to leaving the keyword out. */
const silent: Readonly<Record<string, unknown>> = {
  uniqueItems: false,
  readOnly: false,
  writeOnly: false,
  deprecated: false,
};

/** Compares the remaining keywords of two schemas: bounds, defaults, annotations, and every unknown keyword as a whole. */
export function diffKeywords(was: SchemaForm, is: SchemaForm, context: DiffContext, place: SchemaPlace): void {
  const names = new Set(
    [...Object.keys(was.keywords), ...Object.keys(is.keywords)].filter((name) => !comparedKeyword.test(name)),
  );
  for (const name of names) {
    const value = (form: SchemaForm): unknown =>
      form.keywords[name] === silent[name] ? undefined : form.keywords[name];
    diffKeyword(name, value(was), value(is), context, place);
  }
}

function diffKeyword(name: string, before: unknown, after: unknown, context: DiffContext, place: SchemaPlace): void {
  const { old, now, list } = context;
  const { direction, where } = place;
  if (isDeepStrictEqual(before, after)) return;
  if (isAnnotation(name)) return list.add("documentation", where, `${name} changed`);
  if (name === "default") return diffDefault(before, after, list, where);
  if (name === "discriminator") return diffDiscriminator(before, after, list, where);
  if (lowerBound.test(name) || upperBound.test(name)) return diffBound(name, before, after, list, place);
  if (isDeepStrictEqual(readMeaning(before, old), readMeaning(after, now))) return;
  if (name === "readOnly" || name === "writeOnly") return list.add("breaking", where, `${name} changed`);
  if (before === undefined) return list.narrowed(direction, where, `${name} was added${text(after)}`);
  if (after === undefined) return list.widened(direction, where, `${name} was removed`);
  list.add("breaking", where, `${name} changed${text(after, before)}`);
}

/** Describes the change of a value in words, when it is short enough. */
function text(value: unknown, before?: unknown): string {
  const isShort = [value, before ?? value].every((one) => typeof one !== "object");
  if (!isShort) return "";
  return before === undefined
    ? `: ${JSON.stringify(value)}`
    : ` from ${JSON.stringify(before)} to ${JSON.stringify(value)}`;
}

/** Compares defaults. Any change is breaking: callers that leave the field out rely on the default. */
function diffDefault(before: unknown, after: unknown, list: ChangeList, where: readonly string[]): void {
  if (before === undefined) list.add("additive", where, `the default ${JSON.stringify(after)} was added`);
  else if (after === undefined) list.add("breaking", where, `the default ${JSON.stringify(before)} was removed`);
  else list.add("breaking", where, `the default changed${text(after, before)}`);
}

function diffDiscriminator(before: unknown, after: unknown, list: ChangeList, where: readonly string[]): void {
  const names = [before, after].map((value) => readNode(value)["propertyName"]);
  const hasMoved = before !== undefined && after !== undefined && names[0] !== names[1];
  list.add(hasMoved ? "breaking" : "documentation", where, "the discriminator changed");
}

function diffBound(
  name: string,
  before: unknown,
  after: unknown,
  list: ChangeList,
  { direction, where }: SchemaPlace,
): void {
  const isLower = lowerBound.test(name);
  const none = isLower ? -Infinity : Infinity;
  const [was, is] = [before, after].map((value) => (typeof value === "number" ? value : none));
  const tighter = isLower ? (is ?? none) > (was ?? none) : (is ?? none) < (was ?? none);
  const what = `${name} changed from ${writeText(before, "none")} to ${writeText(after, "none")}`;
  if (tighter) list.narrowed(direction, where, what);
  else list.widened(direction, where, what);
}
