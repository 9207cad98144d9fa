import { isObject } from "../http/json.ts";
import { resolveSchema, schemaAt, type Schema } from "../contract/contract.ts";
import { jsonAnswer, type Exchange } from "../http/exchange.ts";

/** Returns the objects at a path below the JSON answer with that status; `*` stands for the items of an array. */
export function listObjects(
  exchange: Exchange,
  status: number,
  path: readonly string[],
): Readonly<Record<string, unknown>>[] {
  const body = jsonAnswer(exchange, status);
  if (!("value" in body)) return [];
  let values: unknown[] = [body.value];
  for (const step of path) values = values.flatMap((value) => listChildren(value, step));
  return values.filter(isObject);
}

function listChildren(value: unknown, step: string): unknown[] {
  if (step === "*") return Array.isArray(value) ? value : [];
  return isObject(value) && Object.hasOwn(value, step) ? [value[step]] : [];
}

/** Returns the names of fields that the contract does not describe. */
export function listExtraFields(
  value: Readonly<Record<string, unknown>>,
  schema: string,
  path: readonly string[],
): string[] {
  const properties = listProperties(schemaAt(schema, path));
  return Object.keys(value).filter((name) => !properties.has(name));
}

function listProperties(schema: Schema): ReadonlySet<string> {
  const choices = [schema, ...(schema.anyOf ?? [])].map(resolveSchema);
  return new Set(choices.flatMap(({ properties = {} }) => Object.keys(properties)));
}

/** Returns the JSON type of a value; `absent` for none. */
export function nameType(value: unknown): string {
  if (value === undefined) return "absent";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
