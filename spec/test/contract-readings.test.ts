/** The contract holds the readings open that the suite holds open by default, or says where it does not: `x-reading`. */
import { describe, expect, test } from "vitest";
import openapi from "../generated/openapi.json" with { type: "json" };
import { getPart, isObject, listProblems, readings, requirements } from "./contract.ts";

/** Places of the contract at which a reading leaves a value open that its strictest value does not. */
const places = readings.flatMap(({ id, tolerates }) =>
  Object.entries(tolerates ?? {}).flatMap(([pattern, values]) =>
    listPointers(pattern).map((pointer) => ({ id, pointer, values })),
  ),
);

/** Pointers that a pattern stands for: a step `*` is every name. */
function listPointers(pattern: string): string[] {
  const [parent = "", ...rest] = pattern.split("/*");
  return rest.length === 0 ? [parent] : Object.keys(getPart(parent) ?? {}).map((name) => `${parent}/${name}`);
}

const isOfRequest = (pointer: string): boolean => /\/(ScrapeRequest|AutomationRequest|parameters)\b/.test(pointer);

/** Ids of the readings that the schema at a pointer closes, as it says itself. */
function listMarks(pointer: string): unknown[] {
  const schema = getPart(pointer);
  const mark = isObject(schema) ? schema["x-reading"] : undefined;
  return mark === undefined ? [] : [mark].flat();
}

/** What the contract refuses of the values: statuses of responses, or values of a schema. */
function listRefused(pointer: string, values: readonly unknown[]): unknown[] {
  if (!pointer.endsWith("/responses")) return values.filter((value) => listProblems(pointer, value).length > 0);
  const responses = getPart(pointer) ?? {};
  return values.filter((status) => !Object.hasOwn(responses, String(status)) && !Object.hasOwn(responses, "default"));
}

test.for(places)("$id at $pointer is open, or marked as closed", ({ id, pointer, values }) => {
  expect(getPart(pointer), "the contract has no such place").toBeDefined();
  expect(values.length).toBeGreaterThan(0);
  const isClosed = isOfRequest(pointer) || listRefused(pointer, values).length > 0;
  const marked = listMarks(pointer).includes(id) ? "marked with x-reading" : "not marked";
  expect(marked).toBe(isClosed ? "marked with x-reading" : "not marked");
});

test("every reading says what of it the contract could close", () => {
  expect(readings.filter(({ tolerates }) => !isObject(tolerates)).map(({ id }) => id)).toEqual([]);
});

test("every type that a sentence of a reading of null names is looked at", () => {
  const looked = new Set(places.map(({ id, pointer }) => `${id} ${pointer}`));
  const namedPlaces = readings
    .filter(({ default: usual }) => usual === "nullable")
    .flatMap(({ id, requirements: rows }) => rows.flatMap((row) => listNamedTypes(row)).map((at) => `${id} ${at}`));
  expect(namedPlaces.length).toBeGreaterThanOrEqual(15);
  expect(namedPlaces.filter((place) => !looked.has(place))).toEqual([]);
});

/** Schemas of fields whose type a row proves in the contract. */
function listNamedTypes(row: string): string[] {
  const { contract = {} } = requirements.find(({ id }) => id === row) ?? {};
  return Object.keys(contract).flatMap((pointer) => /^(.*\/properties\/\w+)\/type$/.exec(pointer)?.slice(1) ?? []);
}

describe("a mark", () => {
  const marked: { pointer: string; id: unknown }[] = [];
  const walk = (node: unknown, pointer: string): void => {
    if (typeof node !== "object" || node === null) return;
    if (Object.hasOwn(node, "x-reading")) marked.push(...listMarks(pointer).map((id) => ({ pointer, id })));
    for (const [key, value] of Object.entries(node)) {
      walk(value, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    }
  };
  walk(openapi, "");

  test.for(marked)("at $pointer names a reading that looks at it: $id", ({ pointer, id }) => {
    expect(places.some((place) => place.pointer === pointer && place.id === id)).toBe(true);
  });
});
