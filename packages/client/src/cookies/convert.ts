import { ClientError, isRecord, guardArguments } from "../errors/client-error.ts";
import type { CookieLoss, CookieLossReason, ConvertedCookies } from "./cookie.ts";
import { readCookie, type Lose, type RawCookie, type ReadCookie, type Skip } from "./read-cookie.ts";

/** Converts a cookie to another format; returns `undefined` when it was skipped. */
export type Write<Item> = (cookie: ReadCookie, lose: Lose, skip: Skip) => Item | undefined;
/** Renames fields of another format to those of the service. */
export type Rename = (raw: RawCookie, lose: Lose) => RawCookie;

/** Converts cookies to another format, and collects losses. */
export function convert<Item>(
  items: Iterable<readonly [at: number, item: unknown]>,
  write: Write<Item>,
  rename: Rename = (raw) => raw,
): ConvertedCookies<Item> {
  return guardArguments(() => convertItem(items, write, rename));
}

function convertItem<Item>(
  items: Iterable<readonly [at: number, item: unknown]>,
  write: Write<Item>,
  rename: Rename,
): ConvertedCookies<Item> {
  const cookies: Item[] = [];
  const losses: CookieLoss[] = [];
  for (const [at, item] of items) {
    let own: CookieLoss[] = [];
    let name: unknown;
    let domain: unknown;
    const describeLoss = (reason: CookieLossReason, field: string): CookieLoss => ({
      reason,
      field,
      at,
      // An invalid name may be anything, even a secret.
      ...(typeof name === "string" && field !== "name" && { name }),
      ...(typeof domain === "string" && { domain }),
    });
    const lose: Lose = (reason, field) => void own.push(describeLoss(reason, field));
    const skip: Skip = (field) => void (own = [describeLoss("skipped", field)]);
    if (isRecord(item)) {
      const raw = rename(item, lose);
      ({ name, domain } = raw);
      const cookie = readCookie(raw, lose, skip);
      const written = cookie && write(cookie, lose, skip);
      if (written !== undefined) cookies.push(written);
    } else skip("cookie");
    losses.push(...own);
  }
  return { cookies, losses };
}

/**
 * Returns the cookies of a list, each with its index.
 *
 * @throws {ClientError} `misuse` when it is not a list.
 */
export function iterateCookies(list: unknown): Iterable<readonly [at: number, item: unknown]> {
  return guardArguments(() => {
    const items: unknown = isRecord(list) ? list["cookies"] : list;
    if (!Array.isArray(items)) throw misuse("pass an array of cookies, or an object with one in its field cookies");
    return items.entries();
  });
}

/** Creates the error of an invalid argument; the message must not quote it. */
export function misuse(message: string): ClientError {
  return new ClientError("misuse", message);
}
