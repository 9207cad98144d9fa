import type { Json, JsonRecord } from "../in-page/declared/declared-data.ts";
import { asJson, coerce } from "./values/coercion.ts";
import { foldName, partUnit, wordsOfName } from "./values/names.ts";
import { collectionFit, type PageSources } from "./page-sources.ts";
import { mainThing } from "./main-thing.ts";
import { isRecord, toList } from "./values/json.ts";
import { allowsNull, listAlternatives } from "./schema/schema-alternatives.ts";
import { listHints } from "./schema/property-hints.ts";
import type { StepBudget } from "./schema/step-budget.ts";
import { addressKind, isGeneral, pathsFor } from "./values/synonyms.ts";
import { declaredAt, isThing, toThing, type Declared, type Thing } from "./values/things.ts";
import { splitListValues, unfoldMembers } from "./values/members.ts";

/** Deepest nesting of a schema that is matched. */
const maxDepth = 24;

/** A value for a part of a schema, and the number of declared values in it; or the properties that are missing. */
export type Filled = { readonly value: Json; readonly found: number } | { readonly missing: readonly string[] };

/** Scope in which a part of a schema is looked up. */
export interface SchemaScope {
  /** Things, the surest first. */
  readonly things: readonly Thing[];
  /** True when it is the page as a whole, so that collections and other things of the page are read, too. */
  readonly page: boolean;
}

/** Matches one schema with the declared data of a page. */
export class SchemaMatcher {
  readonly #schema: Json;
  readonly #sources: PageSources;
  readonly #budget: StepBudget;
  readonly #main: Thing | undefined;
  readonly #alternativesCache = new Map<JsonRecord, readonly JsonRecord[]>();

  constructor(schema: Json, sources: PageSources, budget: StepBudget, main: Thing | undefined) {
    this.#schema = schema;
    this.#sources = sources;
    this.#budget = budget;
    this.#main = main;
  }

  /** Matches the whole schema. */
  match(scope: SchemaScope): Filled {
    const alternatives = this.#alternatives(this.#schema);
    const key = listHints(this.#schema)[0] ?? "";
    const missing: string[] = [];
    for (const schema of alternatives) {
      const filled =
        schema["type"] === "array"
          ? this.#collection(key, [schema], "")
          : schema["type"] === "object"
            ? this.#object(schema, scope, "", 0)
            : undefined;
      if (filled && "value" in filled && filled.found > 0) return filled;
      if (filled && "missing" in filled) missing.push(...filled.missing);
    }
    return { missing: [...new Set(missing)] };
  }

  #alternatives(schema: Json | undefined): readonly JsonRecord[] {
    if (!isRecord(schema)) return listAlternatives(schema, this.#schema, this.#budget);
    const known = this.#alternativesCache.get(schema) ?? listAlternatives(schema, this.#schema, this.#budget);
    this.#alternativesCache.set(schema, known);
    return known;
  }

  #object(schema: JsonRecord, scope: SchemaScope, path: string, depth: number): Filled {
    this.#budget.spend();
    const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
    const required = new Set(toList(schema["required"]).filter((name) => typeof name === "string"));
    const names = [...new Set([...Object.keys(properties), ...required])];
    const [only] = scope.things;
    if (names.length === 0)
      return only && !scope.page ? this.#map(schema, only, path, depth) : { missing: path ? [path] : [] };
    const entries: [string, Json][] = [];
    const missing: string[] = [];
    let found = 0;
    for (const name of names) {
      const at = path ? `${path}.${name}` : name;
      const alternatives = this.#alternatives(properties[name] ?? true);
      const filled =
        depth < maxDepth
          ? this.#property(name, listHints(properties[name]), alternatives, scope, at, depth)
          : { missing: [at] };
      if ("value" in filled) {
        entries.push([name, filled.value]);
        found += filled.found;
      } else if (required.has(name)) {
        if (allowsNull(alternatives)) entries.push([name, null]);
        else missing.push(...filled.missing);
      }
    }
    if (missing.length > 0) return { missing: missing.slice(0, 20) };
    return found > 0 ? { value: Object.fromEntries(entries), found } : { missing: path ? [path] : names.slice(0, 20) };
  }

