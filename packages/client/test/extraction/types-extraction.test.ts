import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import type {
  ClientError,
  ClientPromise,
  DataRequest,
  Extraction,
  FailedExtraction,
  InstructionsRequest,
  Issue,
  ResponseFormat,
  ScrapedData,
  ScrapeRequest,
  StandardIssue,
  StandardJsonSchema,
  StandardSchema,
  Verdict,
} from "../../src/index.ts";
import { judgedByCompiler } from "../compiler.ts";

interface Ferry {
  pier: number;
}
const isFerry = (value: unknown): value is Ferry => typeof value === "object";
const jsonSchema = { type: "object", properties: { pier: { type: "number" } } };

test("every Standard Schema of the specification is accepted as one", () => {
  expectTypeOf<StandardSchemaV1<unknown, Ferry>>().toExtend<StandardSchema<Ferry>>();
  type Both = StandardSchemaV1<unknown, Ferry> & StandardJSONSchemaV1<unknown, Ferry>;
  expectTypeOf<Both>().toExtend<StandardJsonSchema<Ferry>>();
  expectTypeOf<StandardSchemaV1.Result<Ferry>>().toExtend<Verdict<Ferry>>();
  expectTypeOf<StandardSchemaV1.Issue>().toExtend<StandardIssue>();
});

test("zod: data have the output type", () =>
  judgedByCompiler(async (client) => {
    const plain = z.object({ pier: z.number(), stop: z.string().optional() });
    expectTypeOf(client.scrape("s", { response_format: plain })).toEqualTypeOf<
      ClientPromise<ScrapedData<{ pier: number; stop?: string | undefined }>>
    >();
    expectTypeOf(client.extract("s", { response_format: plain })).resolves.toEqualTypeOf<z.output<typeof plain>>();
    const changed = z.object({ at: z.string().transform((text) => new Date(text)), pier: z.number().default(1) });
    expectTypeOf(client.extract("s", { response_format: changed })).toEqualTypeOf<
      ClientPromise<{ at: Date; pier: number }>
    >();
    expectTypeOf(client.extract("s", { response_format: z.coerce.number() })).resolves.toEqualTypeOf<number>();
    expectTypeOf(client.extract("s", { response_format: z.array(plain) })).resolves.toEqualTypeOf<
      z.output<typeof plain>[]
    >();
    expectTypeOf(client.extract("s", { response_format: z.enum(["a", "b"]) })).resolves.toEqualTypeOf<"a" | "b">();
    expectTypeOf(client.extract("s", { response_format: z.string().nullable() })).resolves.toEqualTypeOf<
      string | null
    >();
    expectTypeOf(client.extract("s", { response_format: z.unknown() })).resolves.toEqualTypeOf<unknown>();
  }));

test("arktype: data have the output type", () =>
  judgedByCompiler(async (client) => {
    const plain = type({ pier: "number", "stop?": "string" });
    expectTypeOf(client.extract("s", { response_format: plain })).resolves.toEqualTypeOf<{
      pier: number;
      stop?: string;
    }>();
    const changed = type({ pier: "string.numeric.parse", at: type("string").pipe((text) => new Date(text)) });
    expectTypeOf(client.extract("s", { response_format: changed })).resolves.toEqualTypeOf<{
      pier: number;
      at: Date;
    }>();
  }));

test("valibot: data have the output type, and only its wrapper gives JSON Schema", () =>
  judgedByCompiler(async (client) => {
    const schema = v.object({
      pier: v.number(),
      stop: v.pipe(
        v.string(),
        v.transform((text) => text.length),
      ),
    });
    const response_format = toStandardJsonSchema(schema);
    expectTypeOf(client.extract("s", { response_format })).resolves.toEqualTypeOf<{ pier: number; stop: number }>();
    // @ts-expect-error: it gives no JSON Schema
    void client.extract("s", { response_format: schema });
    expectTypeOf(client.extract("s", { response_format: [jsonSchema, schema] })).resolves.toEqualTypeOf<{
      pier: number;
      stop: number;
    }>();
  }));

/** As `@types/json-schema` has it: an interface, without an index signature. */
interface JsonSchemaInterface {
  type?: string | string[];
  properties?: Record<string, JsonSchemaInterface>;
}

test("JSON Schema: data have the type that the caller gives", () =>
  judgedByCompiler(async (client) => {
    expectTypeOf(client.extract<Ferry>("s", { response_format: jsonSchema })).resolves.toEqualTypeOf<Ferry>();
    expectTypeOf(client.scrape<Ferry>("s", { response_format: jsonSchema })).resolves.toEqualTypeOf<
      ScrapedData<Ferry>
    >();
    expectTypeOf(client.extract("s", { response_format: jsonSchema })).resolves.toEqualTypeOf<unknown>();
    expectTypeOf(client.extract("s", { response_format: { type: "string" } })).resolves.toEqualTypeOf<unknown>();
    const constant = { type: "object", required: ["pier"] } as const;
    expectTypeOf(client.extract<Ferry>("s", { response_format: constant })).resolves.toEqualTypeOf<Ferry>();
    const declared: JsonSchemaInterface = { type: "object" };
    expectTypeOf(client.extract<Ferry>("s", { response_format: declared })).resolves.toEqualTypeOf<Ferry>();
    expectTypeOf(client.extract("s", { response_format: [declared, isFerry] })).resolves.toEqualTypeOf<Ferry>();
  }));

