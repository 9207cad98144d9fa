import { expect, test } from "vitest";
import { createCloudBrowser, type JsonSchema } from "../../src/index.ts";
import { checkFrom } from "../../src/extraction/json-schema.ts";
import { startFaultServer } from "../calls/fault-server.ts";
import { scrapePage } from "./scraping.ts";

const formats = (
  "date time date-time duration email hostname ipv4 ipv6 json-pointer relative-json-pointer regex uri uri-reference " +
  "uri-template uuid"
).split(" ");

/** A tree of boxes of which two or three schemas speak in the same words, but for one that comes last. */
function createBoxes(keyword: "anyOf" | "oneOf"): JsonSchema {
  const children = { type: "array", items: { $ref: "#/$defs/node" } };
  const createBox = (kind: string): JsonSchema => ({
    required: ["kind"],
    properties: { children, kind: { const: kind } },
  });
  return {
    $ref: "#/$defs/node",
    $defs: { node: { [keyword]: [createBox("box"), createBox("row"), createBox("text")] } },
  };
}
function nest(depth: number, leaf: string): string {
  return `${'{"kind":"row","children":['.repeat(depth)}{"kind":"${leaf}"}${"]}".repeat(depth)}`;
}
/** A schema that refers to each of its parts twice, so that there are 2^60 ways to the last one. */
function createWays(keyword: "allOf" | "anyOf" | "oneOf"): JsonSchema {
  const all = Array.from({ length: 60 }, (_, at) => {
    const below = { $ref: `#/$defs/d${at + 1}` };
    return [`d${at}`, { [keyword]: [below, below] }];
  });
  return { $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(all), d60: { type: "number" } } };
}

const tree = { anyOf: [{ type: "string" }, { type: "array", items: { $ref: "#" } }] };
const deep = 20_000;
const hostile: { name: string; schema: JsonSchema; data: string; want: object }[] = [
  {
    name: "nested deeply, of which the schema says nothing",
    schema: { type: "array" },
    data: "[".repeat(deep) + "]".repeat(deep),
    want: { success: true },
  },
  {
    name: "nested deeply, of which the schema speaks",
    schema: tree,
    data: "[".repeat(deep) + "]".repeat(deep),
    want: { success: true },
  },
  {
    name: "a long list of equal items",
    schema: { uniqueItems: true },
    data: `[${"1,".repeat(2e5)}1]`,
    want: { reason: "mismatch" },
  },
  {
    name: "a long list of different items",
    schema: { properties: { a: { uniqueItems: true } } },
    data: `{"a":[${Array.from({ length: 5e4 }, (_, n) => n).join()}]}`,
    want: { success: true },
  },
  {
    name: "a long list of wrong items",
    schema: { items: { type: "string" } },
    data: `[${"1,".repeat(2e5)}1]`,
    want: { reason: "mismatch", issues: Array.from({ length: 100 }, (_, index) => ({ path: [index] })) },
  },
  {
    name: "a long list of right items",
    schema: { items: { type: "number" } },
    data: `[${"1,".repeat(2e5)}1]`,
    want: { success: true },
  },
  {
    name: "many names",
    schema: { additionalProperties: { type: "string" } },
    data: `{${Array.from({ length: 2e5 }, (_, n) => `"${n}":1`).join()}}`,
    want: { reason: "mismatch" },
  },
  ...(["anyOf", "oneOf"] as const).flatMap((keyword) => [
    { name: `a deep tree, ${keyword}`, schema: createBoxes(keyword), data: nest(200, "text"), want: { success: true } },
    {
      name: `a deep tree with a wrong leaf, ${keyword}`,
      schema: createBoxes(keyword),
      data: nest(200, "none"),
      want: { reason: "mismatch" },
    },
  ]),
  ...(["allOf", "anyOf"] as const).map((keyword) => ({
    name: `many ways to one schema, ${keyword}`,
    schema: createWays(keyword),
    data: "1",
    want: { success: true },
  })),
  ...(["allOf", "anyOf", "oneOf"] as const).map((keyword) => ({
    name: `many ways to one schema that does not fit, ${keyword}`,
    schema: createWays(keyword),
    data: '"a"',
    want: { reason: "mismatch" },
  })),
  {
    name: "schemas that ask for each other by not and if",
    schema: {
      $ref: "#/$defs/a",
      $defs: {
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        a: { not: { not: { $ref: "#/$defs/b" } }, if: { $ref: "#/$defs/b" }, then: { $ref: "#/$defs/b" } },
        b: { properties: { a: { $ref: "#/$defs/a" } } },
      },
    },
    data: `${'{"a":'.repeat(200)}1${"}".repeat(200)}`,
    want: { success: true },
  },
  {
    name: "many objects that differ",
    schema: { uniqueItems: true },
    data: JSON.stringify(Array.from({ length: 9999 }, (_, id) => ({ tags: ["a", "b"], name: "n".repeat(20), id }))),
    want: { success: true },
  },
  {
    name: "lists in lists whose items differ",
    schema: { uniqueItems: true, items: { $ref: "#" } },
    data: `${"[".repeat(500)}${Array.from({ length: 999 }, (_, n) => n).join()}${"]".repeat(500)}`,
    want: { success: true },
  },
  {
    name: "many properties beside many patterns",
    schema: { patternProperties: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`^(a|b)*${n}$`, {}])) },
    data: JSON.stringify(Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`${"ab".repeat(9)}${n}`, 1]))),
    want: { success: true },
  },
  {
    name: "a pattern with a property of Unicode, in many places",
    schema: { allOf: Array.from({ length: 300 }, (_, n) => ({ pattern: `^\\p{L}{${n % 7}}` })) },
    data: '"äbcdefgh"',
    want: { success: true },
  },
  ...formats.map((format) => ({
    name: `a long text for the format ${format}`,
    schema: { format },
    data: `"${"a:".repeat(2e4)} ${"1/".repeat(2e4)}"`,
    want: { success: format === "regex" },
  })),
];
test.for(hostile)("judges in bounded time: $name", async ({ schema, data: text, want }) => {
  const before = process.cpuUsage();
  const { extraction } = await scrapePage({ response_format: schema }, `{"markdown":"","structured":{"data":${text}}}`);
  expect(extraction).toMatchObject(want);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(10_000);
});

/** Data that take the longest that a check may take. */
const slow: Readonly<Record<string, unknown>> = { items: { pattern: "[ab]*a[ab]{500}[cd]" } };
const slowData = JSON.stringify({ markdown: "", structured: { data: Array(99).fill("ab".repeat(1e5)) } });
test("a call whose check takes long ends when its time is over", async () => {
  await using server = await startFaultServer({ body: slowData });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url, retries: 0, timeouts: { totalMs: 400 } });
  await expect(client.scrape("s1", { response_format: slow })).rejects.toMatchObject({ code: "timeout" });
});

test("a check pauses while it works, and does no more once its signal has aborted", async () => {
  const controller = new AbortController();
  let paused = false;
  setTimeout(() => {
    paused = true;
    controller.abort(new Error("enough"));
  });
  const checking = checkFrom(slow)(Array(99).fill("ab".repeat(1e5)), controller.signal);
  await expect(checking).rejects.toThrow("enough");
  expect(paused).toBe(true);
});
