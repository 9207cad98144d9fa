import { ClientError } from "../errors/client-error.ts";

/**
 * Checks identifiers and names that become part of a path. Errors do not quote them.
 *
 * @throws {ClientError} `misuse` when one is not a text, is empty, or is a dot segment, which `fetch` would resolve.
 */
export function checkIdentifiers(identifiers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(identifiers)) {
    if (typeof value === "string" && /\S/.test(value) && value !== "." && value !== "..") continue;
    const is = typeof value === "string" ? "empty or a dot segment" : value === null ? "null" : typeof value;
    throw new ClientError("misuse", `${name} must be a text that identifies it; it is ${is}`, { attempts: 0 });
  }
}
