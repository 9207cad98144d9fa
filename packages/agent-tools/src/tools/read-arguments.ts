import { Validator, type Schema } from "@cfworker/json-schema";
import { ToolError, type ObjectSchema, type PropertySchema, type Tool, type ToolArguments } from "./tool.ts";

/**
 * Reads the arguments of a call. Numbers, booleans and objects in the form of text are converted to the type of the schema; null counts as
 * absent.
 *
 * @throws {ToolError} with all that is wrong, and what the tool takes.
 */
export function readArguments(tool: Pick<Tool, "name" | "inputSchema">, input: unknown): ToolArguments {
  const { name, inputSchema } = tool;
  if (input !== undefined && (Object(input) !== input || Array.isArray(input))) {
    throw new ToolError(`arguments of ${name} must be an object; it takes: ${describeSchema(inputSchema)}`);
  }
  const entries = Object.entries(Object(input)).filter(([, value]) => value !== null && value !== undefined);
  const known = inputSchema.properties;
  const values = new Map(
    entries.map(([key, value]) => {
      const property = Object.hasOwn(known, key) ? known[key] : undefined;
      return [key, property === undefined ? value : asWanted(value, property)];
    }),
  );
  const faults = [...values.keys()]
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => unknownArgument(key, known));
  for (const key of inputSchema.required ?? []) if (!values.has(key)) faults.push(`${key} is missing`);
  for (const [key, value] of values) {
    const property = Object.hasOwn(known, key) ? known[key] : undefined;
    if (property !== undefined) faults.push(...findFaults(key, value, property));
  }
  if (faults.length > 0) {
    throw new ToolError(
      `${faults.slice(0, 5).join("; ")}; ${name} takes: ${describeSchema(inputSchema)}; call it again`,
    );
  }
  return accessTo(values);
}

function accessTo(values: ReadonlyMap<string, unknown>): ToolArguments {
  const text = (name: string): string | undefined => {
    const value = values.get(name);
    return typeof value === "string" ? value : undefined;
  };
  return {
    text,
    requiredText: (name) => text(name) ?? "",
    number: (name) => {
      const value = values.get(name);
      return typeof value === "number" ? value : undefined;
    },
    flag: (name) => values.get(name) === true,
    object: (name) => {
      const value = values.get(name);
      return isObject(value) ? value : undefined;
    },
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Converts a text to the type of the schema where possible. */
function asWanted(value: unknown, { type }: PropertySchema): unknown {
  if (typeof value !== "string") return type === "string" && typeof value === "number" ? String(value) : value;
  const text = value.trim();
  if ((type === "integer" || type === "number") && /^-?\d+(?:\.\d+)?$/u.test(text)) return Number(text);
  if (type === "boolean" && /^(?:true|false)$/iu.test(text)) return text.toLowerCase() === "true";
  if ((type !== "object" && type !== "array") || !/^[[{]/u.test(text)) return value;
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return value;
  }
}

function findFaults(name: string, value: unknown, property: PropertySchema): readonly string[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schemas of tools are JSON Schema
  const { valid, errors } = new Validator(property as unknown as Schema, "2020-12", false).validate(value);
  if (valid) return [];
  const deepest = errors.findLast(({ keyword }) => keyword !== "properties" && keyword !== "items") ?? errors.at(-1);
  const place = deepest?.instanceLocation.replace(/^#/u, "").replaceAll("/", ".") ?? "";
  return [`${name}${place} must be ${describeProperty(property)}`];
}

function unknownArgument(name: string, known: ObjectSchema["properties"]): string {
  const similar = Object.keys(known).find((one) => normalizeName(one) === normalizeName(name));
  return `${JSON.stringify(name.slice(0, 60))} is no argument${similar === undefined ? "" : `: did you mean ${similar}?`}`;
}

function describeSchema({ properties, required = [] }: ObjectSchema): string {
  const all = Object.entries(properties).map(
    ([name, property]) => `${name} (${describeProperty(property)}${required.includes(name) ? ", required" : ""})`,
  );
  return all.length === 0 ? "no arguments" : all.join(", ");
}

function describeProperty({ type, enum: values, minimum, maximum, minLength, maxLength }: PropertySchema): string {
  if (values !== undefined) return `one of ${values.join(", ")}`;
  const kind = {
    string: "a text",
    integer: "a whole number",
    number: "a number",
    boolean: "true or false",
    object: "an object",
    array: "a list",
  }[type];
  if (minimum !== undefined) return `${kind} from ${minimum}${maximum === undefined ? "" : ` to ${maximum}`}`;
  if (maxLength !== undefined) return `${kind} of at most ${maxLength} characters`;
  return minLength === undefined ? kind : `${kind} that is not empty`;
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/gu, "");
}
