import { expect, test } from "vitest";
import { checkFrom } from "../../src/extraction/json-schema.ts";
import type { JsonSchema } from "../../src/index.ts";
import { scrapePage } from "./scraping.ts";

const draft07 = "http://json-schema.org/draft-07/schema#";

/** Property names that ajv can't judge, and keywords that generated data seldom meet. */
const verdicts: { name: string; schema: JsonSchema; data: string; fits: boolean }[] = [
  {
    name: "__proto__ as it should be",
    schema: parseSchema('{"properties":{"__proto__":{"type":"string"}}}'),
    data: '{"__proto__":"a"}',
    fits: true,
  },
  {
    name: "__proto__ of a wrong type",
    schema: parseSchema('{"properties":{"__proto__":{"type":"string"}}}'),
    data: '{"__proto__":{"a":1}}',
    fits: false,
  },
  {
    name: "__proto__ that must not be there",
    schema: { additionalProperties: false },
    data: '{"__proto__":1}',
    fits: false,
  },
  { name: "__proto__ that is missing", schema: { required: ["__proto__"] }, data: "{}", fits: false },
  { name: "__proto__ that is there", schema: { required: ["__proto__"] }, data: '{"__proto__":null}', fits: true },
  {
    name: "data that want to inherit what is required",
    schema: { required: ["a"] },
    data: '{"__proto__":{"a":1}}',
    fits: false,
  },
  {
    name: "an inherited name that is missing",
    schema: { required: ["toString", "constructor"] },
    data: "{}",
    fits: false,
  },
  {
    name: "an inherited name that is not missing",
    schema: { properties: { toString: { type: "string" } } },
    data: "{}",
    fits: true,
  },
  { name: "the empty name that is missing", schema: { required: [""] }, data: "{}", fits: false },
  {
    name: "an empty list that should contain something, beside a tuple",
    schema: { contains: {}, prefixItems: [{}] },
    data: "[]",
    fits: false,
  },
  { name: "a number that JSON can hold and JavaScript can't", schema: { type: "number" }, data: "1e999", fits: false },
  { name: "such a number where nothing is said of it", schema: {}, data: '{"a":[1e999]}', fits: false },
  { name: "a decimal multiple", schema: { multipleOf: 0.1 }, data: "0.3", fits: true },
  { name: "an emoji as one character", schema: { maxLength: 1 }, data: '"😀"', fits: true },
  {
    name: "a property that only the condition before evaluates",
    schema: parseSchema('{"if":{"properties":{"a":true}},"then":{"unevaluatedProperties":false}}'),
    data: '{"a":1}',
    fits: false,
  },
  {
    name: "a property that the condition evaluates, beside it",
    schema: { if: { properties: { a: true } }, unevaluatedProperties: false },
    data: '{"a":1}',
    fits: true,
  },
  {
    name: "a property that only the neighbour in allOf evaluates",
    schema: { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] },
    data: '{"a":1}',
    fits: false,
  },
  {
    name: "a property that a reference evaluates, and a neighbour must not see",
    schema: { $defs: { a: { properties: { a: true } } }, $ref: "#/$defs/a", anyOf: [{ unevaluatedProperties: false }] },
    data: '{"a":1}',
    fits: false,
  },
  {
    name: "a property that a reference evaluates, beside it",
    schema: { $defs: { a: { properties: { a: true } } }, $ref: "#/$defs/a", unevaluatedProperties: false },
    data: '{"a":1}',
    fits: true,
  },
  {
    name: "a property that a dependent schema does not evaluate",
    schema: { if: { properties: { a: true } }, dependentSchemas: { a: { unevaluatedProperties: false } } },
    data: '{"a":1}',
    fits: false,
  },
  { name: "an unevaluated item", schema: { prefixItems: [{}], unevaluatedItems: false }, data: "[1,2]", fits: false },
  {
    name: "a bound as draft 4 has it",
    schema: { $schema: "http://json-schema.org/draft-04/schema#", maximum: 3, exclusiveMaximum: true },
    data: "3",
    fits: false,
  },
  {
    name: "a tuple as draft 2019-09 has it",
    schema: { $schema: "https://json-schema.org/draft/2019-09/schema", items: [{ type: "string" }] },
    data: "[1]",
    fits: false,
  },
  {
    name: "what is beside a reference of draft 07",
    schema: {
      $schema: draft07,
      properties: { a: { $ref: "#/definitions/a", type: "string" } },
      definitions: { a: {} },
    },
    data: '{"a":1}',
    fits: true,
  },
  {
    name: "a tree",
    schema: { type: "object", properties: { kids: { type: "array", items: { $ref: "#" } } } },
    data: '{"kids":[{"kids":[{"kids":1}]}]}',
    fits: false,
  },
  {
    name: "a reference to an anchor",
    schema: { $ref: "#a", $defs: { a: { $anchor: "a", type: "string" } } },
    data: "1",
    fits: false,
  },
  {
    name: "a recursive reference of draft 2019-09",
    schema: {
      $schema: "https://json-schema.org/draft/2019-09/schema",
      additionalProperties: { anyOf: [{ type: "string" }, { $recursiveRef: "#" }] },
      type: "object",
    },
    data: '{"a":{"b":1}}',
    fits: false,
  },
  { name: "a format without a definition", schema: { format: "constructor" }, data: '"x"', fits: true },
  { name: "a format that objects inherit", schema: { format: "__proto__" }, data: '"x"', fits: true },
  { name: "a keyword that is undefined", schema: { type: "number", minimum: undefined }, data: "1", fits: true },
  {
    name: "an unknown keyword with what would be no schema",
    schema: { "x-ui": { type: "slider", required: true } },
    data: "1",
    fits: true,
  },
];
test.for(verdicts)("judges $name", async ({ schema, data: text, fits }) => {
  const { extraction } = await scrapePage({ response_format: schema }, `{"markdown":"","structured":{"data":${text}}}`);
  expect(extraction).toMatchObject(
    fits ? { success: true, data: JSON.parse(text) } : { success: false, reason: "mismatch" },
  );
});

