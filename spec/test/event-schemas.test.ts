/** The JSON Schemas of events, as a program reads them that knows no OpenAPI: with a validator in its strict mode. */
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020, type AnySchemaObject } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import openapi from "../generated/openapi.json" with { type: "json" };
import { readings } from "./contract.ts";
import { parseItems } from "./event-stream.ts";

const generated = new URL("../generated/", import.meta.url);
const streams = new URL("../examples/automation/", import.meta.url);
const types = Object.keys(openapi.components.schemas.AutomationEvent.discriminator.mapping);
const files = readdirSync(new URL("events/", generated)).map((name) => `events/${name}`);

/** A strict validator: it refuses keywords that it does not know. */
const ajv = new Ajv2020({ strict: true, allErrors: true });
ajvFormats.default(ajv, ["uuid"]);

function readSchema(file: string): AnySchemaObject {
  return JSON.parse(readFileSync(new URL(file, generated), "utf8"));
}

const validators = new Map(["events.schema.json", ...files].map((file) => [file, ajv.compile(readSchema(file))]));
const isValid = (file: string, event: unknown): boolean => validators.get(file)?.(event) === true;
const getFile = (type: string): string => `events/${types.includes(type) ? type : "unknown"}.schema.json`;

const examples = readdirSync(streams)
  .filter((name) => name.endsWith(".sse"))
  .flatMap((name) => parseItems(readFileSync(new URL(name, streams), "utf8")))
  .map(({ data }): { type: string } => JSON.parse(data));

/** Events that the default of a reading leaves open, each made of an example of its type. */
const tolerated = readings.flatMap(({ id, tolerates = {} }) =>
  Object.entries(tolerates).flatMap(([pointer, values]) => {
    const [, , , schema = "", , field = ""] = pointer.split("/");
    if (schema === "AutomationEvent") return values.map((event) => ({ id, event }));
    const type = Object.entries(openapi.components.schemas.AutomationEvent.discriminator.mapping).find(
      ([, reference]) => reference.endsWith(`/${schema}`),
    )?.[0];
    const example = examples.find((event) => event.type === type);
    return example ? values.map((value) => ({ id, event: { ...example, [field]: value } })) : [];
  }),
);

describe("there is a schema", () => {
  test("for each listed type of event, and for all others", () => {
    expect(files.toSorted()).toEqual([...types, "unknown"].map((type) => `events/${type}.schema.json`).toSorted());
  });

  test.for(["events.schema.json", ...files])("%s, which has an identifier that ends in its path", (file) => {
    const { $id, $schema } = readSchema(file);
    expect(String($id).endsWith(`/${file}`)).toBe(true);
    expect($schema).toBe("https://json-schema.org/draft/2020-12/schema");
  });
});

test.for(examples)("an example of $type is valid by its own schema, by that of any event, and by no other", (event) => {
  expect(files.filter((file) => isValid(file, event))).toEqual([getFile(event.type)]);
  expect(isValid("events.schema.json", event)).toBe(true);
});

test.for(tolerated)("what $id leaves open by default is valid: $event", ({ event }) => {
  const { type }: { type?: unknown } = Object(event);
  expect(isValid(getFile(String(type)), event)).toBe(true);
  expect(isValid("events.schema.json", event)).toBe(true);
});

test.for(examples.filter(({ type }) => type.endsWith("_delta")))(
  "the type of a key field, which is inferred, is left open: $type",
  (event) => {
    expect(isValid("events.schema.json", { ...event, delta: 7 })).toBe(true);
  },
);

test("of what readings leave open, something of every kind of event was tried", () => {
  expect(new Set(tolerated.map(({ id }) => id))).toEqual(
    new Set(["events.unknown-type", "events.null-function_id", "events.null-key-fields"]),
  );
  expect(tolerated.length).toBeGreaterThanOrEqual(17);
});

test.for([
  { name: "a listed event without its key field", event: { type: "text_delta" } },
  { name: "a cost in words", event: { type: "done", total_cost_usd: "1", metadata: { thread_id: "7" } } },
  { name: "an identifier that is no UUID", event: { type: "done", total_cost_usd: 1, metadata: { thread_id: "7" } } },
  { name: "no type", event: { delta: "a" } },
])("$name is valid by no schema", ({ event }) => {
  expect(["events.schema.json", ...files].filter((file) => isValid(file, event))).toEqual([]);
});
