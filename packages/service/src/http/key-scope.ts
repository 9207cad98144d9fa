import type { Context } from "hono";
import { closest, distance } from "fastest-levenshtein";
import { mainKey, type KeyHolder, type Keys } from "../keys/keys.ts";
import { answerInvalid, answerProblem } from "./problems.ts";

/** Word for all keys in a query: no key has that name. */
const everyKey = "*";

/** Returns the name of the key whose sessions and runs a holder may list, read and end; undefined: those of all keys. */
export function findKeyScope({ name, roles }: KeyHolder): string | null | undefined {
  return roles.includes("operate") ? undefined : name;
}

/** Most letters by which a misspelt name differs from the one that is suggested. */
const misspelt = 3;

/**
 * Reads `key` of a query: whose sessions, runs or profiles are asked for. Default: those of the key of the request.
 *
 * @returns The name of that key, undefined for all keys, or the refusal: of a holder that may not ask for it, or of a name that no key has or had.
 */
export async function readListedKey(
  c: Context,
  keys: Pick<Keys, "list">,
): Promise<{ readonly key: string | null | undefined } | Response> {
  const holder = c.get("holder");
  const name = c.req.query("key");
  const key = name === undefined ? holder.name : name === mainKey ? null : name === everyKey ? undefined : name;
  if (key === holder.name) return { key };
  if (findKeyScope(holder) !== undefined)
    return answerProblem(
      403,
      `the API key ${holder.name} lacks the role operate, which lists sessions, runs and profiles of other keys`,
    );
  if (typeof key !== "string") return { key };
  const names = (await keys.list()).map((record) => record.name);
  if (names.includes(key)) return { key };
  const near = closest(key, [...names, mainKey]);
  const advice = distance(key, near) <= misspelt ? `; did you mean ${near}?` : "";
  return answerInvalid([
    { loc: ["query", "key"], msg: `no key has or had the name ${key}${advice}`, type: "value_error" },
  ]);
}
