import { isDeepStrictEqual } from "node:util";
import type { DiffContext, SchemaPlace } from "./diff-context.ts";
import { readNode, writeText, type ContractDocument, type Node } from "./document.ts";
import { readMeaning, schemaForm, type SchemaForm } from "./schema-form.ts";

/** One alternative of `anyOf` or `oneOf`. */
interface Choice {
  readonly schema: unknown;
  /** Name in messages. */
  readonly name: string;
  /** Its reference; undefined when it is written in place. */
  readonly reference: string | undefined;
  /** Identifier by which it is found in the other document; undefined when it is found only by its meaning. */
  readonly key: string | undefined;
  /** True when it is an event that ends the stream. */
  readonly terminal: boolean;
}

/**
 * Compares the alternatives of `anyOf` and `oneOf`. They are matched by the value of their `type`, else by the name of their
 * schema, else by their meaning; their order does not count. The choice for all other values is compared by itself.
 *
 * An event that was removed breaks readers who wait for it. One that was added does not, as readers pass over types that
 * they do not know, unless it ends the stream: then they wait for another end.
 */
export function diffUnions(
  [was, before]: readonly [SchemaForm, unknown],
  [is, after]: readonly [SchemaForm, unknown],
  context: DiffContext,
  place: SchemaPlace,
): void {
  const removals = (was.choices ?? [before]).map((schema) => makeChoice(schema, context.old));
  const additions = (is.choices ?? [after]).map((schema) => makeChoice(schema, context.now));
  diffFallbacks([was, takeFallback(was, removals)], [is, takeFallback(is, additions)], context, place);
  for (const [choice, other] of takePairs(removals, additions, context)) {
    const where = [...place.where, choice.name];
    if (choice.terminal !== other.terminal) {
      const what = other.terminal ? "the event ends the stream now" : "the event no longer ends the stream";
      context.list.add("breaking", where, what);
    }
    context.schemas(choice.schema, other.schema, context, { ...place, where });
  }
  const [first] = removals;
  const [other] = additions;
  if (removals.length === 1 && additions.length === 1 && first && other && !(first.key && other.key)) {
    return context.schemas(first.schema, other.schema, context, place);
  }
  for (const choice of removals) listRemoved(choice, context, place);
  for (const choice of additions) listAdded(choice, context, place);
}

/** Takes out the choice for values that are mapped to no other. It excludes the others, so it differs as soon as one is added. */
function takeFallback({ keywords }: SchemaForm, choices: Choice[]): Choice | undefined {
  const name = writeText(readNode(keywords["discriminator"])["defaultMapping"], "").split("/").at(-1);
  const index = choices.findIndex(({ reference }) => reference !== undefined && reference.split("/").at(-1) === name);
  return index === -1 ? undefined : choices.splice(index, 1)[0];
}

/** Compares the choices for all other values; OpenAPI 3.1 can't say that there is one. */
function diffFallbacks(
  [was, before]: readonly [SchemaForm, Choice | undefined],
  [is, after]: readonly [SchemaForm, Choice | undefined],
  context: DiffContext,
  place: SchemaPlace,
): void {
  const { list, old, now } = context;
  const what = place.events === true ? "events of types that are not listed" : "values that no choice is mapped to";
  const where = [...place.where, "any other"];
  if (before && after) {
    const schemas = [openPart(was, before, old), openPart(is, after, now)] as const;
    context.schemas(...schemas, context, { ...place, where });
  } else if (after && !old.isOpenApi31()) {
    if (place.events === true) list.add("additive", where, `${what} are allowed now: readers pass over them`);
    else list.widened(place.direction, where, `${what} are allowed now`);
  } else if (before && !now.isOpenApi31()) {
    list.narrowed(place.direction, where, `${what} are no longer allowed`);
  }
}

/** Returns the schema of a choice without the field that tells the choices apart. */
function openPart({ keywords }: SchemaForm, { schema }: Choice, document: ContractDocument): Node {
  const node = readNode(document.resolve(schema));
  const name = writeText(readNode(keywords["discriminator"])["propertyName"], "");
  const fields = Object.entries(readNode(node["properties"])).filter(([field]) => field !== name);
  return { ...node, properties: Object.fromEntries(fields) };
}

function listRemoved({ name, terminal }: Choice, { list }: DiffContext, place: SchemaPlace): void {
  if (place.events === true) {
    const kind = terminal ? "terminal event" : "event";
    return list.add("breaking", place.where, `the ${kind} ${name} was removed: readers wait for it`);
  }
  list.narrowed(place.direction, place.where, `the choice ${name} was removed`);
}

function listAdded({ name, terminal }: Choice, { list }: DiffContext, place: SchemaPlace): void {
  if (place.events !== true) return list.widened(place.direction, place.where, `the choice ${name} was added`);
  if (terminal) list.add("breaking", place.where, `the terminal event ${name} was added: readers do not know this end`);
  else list.add("additive", place.where, `the event ${name} was added`);
}

/** Removes matching pairs from both lists, and returns them. */
function takePairs(removals: Choice[], additions: Choice[], { old, now }: DiffContext): [Choice, Choice][] {
  const pairs: [Choice, Choice][] = [];
  const take = (same: (choice: Choice, other: Choice) => boolean): void => {
    for (const choice of removals.slice()) {
      const other = additions.find((candidate) => same(choice, candidate));
      if (!other) continue;
      removals.splice(removals.indexOf(choice), 1);
      additions.splice(additions.indexOf(other), 1);
      pairs.push([choice, other]);
    }
  };
  take((choice, other) => choice.key !== undefined && choice.key === other.key);
  take((choice, other) => isDeepStrictEqual(readMeaning(choice.schema, old), readMeaning(other.schema, now)));
  return pairs;
}

function makeChoice(schema: unknown, document: ContractDocument): Choice {
  const { $ref: reference } = readNode(schema);
  const form = schemaForm(schema, document);
  const named = typeof reference === "string" ? reference.split("/").at(-1) : undefined;
  const type = typeValue(form, document);
  const terminal =
    form.keywords["x-terminal"] === true || /(^|[.:]\s*)Terminal\b/.test(writeText(form.keywords["description"], ""));
  const name = type ?? named ?? `of type ${[...form.types].join(" or ")}`;
  return {
    schema,
    reference: typeof reference === "string" ? reference : undefined,
    name,
    key: type === undefined ? named : `type ${type}`,
    terminal,
  };
}

/** Returns the constant of the field `type`, which identifies an event. */
function typeValue({ properties }: SchemaForm, document: ContractDocument): string | undefined {
  if (!Object.hasOwn(properties, "type")) return undefined;
  const { values } = schemaForm(properties["type"], document);
  return values?.length === 1 && typeof values[0] === "string" ? values[0] : undefined;
}
