import type { Json, JsonRecord } from "../../in-page/declared/declared-data.ts";

/** Returns whether a value that came as JSON is an object. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an array as it is, and an empty one for anything else. */
export function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
