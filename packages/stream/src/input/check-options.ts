import { StreamError } from "../errors/stream-error.ts";

/**
 * Asserts that options are valid, for callers without types.
 *
 * @param options - names of the options, and whether each is valid
 * @throws {StreamError} `misuse`, with the name of the first one that is not.
 */
export function assertOptions(options: Readonly<Record<string, boolean>>): void {
  const wrong = Object.keys(options).find((name) => !options[name]);
  if (wrong) throw new StreamError("misuse", `${wrong} has the wrong type or range`);
}

/** Returns whether a value is a number above 0. */
export function isPositive(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}

/** Returns whether a value is a function or `undefined`. */
export function isCallback(value: unknown): boolean {
  return value === undefined || typeof value === "function";
}

/** Returns whether a value is an `AbortSignal`, of this realm or another one, or `undefined`. */
export function isSignal(value: unknown): boolean {
  const { aborted, addEventListener, removeEventListener } = Object(value);
  const listens = typeof addEventListener === "function" && typeof removeEventListener === "function";
  return value === undefined || (listens && typeof aborted === "boolean");
}

/** Returns whether a value is an object, which may have options. */
export function isOptions(value: unknown): boolean {
  return Object(value) === value;
}
