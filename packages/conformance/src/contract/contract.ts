import openapi from "@cloud-browser/spec/openapi.json" with { type: "json" };
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";

/** The JSON types that a schema can name. */
export type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

/** A schema of the contract, as far as the judges look into it. */
export interface Schema {
  /** Reference to the schema that stands for this one. */
  readonly $ref?: string;
  /** JSON types that it allows. */
  readonly type?: JsonType | readonly JsonType[];
  /** Schemas of which one has to hold. */
  readonly anyOf?: readonly Schema[];
  /** Schemas of the fields of an object. */
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Schema of the elements of an array. */
  readonly items?: Schema;
  /** The form of a string, in words. */
  readonly "x-form"?: string;
  /** Name of the form of a string. */
  readonly format?: string;
  /** Values that it allows. */
  readonly enum?: readonly unknown[];
  /** Value of a field that is left out. */
  readonly default?: unknown;
  /** Keywords of this schema that are our inference. */
  readonly "x-assumed"?: readonly string[];
}

const contractKey = "contract";

/**
 * Validator of the contract's schemas. It is not strict, since the document around them has keywords of OpenAPI that JSON Schema does not
 * have. The schemas are not validated themselves, which would take longer than all else at the start: the contract is linted.
 */
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true, validateSchema: false });
ajvFormats.default(ajv, ["date-time"]);
// That of ajv-formats takes a URN, too, which is another form. Source: RFC 9562, section 4.
ajv.addFormat("uuid", /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i);
ajv.addSchema(openapi, contractKey);

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the contract is ours, and linted: this names what its JSON is
const schemas = openapi.components.schemas as Readonly<Record<string, Schema>>;
/** Names of all schemas of the contract. */
export const schemaNames: readonly string[] = Object.keys(schemas);

const validators = new Map<string, ValidateFunction>();

/** Returns the schema that the contract has under a name; an unknown name is a mistake in this package. */
export function namedSchema(name: string): Schema {
  const schema = schemas[name];
  if (!schema) throw new Error(`the contract has no schema ${name}`);
  return schema;
}

/** Returns the schema that `$ref` points to, or the schema itself. */
export function resolveSchema(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : namedSchema(schema.$ref.replace("#/components/schemas/", ""));
}

/** Returns the schema of one part of a named schema: `properties` are named, `*` stands for the items of an array. */
export function schemaAt(name: string, path: readonly string[]): Schema {
  return path.reduce((schema, step) => {
    const choices = [schema, ...(schema.anyOf ?? [])].map(resolveSchema);
    const next = choices.map((choice) => (step === "*" ? choice.items : choice.properties?.[step])).find(Boolean);
    if (!next) throw new Error(`the schema ${name} has no ${path.join("/")}`);
    return resolveSchema(next);
  }, namedSchema(name));
}

/** Returns the JSON types that a schema allows; undefined when it allows every one. */
export function findTypes(schema: Schema): readonly JsonType[] | undefined {
  if (schema.anyOf) {
    const choices = schema.anyOf.map((choice) => findTypes(resolveSchema(choice)));
    return choices.every((types) => types !== undefined) ? choices.flat() : undefined;
  }
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

/** Returns the JSON type of a value; whole numbers are `integer`. */
export function jsonType(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "string" : "object";
}

/** Returns whether the value is of one of the types: an integer is a number, too. */
export function isOfType(value: unknown, types: readonly JsonType[]): boolean {
  const type = jsonType(value);
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

/** Validates a value against a part of the contract's schemas with ajv, and returns the errors. */
export function listProblems(value: unknown, schema: Schema): readonly ErrorObject[] {
  const key = JSON.stringify(schema);
  const validate = validators.get(key) ?? ajv.compile(rebase(schema));
  validators.set(key, validate);
  return validate(value) ? [] : (validate.errors ?? []);
}

/** Returns a copy whose references lead into the contract instead of into itself. */
function rebase(schema: Schema): object {
  const text = JSON.stringify(schema).replaceAll('"#/components/', `"${contractKey}#/components/`);
  const copy: unknown = JSON.parse(text);
  return typeof copy === "object" && copy !== null ? copy : {};
}

/** Version of the session API that the contract describes. */
export const contractVersion = openapi.info.version;

/** The schema of each listed type of event, by the type, in the order of the contract's union. */
export const eventSchemas: ReadonlyMap<string, string> = new Map(
  Object.entries(openapi.components.schemas.AutomationEvent.discriminator.mapping).map(([type, reference]) => [
    type,
    reference.replace("#/components/schemas/", ""),
  ]),
);

/** The operations of the interface, by the identifiers that the contract gives them. Source: interface § Endpoints. */
export type Operation = "page_scrape" | "session_cookies" | "session_replay" | "automation_start";
