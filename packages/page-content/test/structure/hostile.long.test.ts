import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { extractStructured } from "../../src/structure/extract-structured.ts";
import { validateData } from "../../src/structure/schema/validate-data.ts";
import { declaredBy, jsonLd } from "./page.ts";

const chain = (keyword: string, length: number, end: object = { type: "string" }): object => {
  const entries = Array.from(
    { length },
    (_, at) => [`d${at}`, { [keyword]: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] }] as const,
  );
  return { $defs: Object.fromEntries([...entries, [`d${length}`, end]]), $ref: "#/$defs/d0" };
};
const nested = (depth: number): object => {
  let schema: object = { type: "string" };
  for (let level = 0; level < depth; level += 1) schema = { properties: { a: schema } };
  return schema;
};
const wide = (count: number, schema: object): object => ({
  type: "object",
  properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema])),
});

const page = declaredBy(jsonLd({ "@type": "Product", name: `${"a".repeat(40)}!`, offers: { price: 1 } }));

/** What a schema may do to us, and what we say; each in bounded time. */
const hostile: readonly (readonly [sentence: string, schema: unknown, error: RegExp])[] = [
  [
    "a pattern that backtracks",
    { type: "object", properties: { name: { type: "string", pattern: "^(a+)+$" } }, required: ["name"] },
    /takes too long|timed out/, // the check of the schema, or that of the data: whichever a slow machine is slower at
  ],
  ["references that multiply in allOf", chain("allOf", 40), /takes too long|too large|takes too much memory/],
  [
    "references that multiply in anyOf",
    chain("anyOf", 40),
    /takes too long|too large|takes too much memory|names no property/,
  ],
  ["a schema that is only itself", { $ref: "#" }, /references are circular|has no properties/],
  [
    "choices of itself",
    { type: "object", properties: { name: { anyOf: [{ $ref: "#/properties/name" }, { $ref: "#/properties/name" }] } } },
    /./,
  ],
  ["a thousand levels", nested(1_000), /nested too deeply/],
  ["fifty thousand properties", wide(50_000, { type: "string" }), /too large/],
  ["a megabyte of text", { type: "object", description: "x".repeat(2 ** 20), properties: { name: {} } }, /too large/],
  [
    "thousands of patterns",
    wide(6_000, { type: "string", pattern: "^(a|b|c)*d$" }),
    /takes too long|takes too much memory|does not declare|names no property/,
  ],
];

test.concurrent.each(hostile)("%s ends in time, with a reason", async (_, responseFormat, error) => {
  const begin = performance.now();
  const result = await extractStructured({ declared: page, markdown: "", responseFormat });
  expect(result).toEqual({ success: false, data: null, error: expect.stringMatching(error) });
  expect(performance.now() - begin).toBeLessThan(60_000);
});

test("while a schema uses up its time, the process continues and another schema is checked", async () => {
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 20);
  const slow = validateData({ type: "string", pattern: "^(a+)+$" }, { value: `${"a".repeat(40)}!` });
  expect(await validateData({ type: "string" }, { value: "x" })).toEqual({ kind: "valid" });
  expect(await slow).toMatchObject({ kind: "unusable" });
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(10);
});

test("many checks at once are all answered", async () => {
  const verdicts = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => validateData({ type: "integer", minimum: 10 }, { value: at })),
  );
  expect(verdicts.map(({ kind }) => kind)).toEqual(
    Array.from({ length: 20 }, (_, at) => (at < 10 ? "invalid" : "valid")),
  );
});

test("a busy machine is not reported as an invalid schema", async () => {
  const program = fileURLToPath(new URL("paused-check.ts", import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect(await lines.next()).toMatchObject({ value: "begun" });
  await wait(3_000);
  child.kill("SIGCONT");
  expect(await lines.next()).toMatchObject({ value: "verdict invalid" });
});

test("more checks than can wait are refused", async () => {
  const checks = await Promise.allSettled(Array.from({ length: 80 }, async () => validateData({ type: "string" })));
  const refusals = checks.flatMap((check) => (check.status === "rejected" ? [check.reason] : []));
  expect(refusals.length).toBe(14);
  expect(refusals[0]).toMatchObject({ code: "busy" });
});

test.each<[string, object, unknown, string]>([
  ["an asynchronous schema does not pass everything", { $async: true, type: "string" }, 1, "invalid"],
  [
    "an exclusive bound of draft 4 holds",
    {
      $schema: "http://json-schema.org/draft-04/schema#",
      id: "http://a.example/s",
      type: "number",
      minimum: 3,
      exclusiveMinimum: true,
    },
    3,
    "invalid",
  ],
  [
    "data in a schema of draft 4 is left alone",
    { $schema: "http://json-schema.org/draft-04/schema#", enum: [{ id: "a", exclusiveMinimum: true, minimum: 1 }] },
    { id: "a", exclusiveMinimum: true, minimum: 1 },
    "valid",
  ],
  ["a tuple as before 2020 holds", { type: "array", items: [{ type: "string" }] }, [1], "invalid"],
  ["a tuple of 2020 holds", { type: "array", prefixItems: [{ type: "string" }] }, [1], "invalid"],
  [
    "dependencies of draft 7 hold",
    { $schema: "http://json-schema.org/draft-07/schema#", dependencies: { a: ["b"] } },
    { a: 1 },
    "invalid",
  ],
  [
    "unevaluated properties of 2019 hold",
    { $schema: "https://json-schema.org/draft/2019-09/schema", properties: { a: {} }, unevaluatedProperties: false },
    { b: 1 },
    "invalid",
  ],
  [
    "a pattern that is none for Unicode is taken as older engines do",
    { type: "string", pattern: String.raw`^[\w\-]+$` },
    "a-b",
    "valid",
  ],
  ["formats hold", { type: "string", format: "date-time" }, "2024-05-01", "invalid"],
  ["an unknown format is no fault", { type: "string", format: "colour" }, "red", "valid"],
  ["an unknown dialect is told", { $schema: "https://a.example/schema", type: "string" }, "", "unusable"],
])("%s", async (_, schema, value, kind) => {
  expect(await validateData(schema, { value })).toMatchObject({ kind });
});
