import { isObject } from "../../http/json.ts";

/** Returns whether a schema refers to another, or to a part of itself. */
export function hasReference(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasReference);
  if (!isObject(schema)) return false;
  return typeof schema["$ref"] === "string" || Object.values(schema).some(hasReference);
}