test("a pair: data have the type of the check", () =>
  judgedByCompiler(async (client) => {
    expectTypeOf(client.extract("s", { response_format: [jsonSchema, isFerry] })).resolves.toEqualTypeOf<Ferry>();
    const zod = z.string().transform((text) => text.length);
    expectTypeOf(client.extract("s", { response_format: [jsonSchema, zod] })).resolves.toEqualTypeOf<number>();
    expectTypeOf(client.scrape("s", { response_format: [jsonSchema, isFerry] })).resolves.toEqualTypeOf<
      ScrapedData<Ferry>
    >();
    // @ts-expect-error: not a guard
    void client.extract("s", { response_format: [jsonSchema, (value: unknown) => Boolean(value)] });
    // @ts-expect-error: no check
    void client.extract("s", { response_format: [jsonSchema] });
    // @ts-expect-error: a guard that is asynchronous consents to anything
    void client.extract("s", { response_format: [jsonSchema, async () => false] });
  }));

test("types that are not a structure are rejected", () =>
  judgedByCompiler(async (client) => {
    expectTypeOf<string>().not.toExtend<ResponseFormat<unknown>>();
    expectTypeOf<boolean>().not.toExtend<ResponseFormat<unknown>>();
    expectTypeOf<() => unknown>().not.toExtend<ResponseFormat<unknown>>();
    expectTypeOf<readonly object[]>().not.toExtend<ResponseFormat<unknown>>();
    expectTypeOf<null>().not.toExtend<ResponseFormat<unknown>>();
    // @ts-expect-error: nothing to extract
    void client.extract("s", {});
    // @ts-expect-error: nothing to extract by
    void client.extract("s", { instructions: "piers" });
  }));

test("instructions alone give data of an unknown type", () =>
  judgedByCompiler(async (client) => {
    expectTypeOf(client.scrape("s", { instructions: "piers" })).toEqualTypeOf<ClientPromise<ScrapedData<unknown>>>();
    const request: InstructionsRequest = { instructions: "piers", selector: "main" };
    expectTypeOf(client.scrape("s", request)).resolves.toEqualTypeOf<ScrapedData<unknown>>();
    const untold: ScrapeRequest = { instructions: "piers" };
    expectTypeOf(client.scrape("s", untold)).resolves.not.toHaveProperty("structured");
  }));

test("a structure may be combined with everything", () =>
  judgedByCompiler(async (client) => {
    const response_format = z.object({ pier: z.number() });
    expectTypeOf(client.scrape("s", { response_format, only_images: true })).resolves.toExtend<ScrapedData<Ferry>>();
    expectTypeOf(client.scrape("s", { response_format, instructions: "piers" })).resolves.toEqualTypeOf<
      ScrapedData<Ferry>
    >();
    const request = { response_format, selector: "main", ignored_tags: ["nav"] };
    expectTypeOf(client.scrape("s", request)).resolves.toEqualTypeOf<ScrapedData<Ferry>>();
    const satisfying = { response_format: [jsonSchema, isFerry] } satisfies DataRequest<Ferry>;
    expectTypeOf(client.scrape("s", satisfying)).resolves.toEqualTypeOf<ScrapedData<Ferry>>();
    const typed: DataRequest<Ferry> = { response_format: jsonSchema };
    expectTypeOf(client.extract("s", typed)).resolves.toEqualTypeOf<Ferry>();
    // @ts-expect-error: the field has another name
    void client.scrape("s", { response_format, only_image: true });
    // @ts-expect-error: the field has another name
    void client.extract("s", { response_format, onlyMainContent: true });
  }));

test("there are no data before success is known", () =>
  judgedByCompiler(async (client) => {
    const { structured } = await client.scrape("s", { response_format: z.object({ pier: z.number() }) });
    expectTypeOf(structured).toEqualTypeOf<Extraction<Ferry>>();
    // @ts-expect-error: it may have failed
    void structured.data;
    // @ts-expect-error: it may not have failed
    void structured.reason;
    if (structured.success) {
      expectTypeOf(structured.data).toEqualTypeOf<Ferry>();
      // @ts-expect-error: data that fit are all there is
      void structured.raw;
      return;
    }
    expectTypeOf(structured).toEqualTypeOf<FailedExtraction>();
    expectTypeOf(structured.raw).toEqualTypeOf<unknown>();
    // @ts-expect-error: it failed
    void structured.data;
    // @ts-expect-error: only a mismatch has issues
    void structured.issues;
    if (structured.reason === "failed") expectTypeOf(structured.error).toEqualTypeOf<string | undefined>();
    else if (structured.reason === "mismatch") expectTypeOf(structured.issues).toEqualTypeOf<readonly Issue[]>();
    else expectTypeOf(structured.reason).toEqualTypeOf<"missing">();
  }));

test("an error of an extraction says why", () => {
  expectTypeOf<ClientError["extraction"]>().toEqualTypeOf<FailedExtraction | undefined>();
  expectTypeOf<Issue["path"]>().toEqualTypeOf<readonly PropertyKey[]>();
});
