import { runInNewContext } from "node:vm";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Extraction, ResponseFormat } from "../../src/index.ts";
import { scrapePage, asFormat } from "./scraping.ts";

const drafts = [
  "https://json-schema.org/draft/2020-12/schema",
  "https://json-schema.org/draft/2019-09/schema",
  "http://json-schema.org/draft-07/schema#",
  "http://json-schema.org/draft-06/schema#",
  "http://json-schema.org/draft-04/schema#",
];
const ferry = {
  type: "object",
  properties: { pier: { type: "number" }, stops: { type: "array", items: { type: "string" } } },
  required: ["pier"],
};
const isFerry = (value: unknown): value is { pier: number } =>
  typeof value === "object" && value !== null && "pier" in value && typeof value.pier === "number";

/** Every form, for the same data. */
const forms: { name: string; format: ResponseFormat<unknown>; sent?: object; path?: readonly PropertyKey[] }[] = [
  { name: "zod", format: z.object({ pier: z.number(), stops: z.array(z.string()).optional() }) },
  { name: "arktype", format: type({ pier: "number", "stops?": "string[]" }) },
  {
    name: "valibot",
    format: toStandardJsonSchema(v.object({ pier: v.number(), stops: v.optional(v.array(v.string())) })),
  },
  { name: "JSON Schema", format: ferry, sent: ferry },
  { name: "frozen JSON Schema", format: Object.freeze({ ...ferry, properties: Object.freeze(ferry.properties) }) },
  ...drafts.map(($schema) => ({ name: `JSON Schema of ${$schema}`, format: { $schema, ...ferry } })),
  {
    name: "JSON Schema with a zod schema",
    format: [ferry, z.object({ pier: z.number(), stops: z.array(z.string()).optional() })],
    sent: ferry,
  },
  { name: "JSON Schema with a guard", format: [ferry, isFerry], sent: ferry, path: [] },
];

test.for(forms)("sends the JSON Schema and gives data that fit it: $name", async ({ format, sent = {} }) => {
  const data = { pier: 3, stops: ["a"] };
  const { extraction, bodies } = await scrapePage({ response_format: format }, { structured: { success: true, data } });
  expect(extraction).toEqual({ success: true, data });
  const body: { response_format?: unknown } = bodies[0] ?? {};
  expect(body.response_format).toMatchObject({ type: "object", properties: ferry.properties, ...sent });
  expect(JSON.stringify(body)).not.toContain("__absolute");
});

test.for(forms)("lists the paths of invalid data: $name", async ({ format, path = ["pier"] }) => {
  const data = { pier: "3", stops: ["a"] };
  const { extraction } = await scrapePage({ response_format: format }, { structured: { data } });
  const issues = [{ message: expect.any(String), path }];
  expect(extraction).toEqual({ success: false, reason: "mismatch", issues, raw: data });
});

test.for(forms.filter(({ path }) => !path))("counts the items of paths from 0: $name", async ({ format }) => {
  const data = { pier: 3, stops: ["a", 1] };
  const { extraction } = await scrapePage({ response_format: format }, { structured: { data } });
  const issues = [{ message: expect.any(String), path: ["stops", 1] }];
  expect(extraction).toEqual({ success: false, reason: "mismatch", issues, raw: data });
});

test.for(forms)("gives data, issues and errors that JSON can hold: $name", async ({ format }) => {
  const { extraction } = await scrapePage({ response_format: format }, { structured: { data: {} } });
  expect(JSON.parse(JSON.stringify(extraction))).toMatchObject({ reason: "mismatch" });
});

const transforming: { name: string; format: ResponseFormat<unknown>; data: unknown; sent: object; want: unknown }[] = [
  {
    name: "zod's transform, of the input",
    format: z.object({ at: z.string().transform((text) => new Date(text)) }),
    data: { at: "2026-08-06T18:00:00Z" },
    sent: { properties: { at: { type: "string" } } },
    want: { at: new Date("2026-08-06T18:00:00Z") },
  },
  {
    name: "zod's coerce",
    format: z.object({ pier: z.coerce.number() }),
    data: { pier: "3" },
    sent: { properties: { pier: { type: "number" } } },
    want: { pier: 3 },
  },
  {
    name: "zod's default, whose field need not be there",
    format: z.object({ pier: z.number().default(7), port: z.string() }),
    data: { port: "p" },
    sent: { required: ["port"] },
    want: { pier: 7, port: "p" },
  },
  {
    name: "zod's pipe",
    format: z.string().pipe(z.coerce.number()),
    data: "3",
    sent: { type: "string" },
    want: 3,
  },
  {
    name: "zod's asynchronous check",
    format: z.object({ pier: z.number().refine(async (pier) => pier > 1) }),
    data: { pier: 3 },
    sent: { properties: { pier: { type: "number" } } },
    want: { pier: 3 },
  },
  {
    name: "arktype's morph",
    format: type({ pier: "string.numeric.parse" }),
    data: { pier: "3" },
    sent: { properties: { pier: { type: "string" } } },
    want: { pier: 3 },
  },
  {
    name: "arktype's default",
    format: type({ pier: "number = 7" }),
    data: {},
    sent: { properties: { pier: { type: "number" } } },
    want: { pier: 7 },
  },
  {
    name: "valibot's transform",
    format: toStandardJsonSchema(
      v.object({
        port: v.pipe(
          v.string(),
          v.transform((text) => text.length),
        ),
      }),
    ),
    data: { port: "abc" },
    sent: { properties: { port: { type: "string" } } },
    want: { port: 3 },
  },
  {
    name: "a transformation that gives undefined",
    format: z.string().transform(() => undefined),
    data: "x",
    sent: { type: "string" },
    want: undefined,
  },
];
test.for(transforming)("gives what the schema makes of the data: $name", async ({ format, data, sent, want }) => {
  const { extraction, bodies } = await scrapePage({ response_format: format }, { structured: { data } });
  expect(bodies[0]).toMatchObject({ response_format: sent });
  expect(extraction).toEqual({ success: true, data: want });
});

