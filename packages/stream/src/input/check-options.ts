import { StreamError } from "../errors/stream-error.ts";

/**
 * Makes sure of what callers without types may pass.
 *
 * @param options - names, and whether what was given under each can be used
 * @throws {StreamError} `misuse`, with the first name that can't.
 */
export function demand(options: Readonly<Record<string, boolean>>): void {
  const wrong = Object.keys(options).find((name) => !options[name]);
  if (wrong) throw new StreamError("misuse", `${wrong} has the wrong type or range`);
}

/** Tells whether it is a number above 0. */
export function isPositive(value: unknown): boolean {
  return typeof value === "number" && value > 0;
}

/** Tells whether it can be called back, or is left out. */
export function isCallback(value: unknown): boolean {
  return value === undefined || typeof value === "function";
}

/** Tells whether it is a signal, of this realm or another one, or is left out. */
export function isSignal(value: unknown): boolean {
  return value === undefined || typeof Object(value).addEventListener === "function";
}

/** Tells whether it can have options in it. */
export function isOptions(value: unknown): boolean {
  return Object(value) === value;
}