  /** An object whose properties the schema does not name. */
  #map(schema: JsonRecord, thing: Thing, path: string, depth: number): Filled {
    const alternatives = this.#alternatives(schema["additionalProperties"] ?? true);
    const entries: [string, Json][] = [];
    for (const [key, values] of thing.fields) {
      const filled = this.#value(alternatives, values, key, path, depth + 1);
      if ("value" in filled) entries.push([thing.names.get(key) ?? key, filled.value]);
    }
    return entries.length > 0 ? { value: Object.fromEntries(entries), found: entries.length } : { missing: [path] };
  }

  #property(
    name: string,
    hints: readonly string[],
    alternatives: readonly JsonRecord[],
    scope: SchemaScope,
    path: string,
    depth: number,
  ): Filled {
    let failure: Filled | undefined;
    for (const key of new Set([foldName(name), ...hints])) {
      for (const thing of scope.things) {
        for (const way of pathsFor(key)) {
          const values = declaredAt(thing, way);
          const filled = this.#value(alternatives, values, key, path, depth);
          if ("value" in filled) return filled;
          if (filled.missing.some((missing) => missing !== path)) failure ??= filled;
          // A value under the exact name that does not fit is not replaced by one under a synonym.
          if (way === key && values.some((value) => !isThing(value))) break;
        }
      }
      const measured = this.#measured(key, alternatives, scope, path, depth);
      if ("value" in measured) return measured;
      if (!scope.page) continue;
      const elsewhere = this.#elsewhere(key, alternatives, scope, path, depth);
      if ("value" in elsewhere) return elsewhere;
      if (elsewhere.missing.some((missing) => missing !== path)) failure ??= elsewhere;
    }
    return failure ?? { missing: [path] };
  }

  /** `weight_kg` is the weight, where the page gives it in kg. */
  #measured(key: string, alternatives: readonly JsonRecord[], scope: SchemaScope, path: string, depth: number): Filled {
    const parted = partUnit(key);
    if (!parted) return { missing: [path] };
    const values = scope.things
      .flatMap((thing) => declaredAt(thing, parted.key))
      .filter((value) => !isThing(value) && wordsOfName(String(value.value)).includes(parted.unit));
    return this.#value(alternatives, values, key, path, depth);
  }

  /** Matches a property of the page as a whole besides a property of its main thing. */
  #elsewhere(
    key: string,
    alternatives: readonly JsonRecord[],
    scope: SchemaScope,
    path: string,
    depth: number,
  ): Filled {
    const objects = alternatives.filter(({ type }) => type === "object");
    const group = this.#sources.groups.filter(({ name }) => collectionFit(key, { names: [name], members: [] }) > 0);
    const typed = this.#sources.items.filter((item) => collectionFit(key, { names: item.types, members: [] }) > 0);
    const named = ["item", "data", "result", "page"].includes(key) && this.#main ? [this.#main] : [];
    for (const schema of objects) {
      const main =
        typed.length === 1 ? typed[0] : mainThing(schema, { ...this.#sources, items: typed }, [schema]).thing;
      for (const thing of [...(main ? [main] : []), ...named, ...group.map((each) => each.thing)]) {
        const filled = this.#object(schema, { things: [thing], page: false }, path, depth + 1);
        if ("value" in filled) return filled;
      }
      const inner = this.#matchGroup(schema, scope, path, depth);
      if ("value" in inner) return inner;
    }
    const lists = alternatives.filter(({ type }) => type === "array");
    if (lists.length > 0) return this.#collection(key, lists, path);
    return objects.length === 0 && !isGeneral(key)
      ? this.#matchAgreed(key, alternatives, path, depth)
      : { missing: [path] };
  }

  /** Matches an object that only groups properties of the page itself, if it has no meaning of its own. */
  #matchGroup(schema: JsonRecord, scope: SchemaScope, path: string, depth: number): Filled {
    const names = Object.keys(isRecord(schema["properties"]) ? schema["properties"] : {});
    if (names.length === 0 || names.some((name) => isGeneral(foldName(name)))) return { missing: [path] };
    return this.#object(schema, { things: scope.things, page: false }, path, depth + 1);
  }

  /** A value on which all things of the page agree that have the property at all. */
  #matchAgreed(key: string, alternatives: readonly JsonRecord[], path: string, depth: number): Filled {
    const values = this.#sources.items.flatMap((item) => declaredAt(item, key));
    const filled = values.map((value) => this.#value(alternatives, [value], key, path, depth));
    const [first] = filled;
    const same =
      first &&
      "value" in first &&
      filled.every((each) => "value" in each && JSON.stringify(each.value) === JSON.stringify(first.value));
    return same ? first : { missing: [path] };
  }

  /** Matches a list with a collection of the page: by its name, or, for objects, the best match. */
  #collection(key: string, lists: readonly JsonRecord[], path: string): Filled {
    let best: (Filled & { readonly value: Json }) | undefined;
    let bestScore = 0;
    let failure: Filled | undefined;
    let nearly: Filled | undefined;
    for (const collection of this.#sources.collections) {
      const fit = collectionFit(key, collection);
      for (const list of lists) {
        const items = this.#alternatives(list["items"]);
        const propertyCount = Math.max(
          0,
          ...items.map((item) => Object.keys(isRecord(item["properties"]) ? item["properties"] : {}).length),
        );
        if (fit === 0 && propertyCount === 0) continue;
        const filled = this.#list(list, collection.members, key, path, 0);
        if ("missing" in filled) {
          if (fit > 0) failure ??= filled;
          else if (items.some(({ required }) => filled.missing.length < toList(required).length)) nearly ??= filled;
          continue;
        }
        const perMember = filled.found / collection.members.length;
        if (fit === 0 && perMember < Math.min(2, propertyCount)) continue;
        const score = fit * 100 + perMember;
        if (score > bestScore) [best, bestScore] = [filled, score];
      }
    }
    return best ?? failure ?? nearly ?? { missing: [path || "[]"] };
  }

  #value(
    alternatives: readonly JsonRecord[],
    values: readonly Declared[],
    key: string,
    path: string,
    depth: number,
  ): Filled {
    this.#budget.spend();
    if (values.length === 0 || depth > maxDepth) return { missing: [path] };
    let failure: Filled | undefined;
    for (const schema of alternatives) {
      const filled = this.#ofType(schema, values, key, path, depth);
      if ("value" in filled) return filled;
      if (filled.missing.some((missing) => missing !== path)) failure ??= filled;
    }
    return failure ?? { missing: [path] };
  }

  #ofType(schema: JsonRecord, values: readonly Declared[], key: string, path: string, depth: number): Filled {
    const [first] = values;
    const type = schema["type"];
    if (!first || type === "null") return { missing: [path] };
    if (type === "array") return this.#list(schema, splitListValues(values), key, path, depth);
    if (type === "object") {
      if (values.length > 1) return { missing: [path] };
      const thing = isThing(first) ? first : toThing([], [["name", [first]]]);
      return this.#object(schema, { things: [thing], page: false }, path, depth + 1);
    }
    if (type === undefined && !("enum" in schema) && !("const" in schema)) {
      const json = values.map((value) => asJson(value));
      return { value: json.length === 1 ? (json[0] ?? null) : json, found: 1 };
    }
    const distinct = [...new Set(values.map((value) => coerce(value, schema, key)))];
    const [value, ...others] = distinct;
    if (value === undefined || distinct.includes(undefined)) return { missing: [path] };
    if (others.length === 0 || addressKind(key)) return { value, found: 1 };
    // Several texts under one name are one text to people; several numbers, dates or choices are no single one.
    const isText = type === "string" && !("format" in schema) && !("enum" in schema) && !("const" in schema);
    return isText ? { value: distinct.map(String).join(", "), found: 1 } : { missing: [path] };
  }

  #list(schema: JsonRecord, values: readonly Declared[], key: string, path: string, depth: number): Filled {
    const items = this.#alternatives(schema["items"] ?? true);
    const members: Json[] = [];
    let found = 0;
    for (const [at, value] of unfoldMembers(values, key, holdsLists(items)).entries()) {
      const filled = this.#value(items, [value], key, `${path}[${at}]`, depth + 1);
      if ("missing" in filled) return filled;
      members.push(filled.value);
      found += filled.found;
    }
    return members.length > 0 ? { value: members, found } : { missing: [path] };
  }
}

/** Returns whether a schema has properties that are lists. */
function holdsLists(alternatives: readonly JsonRecord[]): boolean {
  return alternatives.some(
    ({ properties }) =>
      isRecord(properties) && Object.values(properties).some((each) => isRecord(each) && each["type"] === "array"),
  );
}
