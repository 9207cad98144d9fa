/**
 * The error of a structure that can't be used: what loads structures makes `ClientError` `misuse` of it. Nothing was sent.
 *
 * No `ClientError` itself: a module that is shared with those that are loaded at once would cost every consumer a chunk.
 */
export function unusableFormat(message: string, cause?: unknown): Error {
  return new Error(message, cause === undefined ? {} : { cause });
}

/** Tells whether a JSON value is an object, and not an array or null. Here once more for the same reason. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
