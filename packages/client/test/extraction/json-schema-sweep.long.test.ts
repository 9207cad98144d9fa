// oxlint-disable unicorn/no-thenable -- a keyword of JSON Schema
import { expect, test } from "vitest";
import type { JsonSchema } from "../../src/index.ts";
import { checkFrom } from "../../src/extraction/json-schema.ts";

const self = { $ref: "#" };
/** Places of a subschema that speaks of the value itself: each schema holds where both of its parts do. */
const same: { name: string; around: (one: object, other: object) => object }[] = [
  { name: "allOf", around: (one, other) => ({ allOf: [one, other] }) },
  { name: "anyOf", around: (one, other) => ({ anyOf: [false, one, other] }) },
  { name: "oneOf", around: (one, other) => ({ oneOf: [false, { allOf: [one, other] }] }) },
  { name: "not", around: (one, other) => ({ not: { anyOf: [{ not: one }, { not: other }] } }) },
  { name: "if and then", around: (one, other) => ({ if: one, then: other, else: false }) },
  { name: "if and else", around: (one, other) => ({ if: { not: one }, then: false, else: other }) },
  { name: "a reference", around: (one, other) => ({ $defs: { a: one }, $ref: "#/$defs/a", allOf: [other] }) },
];
/** Places of a part of the value, and data of some depth. */
const parts: { name: string; around: (below: object) => object; nest: (inner: unknown) => unknown }[] = [
  { name: "properties", around: (below) => ({ properties: { a: below } }), nest: (a) => ({ a }) },
  { name: "patternProperties", around: (below) => ({ patternProperties: { "^a+$": below } }), nest: (a) => ({ aa: a }) },
  { name: "additionalProperties", around: (below) => ({ additionalProperties: below }), nest: (a) => ({ b: a }) },
  { name: "unevaluatedProperties", around: (below) => ({ unevaluatedProperties: below }), nest: (a) => ({ b: a }) },
  { name: "items", around: (below) => ({ items: below }), nest: (a) => [a] },
  { name: "prefixItems", around: (below) => ({ prefixItems: [{}, below] }), nest: (a) => [1, a] },
  { name: "unevaluatedItems", around: (below) => ({ unevaluatedItems: below }), nest: (a) => [a] },
  { name: "contains", around: (below) => ({ anyOf: [{ type: "string" }, { type: "number" }, { contains: below }] }), nest: (a) => [a] },
  { name: "dependentSchemas", around: (below) => ({ dependentSchemas: { a: { properties: { a: below } } } }), nest: (a) => ({ a }) },
]; // prettier-ignore

const rows = same.flatMap((one) => parts.flatMap((part) => [1, 2].map((ways) => ({ one, part, ways }))));
const depth = 150;
function nestAll(leaf: unknown, nest: (inner: unknown) => unknown): unknown {
  let data = leaf;
  for (let level = 0; level < depth; level++) data = nest(data);
  return data;
}

test("each keyword within each other, with two ways to each part, takes no more than one step for each: 252 inputs", async () => {
  let inputs = 0;
  for (const { one, part, ways } of rows) {
    // Each level is reached by both parts of the keyword that speaks of the value: 2^150 ways to the leaf.
    const below = { $ref: "#/$defs/node" };
    const node = one.around(part.around(below), ways === 1 ? part.around(below) : { allOf: [part.around(below), {}] });
    const leaf = { if: { type: ["string", "number"] }, then: { type: "string" } };
    const { $defs, ...rest } = Object.assign({ $defs: {} }, node);
    const schema: JsonSchema = { $ref: "#/$defs/node", $defs: { ...$defs, node: { allOf: [leaf, rest] } } };
    const check = checkFrom(schema);
    const where = `${one.name}, ${part.name}`;
    const [right, wrong] = [await check(nestAll("text", part.nest)), await check(nestAll(7, part.nest))];
    expect([where, Boolean(right.issues), Boolean(wrong.issues)]).toEqual([where, false, true]);
    inputs += 2;
  }
  expect(inputs).toBe(252);
});

const patterns = ["(a+)+$", "(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(.*)*x", "^(a?){50}a{50}$", "(\\w+\\s?)*$", "([^@]+)*@", "(x+x+)+y", "^(\\d+|\\d+)*z$", "(?:a{1,50}){1,20}$", "\\p{L}*\\p{L}*\\p{L}*\\d", "^.*.*.*=.*$", "(?:[ab]|[bc]|[ca])*d"]; // prettier-ignore
test("each pattern on each text takes linear time: 84 inputs", async () => {
  let inputs = 0;
  for (const pattern of patterns) {
    const own = new RegExp(pattern, "u");
    for (const unit of ["a", "ab", "x ", "1", "ä", "@="]) {
      const check = checkFrom({ pattern });
      const short = unit.repeat(Math.ceil(6 / unit.length));
      const { issues } = await check(short);
      // The language would take for ever; the largest patterns say that it is too long.
      const long = await check(`${unit.repeat(5000)}!`).then(
        () => "judged",
        (error: Error) => error.message,
      );
      expect([pattern, short, !issues]).toEqual([pattern, short, own.test(short)]);
      expect(long).toMatch(/judged|too long/);
      inputs++;
    }
  }
  expect(inputs).toBe(84);
});

test("a reference to itself without a part between is misuse, behind each keyword", () => {
  for (const { around } of same.filter(({ name: each }) => each !== "a reference")) {
    const schema: JsonSchema = JSON.parse(JSON.stringify(around(self, {})));
    expect(() => checkFrom(schema)).toThrow("circular");
  }
});
