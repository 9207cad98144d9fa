import { ClientError, isRecord } from "../errors/client-error.ts";
import type { CookieLoss, CookieLossReason, ConvertedCookies } from "./cookie.ts";
import { readCookie, type Lose, type RawCookie, type ReadCookie, type Skip } from "./read-cookie.ts";

/** Writes a cookie in another form; `undefined` when it was skipped. */
export type Write<Item> = (cookie: ReadCookie, lose: Lose, skip: Skip) => Item | undefined;
/** Puts the fields of another form under the names of the service. */
export type Rename = (raw: RawCookie, lose: Lose) => RawCookie;

/** Reads every cookie that can be read, and writes it in another form. */
export function convert<Item>(
  items: Iterable<readonly [at: number, item: unknown]>,
  write: Write<Item>,
  rename: Rename = (raw) => raw,
): ConvertedCookies<Item> {
  const cookies: Item[] = [];
  const losses: CookieLoss[] = [];
  for (const [at, item] of items) {
    let own: CookieLoss[] = [];
    let name: unknown;
    let domain: unknown;
    const lossOf = (reason: CookieLossReason, field: string): CookieLoss => ({
      reason,
      field,
      at,
      // What can't be a name may be anything.
      ...(typeof name === "string" && field !== "name" && { name }),
      ...(typeof domain === "string" && { domain }),
    });
    const lose: Lose = (reason, field) => void own.push(lossOf(reason, field));
    const skip: Skip = (field) => void (own = [lossOf("skipped", field)]);
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
 * The cookies of a list, each with its index.
 *
 * @throws {ClientError} `misuse` when it is no list.
 */
export function itemsOf(list: unknown): Iterable<readonly [at: number, item: unknown]> {
  const items: unknown = isRecord(list) ? list["cookies"] : list;
  if (!Array.isArray(items)) throw misuse("pass an array of cookies, or an object with one in its field cookies");
  return items.entries();
}

/** The error of a wrong argument; the message must not quote it. */
export function misuse(message: string): ClientError {
  return new ClientError("misuse", message);
}
