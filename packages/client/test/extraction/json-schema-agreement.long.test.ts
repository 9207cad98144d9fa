import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seed } from "@cloud-browser/testing/seed.ts";
import type { JsonSchema } from "../../src/index.ts";
import { checkFrom } from "../../src/extraction/json-schema.ts";

const draft07 = "http://json-schema.org/draft-07/schema#";
const ajv2020 = new Ajv2020({
  strict: false,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
  ownProperties: true,
});
const ajv07 = new Ajv({
  strict: false,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
  ownProperties: true,
});

/** Names of properties; ajv is wrong about the empty one and about many that objects inherit, which have tests of their own. */
const name = fc.constantFrom("a", "b", "c", "a/b~c");
const count = fc.nat(4);
const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, 2, 3, -1, 1.5, 1e10, "", "a", "ab", "😀b", "2026-08-06"),
  fc.string({ maxLength: 5 }),
  fc.integer({ min: -6, max: 6 }),
);
const data = fc.letrec<{ data: unknown }>((tie) => ({
  data: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie("data"), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie("data")), { maxLength: 4 }).map(getObject),
  ),
})).data;

const createKeywords = (schema: fc.Arbitrary<unknown>, isNew: boolean) => ({
  type: fc.oneof(
    fc.constantFrom("string", "number", "integer", "object", "array", "null", "boolean"),
    fc.uniqueArray(fc.constantFrom("string", "number", "integer", "object", "array", "null"), {
      minLength: 1,
      maxLength: 3,
    }),
  ),
  enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
  const: fc.oneof(scalar, fc.constantFrom([], {}, [1], { a: 1 })),
  minimum: fc.integer({ min: -3, max: 3 }),
  maximum: fc.integer({ min: -3, max: 3 }),
  exclusiveMinimum: fc.integer({ min: -3, max: 3 }),
  exclusiveMaximum: fc.integer({ min: -3, max: 3 }),
  multipleOf: fc.constantFrom(1, 2, 3),
  minLength: count,
  maxLength: count,
  pattern: fc.constantFrom("a", "^a", "b$", "^.$", "\\p{L}", "[0-9]+"),
  minItems: count,
  maxItems: count,
  uniqueItems: fc.boolean(),
  contains: schema,
  required: fc.uniqueArray(name, { maxLength: 3 }),
  minProperties: count,
  maxProperties: count,
  propertyNames: schema,
  properties: fc.array(fc.tuple(name, schema), { maxLength: 3 }).map(getObject),
  patternProperties: fc.constantFrom("a", "^.$", "o").chain((pattern) => schema.map((each) => ({ [pattern]: each }))),
  additionalProperties: schema,
  allOf: fc.array(schema, { minLength: 1, maxLength: 2 }),
  anyOf: fc.array(schema, { minLength: 1, maxLength: 3 }),
  oneOf: fc.array(schema, { minLength: 1, maxLength: 3 }),
  not: schema,
  $ref: fc.constantFrom("#/$defs/a", "#/$defs/b"),
  items: isNew ? schema : fc.oneof(schema, fc.array(schema, { minLength: 1, maxLength: 3 })),
  ...(isNew && {
    prefixItems: fc.array(schema, { minLength: 1, maxLength: 3 }),
    dependentRequired: fc.tuple(name, fc.uniqueArray(name, { maxLength: 2 })).map((entry) => getObject([entry])),
    minContains: count,
    dependentSchemas: fc.tuple(name, schema).map((entry) => getObject([entry])),
    unevaluatedProperties: fc.boolean(),
  }),
});

/** Schemas of one draft that no data send around a circle: definitions refer to nothing. */
function createSchemas(isNew: boolean): fc.Arbitrary<JsonSchema> {
  const createTree = (refers: boolean, maxDepth: number) =>
    fc.letrec<{ schema: unknown }>((tie) => {
      const { $ref, ...plain } = createKeywords(tie("schema"), isNew);
      const model = refers && isNew ? { ...plain, $ref } : plain;
      const names = Object.keys(model);
      // In draft 07 a reference stands alone: ajv checks the keywords beside it, which the draft ignores.
      const alone = refers ? fc.record({ $ref }) : fc.boolean();
      const some = fc
        .uniqueArray(fc.constantFrom(...names), { maxLength: 3 })
        // ajv lets an empty array pass `contains` beside a tuple.
        .filter((keys) => !(keys.includes("contains") && keys.some((each) => /items$/i.test(each))))
        .chain((keys) => fc.record(Object.fromEntries(Object.entries(model).filter(([key]) => keys.includes(key)))));
      const branches = ["if", "then", "else"].map((keyword) => [keyword, tie("schema")] as const);
      const conditional = fc.record(Object.fromEntries(branches));
      return { schema: fc.oneof({ maxDepth }, fc.boolean(), { weight: 5, arbitrary: some }, conditional, alone) };
    }).schema;
  const $defs = fc.record({ a: createTree(false, 1), b: createTree(false, 1) });
  const $schema = isNew ? "https://json-schema.org/draft/2020-12/schema" : draft07;
  return fc.record({ $schema: fc.constant($schema), $defs, allOf: fc.tuple(createTree(true, 3)) });
}

function getObject(entries: readonly (readonly [string, unknown])[]): JsonSchema {
  // As JSON.parse makes it: `__proto__` is a property like any other.
  return JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`);
}

/** Some combinations of `oneOf` and `patternProperties` make ajv throw. */
function findAnswer(ask: () => boolean): boolean | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

const verdicts = [
  { name: "draft 2020-12", schema: createSchemas(true), judge: ajv2020 },
  { name: "draft 07", schema: createSchemas(false), judge: ajv07 },
];
test.for(verdicts)("says of generated data what ajv says: $name", async ({ schema: arbitrary, judge }) => {
  let [fits, differs] = [0, 0];
  await fc.assert(
    fc.asyncProperty(arbitrary, fc.array(data, { minLength: 8, maxLength: 8 }), async (schema, all) => {
      const want = judge.compile(schema);
      const check = checkFrom(schema);
      for (const each of all) {
        const verdict = await check(each);
        const answer = findAnswer(() => want(each));
        expect({ schema, each, fits: !verdict.issues?.length }).toEqual({
          schema,
          each,
          fits: answer ?? !verdict.issues,
        });
        if (verdict.issues) differs++;
        else fits++;
      }
    }),
    { numRuns: 1000, seed },
  );
  // The comparison means little unless both happen often.
  expect(Math.min(fits, differs)).toBeGreaterThan(700);
});
