import { expect, test } from "vitest";
import { z } from "zod";
import { ClientError, createCloudBrowser, type ResponseFormat } from "../../src/index.ts";
import { startFaultServer } from "../calls/fault-server.ts";
import { scrapePage, asFormat } from "./scraping.ts";

const anything = {};
const number = { type: "number" };
const nullable = { type: ["number", "null"] };
const failed = { success: false, reason: "failed", error: undefined };

/** What the service says of an extraction, and what comes of it for data that must be a number. */
const answers: { name: string; structured?: unknown; want: object; format?: ResponseFormat<unknown> }[] = [
  { name: "success", structured: { success: true, error: null, data: 1 }, want: { success: true, data: 1 } },
  { name: "success by default", structured: { data: 1 }, want: { success: true, data: 1 } },
  { name: "an empty error", structured: { error: "", data: 1 }, want: { success: true, data: 1 } },
  {
    name: "failure with an error",
    structured: { success: false, error: "no price" },
    want: { ...failed, error: "no price", raw: undefined },
  },
  { name: "failure without an error", structured: { success: false, data: null }, want: { ...failed, raw: null } },
  { name: "failure with data", structured: { success: false, data: 1 }, want: { ...failed, raw: 1 } },
  {
    name: "an error and no word of success",
    structured: { error: "no price", data: 1 },
    want: { ...failed, error: "no price", raw: 1 },
  },
  {
    name: "an error beside success",
    structured: { success: true, error: "no price", data: 1 },
    want: { ...failed, error: "no price", raw: 1 },
  },
  { name: "an error that is no text", structured: { error: { code: 1 }, data: 1 }, want: { ...failed, raw: 1 } },
  ...["true", 1, null, {}].map((success) => ({
    name: `success ${JSON.stringify(success)}`,
    structured: { success, data: 1 },
    want: { ...failed, raw: 1 },
  })),
  { name: "no structured", want: { success: false, reason: "missing", raw: undefined } },
  { name: "structured null", structured: null, want: { success: false, reason: "missing", raw: undefined } },
  { name: "structured that is a list", structured: [1], want: { success: false, reason: "missing", raw: undefined } },
  { name: "structured that is a text", structured: "1", want: { success: false, reason: "missing", raw: undefined } },
  { name: "no data", structured: {}, want: { success: false, reason: "missing", raw: undefined } },
  { name: "data null", structured: { data: null }, want: { success: false, reason: "missing", raw: null } },
  { name: "data null, which fit", structured: { data: null }, format: nullable, want: { success: true, data: null } },
  {
    name: "no data, where a schema has a default",
    structured: {},
    format: z.number().default(1),
    want: { success: false, reason: "missing", raw: undefined },
  },
  {
    name: "data null for any schema",
    structured: { data: null },
    format: anything,
    want: { success: true, data: null },
  },
  {
    name: "data that do not fit",
    structured: { data: "1" },
    want: {
      success: false,
      reason: "mismatch",
      issues: [{ message: "Expected type number, received string.", path: [] }],
      raw: "1",
    },
  },
];
test.for(answers)("makes of the answer: $name", async ({ structured, format = number, want }) => {
  const { extraction } = await scrapePage({ response_format: format }, structured === undefined ? {} : { structured });
  expect(extraction).toEqual(want);
});

test.for(answers.filter(({ want }) => "reason" in want))(
  "extract throws: $name",
  async ({ structured, format, want }) => {
    const body = JSON.stringify({ markdown: "", ...(structured !== undefined && { structured }) });
    await using server = await startFaultServer({ body, headers: { "x-request-id": "r1" } });
    const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
    const error: unknown = await client
      .extract("s1", { response_format: format ?? number })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof ClientError)) throw new Error("it did not throw a ClientError");
    const facts = { code: "extraction", operation: "page_scrape", status: 200, requestId: "r1", retryable: false };
    expect(error).toMatchObject(facts);
    expect(error.extraction).toEqual(want);
    const why = "error" in want && typeof want.error === "string" ? want.error : "the ";
    expect(error.message).toContain(`extraction failed: ${why}`);
  },
);

test("extract gives the data alone, and the answer on request", async () => {
  await using server = await startFaultServer({ body: '{"markdown":"","structured":{"data":{"pier":"3"}}}' });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const response_format = z.object({ pier: z.coerce.number() });
  expect(await client.extract("s1", { response_format })).toEqual({ pier: 3 });
  const { data, response } = await client.extract("s1", { response_format }).withResponse();
  expect([data, await response.text()]).toEqual([{ pier: 3 }, '{"markdown":"","structured":{"data":{"pier":"3"}}}']);
});

test("instructions alone are sent alone, and any data fit but null", async () => {
  const request = { instructions: "the piers" };
  const some = await scrapePage(request, { structured: { data: [1] } });
  expect(some).toEqual({ extraction: { success: true, data: [1] }, bodies: [request] });
  const none = await scrapePage(request, { structured: { data: null } });
  expect(none.extraction).toEqual({ success: false, reason: "missing", raw: null });
});

test("instructions and a structure are sent together", async () => {
  const request = { instructions: "the piers", response_format: number, only_images: true, ignored_tags: ["nav"] };
  const { extraction, bodies } = await scrapePage(request, { structured: { data: 1 } });
  expect({ extraction, bodies }).toEqual({ extraction: { success: true, data: 1 }, bodies: [request] });
});