test("sends formats that are not checked", async () => {
  const schema = { type: "string", format: "phone" };
  const { extraction, bodies } = await scrapePage({ response_format: schema }, { structured: { data: "x" } });
  expect({ extraction, bodies }).toEqual({
    extraction: { success: true, data: "x" },
    bodies: [{ response_format: schema }],
  });
});

function parseSchema(text: string): JsonSchema {
  return JSON.parse(text);
}

/** Texts of which one is as the format wants it, and the other is not. */
const formats: Record<string, [string, string]> = {
  date: ["2024-02-29", "2023-02-29"],
  time: ["18:00:00Z", "18:00"],
  "date-time": ["2026-08-06T18:00:00+02:00", "2026-08-06T18:00:00"],
  duration: ["P1DT2H", "1 day"],
  email: ["a@b.example", "a@"],
  hostname: ["a.example", "-a.example"],
  ipv4: ["127.0.0.1", "127.0.0.256"],
  ipv6: ["::1", ":::1"],
  "json-pointer": ["/a~1b", "a"],
  "relative-json-pointer": ["1/a", "-1"],
  regex: ["^a$", "("],
  uri: ["https://a.example/?b#c", "/a"],
  "uri-reference": ["/a", "a b"],
  "uri-template": ["/{a}", "/{a"],
  uuid: ["9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", "9f6e1c52"],
};
test.for(Object.entries(formats))("checks the format %s", async ([format, [good, bad]]) => {
  const check = checkFrom({ items: { format } });
  expect(await check([good, 1, null])).toEqual({ value: [good, 1, null] });
  expect(await check([good, bad])).toEqual({ issues: [{ message: expect.stringContaining(format), path: [1] }] });
});

const names = [["a/b~c d#é%41", "__proto__", 0, "0"], ["constructor", 1], [""]];
test.for(names)("gives the path of what is wrong, with names as they are: %j", async (...[path]) => {
  const text = path.reduceRight<string>(
    (inner, step) =>
      typeof step === "number" ? `[${'"",'.repeat(step)}${inner}]` : `{${JSON.stringify(step)}:${inner}}`,
    "7",
  );
  const check = checkFrom({
    $ref: "#/$defs/a",
    $defs: {
      a: { not: { type: "number" }, items: { $ref: "#/$defs/a" }, additionalProperties: { $ref: "#/$defs/a" } },
    },
  });
  expect(await check(JSON.parse(text))).toEqual({ issues: [{ message: expect.any(String), path }] });
});