test("leaves the raw data as they were, when a schema transforms a part of them and refuses another", async () => {
  const data = { pier: "x", port: "abc" };
  for (const format of [
    z.object({ port: z.string().transform((text) => text.length), pier: z.number() }),
    type({ port: type("string").pipe((text) => text.length), pier: "number" }),
  ]) {
    const { extraction } = await scrapePage({ response_format: format }, { structured: { data } });
    expect(extraction).toMatchObject({ reason: "mismatch", raw: data });
  }
});

/** A Standard Schema of which the test says what it does. */
function createStandardSchema(validate: (value: unknown) => unknown): ResponseFormat<unknown> {
  const jsonSchema = { input: () => ({ type: "object" }) };
  return asFormat({ "~standard": { version: 1, vendor: "test", validate, jsonSchema } });
}
const refusing: { name: string; format: ResponseFormat<unknown> }[] = [
  {
    name: "throws",
    format: createStandardSchema(() => {
      throw new TypeError("no");
    }),
  },
  {
    name: "throws no error",
    format: createStandardSchema(() => {
      throw Object.create(null);
    }),
  },
  { name: "rejects", format: createStandardSchema(() => Promise.reject(new Error("no"))) },
  { name: "gives nothing", format: createStandardSchema(() => undefined) },
  { name: "gives neither value nor issues", format: createStandardSchema(() => ({})) },
  { name: "gives issues that are no list", format: createStandardSchema(() => ({ issues: "no" })) },
  { name: "gives an empty list of issues", format: createStandardSchema(() => ({ value: {}, issues: [] })) },
  {
    name: "is a guard that throws",
    format: [
      {},
      (_): _ is unknown => {
        throw new Error("no");
      },
    ],
  },
  {
    name: "is a guard that refuses asynchronously",
    format: asFormat([{}, async () => false]),
  },
  {
    name: "is a guard that gives something else than true",
    format: asFormat([{}, () => "yes"]),
  },
];
test.for(refusing)("takes nothing for checked when the validator $name", async ({ format }) => {
  const { extraction } = await scrapePage({ response_format: format }, { structured: { data: {} } });
  const issues = expect.any(Array);
  expect(extraction).toEqual({ success: false, reason: "mismatch", issues, raw: {} } satisfies Extraction<unknown>);
});

test("calls validators on their own objects", async () => {
  class Own {
    readonly version = 1;
    readonly vendor = "own";
    readonly limit = 3;
    readonly jsonSchema = { input: () => ({}) };
    validate(value: unknown) {
      return Number(value) < this.limit ? { value } : { issues: [{ message: "too much" }] };
    }
  }
  const { extraction } = await scrapePage({ response_format: { "~standard": new Own() } }, { structured: { data: 2 } });
  expect(extraction).toEqual({ success: true, data: 2 });
});

test("asks a library for draft-07 that does not know draft 2020-12", async () => {
  const $schema = "http://json-schema.org/draft-07/schema#";
  const input = ({ target }: { target: string }): Record<string, unknown> => {
    if (target !== "draft-07") throw new Error("unknown target");
    return { $schema };
  };
  const format = {
    "~standard": { version: 1, vendor: "old", validate: (value: unknown) => ({ value }), jsonSchema: { input } },
  } as const;
  const { extraction, bodies } = await scrapePage({ response_format: format }, { structured: { data: 1 } });
  expect(extraction).toEqual({ success: true, data: 1 });
  expect(bodies).toMatchObject([{ response_format: { $schema } }]);
});

test.for([
  { name: "a JSON Schema that an object of a class writes", format: new (class { toJSON() { return { type: "number" }; } })() },
  { name: "a JSON Schema without a prototype", format: Object.assign(Object.create(null), { type: "number" }) },
  { name: "a JSON Schema of another realm", format: runInNewContext('({ type: "number" })') },
])("takes $name", async ({ format }) => {
  const { extraction, bodies } = await scrapePage({ response_format: asFormat(format) }, { structured: { data: 1 } });
  expect({ extraction, bodies }).toEqual({ extraction: { success: true, data: 1 }, bodies: [{ response_format: { type: "number" } }] });
}); // prettier-ignore
