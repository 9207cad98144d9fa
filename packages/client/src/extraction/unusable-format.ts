/**
 * Creates the error of an invalid `response_format`, which `scrape` converts to a `ClientError` `misuse`.
 *
 * It is not a `ClientError` itself, as importing that class here would split it into a chunk of its own for every consumer.
 */
export function unusableFormat(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, cause === undefined ? {} : { cause }), { name: "UnusableFormat" });
}

/** Returns whether a JSON value is an object, and not an array or null. Not imported from `client-error.ts` for the same reason. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