test("a structure of null or undefined is absent, and fields that are undefined are not sent", async () => {
  await using server = await startFaultServer({ body: '{"markdown":"m","structured":{"data":1}}' });
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const request = { response_format: null, selector: undefined, instructions: null };
  expect(await client.scrape("s1", request)).toEqual({ markdown: "m", structured: { data: 1 } });
  expect(await client.scrape("s1", { response_format: undefined })).toHaveProperty("markdown", "m");
  expect(server.requests.map(({ body }) => body)).toEqual(['{"instructions":null}', "{}"]);
});

test("takes `structured` for nothing that JSON can put on a prototype", async () => {
  const body = '{"markdown":"","__proto__":{"structured":{"data":1}},"structured":{"__proto__":{"data":1}}}';
  const { extraction } = await scrapePage({ response_format: anything }, body);
  expect(extraction).toEqual({ success: false, reason: "missing", raw: undefined });
});

/** The same object on each level, and at last itself. */
const endless: Record<string, unknown> = {};
endless["properties"] = { endless };

const unusable: { name: string; format: unknown; cause?: boolean }[] = [
  ...["", "string", 0, 1, true, false].map((format) => ({ name: JSON.stringify(format), format })),
  { name: "a function", format: () => true },
  { name: "an empty list", format: [] },
  { name: "a list of one", format: [{}] },
  { name: "a list of three", format: [{}, () => true, 1] },
  { name: "a pair without a check", format: [{}, 1] },
  { name: "a pair without a JSON Schema", format: [1, () => true] },
  { name: "a pair of a library's schemas, the wrong way round", format: [z.date(), {}] },
  { name: "a pair with a broken Standard Schema", format: [{}, { "~standard": {} }] },
  { name: "a Standard Schema that is none", format: { "~standard": 1 } },
  { name: "a Standard Schema without validate", format: { "~standard": { jsonSchema: { input: () => ({}) } } } },
  { name: "a Standard Schema without JSON Schema", format: { "~standard": { validate: () => ({ value: 1 }) } } },
  { name: "zod's date", format: z.date(), cause: true },
  { name: "zod's custom", format: z.custom(() => true), cause: true },
  { name: "zod's function within an object", format: z.object({ f: z.function() }), cause: true },
  { name: "zod's transform alone", format: z.transform(() => 1), cause: true },
  { name: "zod's bigint", format: z.bigint(), cause: true },
  { name: "zod with a bigint in its JSON Schema", format: z.string().meta({ example: 1n }), cause: true },
  { name: "a JSON Schema with a bigint", format: { const: 1n }, cause: true },
  { name: "a JSON Schema that holds itself", format: endless, cause: true },
  {
    name: "an object of a library, such as zod before 3.24",
    format: new (class {
      readonly _def = { typeName: "ZodString" };
    })(),
  },
  { name: "a type that is none", format: { type: "strnig" } },
  { name: "types of which one is none", format: { type: ["string", "void"] } },
  { name: "a type that is none, below", format: { properties: { a: { items: { anyOf: [{ type: "strnig" }] } } } } },
  { name: "a type that is none, behind a reference", format: { $ref: "#/x/y", x: { y: { type: "strnig" } } } },
  { name: "required that is true", format: { properties: { a: { required: true } } } },
  { name: "properties that are a list", format: { properties: [] } },
  { name: "a property that is no schema", format: { properties: { a: "string" } } },
  { name: "an enum that is no list", format: { enum: "a" } },
  { name: "a pattern that is none", format: { pattern: "(" } },
  { name: "a pattern of properties that is none", format: { patternProperties: { "(": {} } } },
  { name: "a negative length", format: { minLength: -1 } },
  { name: "a multiple of nothing", format: { multipleOf: 0 } },
  { name: "a bound as draft 4 has it, in another draft", format: { minimum: 1, exclusiveMinimum: true } },
  { name: "a reference that leads nowhere", format: { $ref: "#/$defs/a" } },
  { name: "a reference that leads nowhere, below", format: { properties: { a: { items: { $ref: "#/$defs/a" } } } } },
  { name: "a reference to another document", format: { $ref: "https://other.example/schema" } },
  { name: "a reference to itself", format: { $ref: "#" } },
  {
    name: "a reference around a circle",
    format: { allOf: [{ $ref: "#/$defs/a" }], $defs: { a: { $ref: "#" } } },
  },
  { name: "an identifier that is none", format: { $id: "http://[" }, cause: true },
  { name: "a dynamic reference", format: { $dynamicRef: "#a", $dynamicAnchor: "a" } },
];
test.for(unusable)("calls it misuse and sends nothing: $name", async ({ format, cause = false }) => {
  await using server = await startFaultServer({});
  const client = createCloudBrowser({ apiKey: "key", baseUrl: server.url });
  const request = { response_format: asFormat(format) };
  for (const call of [() => client.scrape("s1", request), () => client.extract("s1", request)]) {
    const error: unknown = await call().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ClientError", code: "misuse", operation: "page_scrape" });
    expect(error instanceof Error && "cause" in error && error.cause instanceof Error).toBe(cause);
  }
  expect(server.requests).toEqual([]);
});
