import type { Context } from "hono";
import { mainKey, type KeyHolder } from "../keys/keys.ts";
import { problem } from "./problems.ts";

/** What stands for all keys in a query: no key has that name. */
const everyKey = "*";

/** Returns the name of the key whose sessions and runs a holder may list, read and end; undefined: those of all keys. */
export function scopeOf({ name, roles }: KeyHolder): string | null | undefined {
  return roles.includes("operate") ? undefined : name;
}

/**
 * Reads `key` of a query: whose sessions, runs or profiles are asked for. Default: those of the key of the request.
 *
 * @returns The name of that key, undefined for all keys, or the refusal of a holder that may not ask for it.
 */
export function listedKey(c: Context): { readonly key: string | null | undefined } | Response {
  const holder = c.get("holder");
  const given = c.req.query("key");
  const key = given === undefined ? holder.name : given === mainKey ? null : given === everyKey ? undefined : given;
  if (key === holder.name || scopeOf(holder) === undefined) return { key };
  return problem(
    403,
    `the API key ${holder.name} lacks the role operate, which lists sessions, runs and profiles of other keys`,
  );
}
