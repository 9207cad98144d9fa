import { removeCookieValues } from "../redaction/cookie-values.ts";
import { isAnswerTo, type Exchange } from "../http/exchange.ts";
import { listObjects, nameType } from "./json-fields.ts";
import { observeEach, observePair, type Observer } from "../checks/observer.ts";

type Cookie = Readonly<Record<string, unknown>>;

function listCookies(exchange: Exchange): Cookie[] {
  return isAnswerTo("session_cookies", exchange) ? listObjects(exchange, 200, ["cookies", "*"]) : [];
}

function observeCookies(id: string, see: (cookie: Cookie) => readonly string[]): Observer {
  return observeEach(id, (exchange) => listCookies(exchange).flatMap(see));
}

function describeMagnitude(field: string): (cookie: Cookie) => readonly string[] {
  return (cookie) => {
    const value = cookie[field];
    if (typeof value !== "number") return [];
    const fractions = Number.isInteger(value) ? "" : ", with fractions";
    if (value <= 0) return [`zero or less${fractions}`];
    return [`${value > 1e11 ? "as large as milliseconds" : "as large as seconds"} since 1970${fractions}`];
  };
}

/** Describes how `expires` relates to `expirationDate`, where a cookie has both. */
function describeRelation({ expires, expirationDate }: Cookie): string[] {
  if (typeof expires !== "number" || typeof expirationDate !== "number") return [];
  if (expires === expirationDate) return ["the same as expirationDate"];
  const near = (factor: number): boolean => Math.abs(expires * factor - expirationDate) <= 1 * Math.max(1, factor);
  if (near(1)) return ["expirationDate to the second"];
  if (near(1000)) return ["expirationDate, which is in milliseconds, in seconds"];
  return [
    near(1 / 1000) ? "expirationDate, which is in seconds, in milliseconds" : "another value than expirationDate",
  ];
}

/** Counts the domains of the cookies of an answer, without naming them. */
function countDomains(exchange: Exchange): string[] {
  const names = new Set(
    listCookies(exchange).flatMap(({ domain }) => (typeof domain === "string" ? [domain.replace(/^\./, "")] : [])),
  );
  return names.size === 0 ? [] : [`cookies of ${names.size === 1 ? "one domain" : `${names.size} domains`}`];
}

function describeDomain({ domain, hostOnly }: Cookie): string[] {
  if (typeof domain !== "string") return [];
  return [
    `${domain.startsWith(".") ? "with" : "without"} a leading dot, hostOnly ${JSON.stringify(hostOnly) ?? "absent"}`,
  ];
}

/** Describes a text without showing it. */
function describeText(value: unknown): string {
  if (typeof value !== "string") return nameType(value);
  if (value === "") return "empty";
  return URL.canParse(value) ? "an address" : "a word";
}

/** Returns the key that identifies a cookie in a browser. */
function identifyCookie({ name, domain, path, partitionKey }: Cookie): string {
  return JSON.stringify([name, domain, path, partitionKey]);
}

function compareOrder(one: Exchange, other: Exchange): string[] {
  const [before, after] = [listCookies(one).map(identifyCookie), listCookies(other).map(identifyCookie)];
  if (before.length < 2) return [];
  if (before.toSorted().join() !== after.toSorted().join()) return ["two reads had different cookies"];
  return [before.join() === after.join() ? "two reads in a row: the same order" : "two reads in a row: another order"];
}

function describeDuplicates(exchange: Exchange): string[] {
  const identities = listCookies(exchange).map(identifyCookie);
  if (identities.length < 2) return [];
  return [new Set(identities).size === identities.length ? "each cookie once" : "a cookie more than once"];
}

/** Observers of what the interface leaves open about cookies. */
export const cookieObservers: readonly Observer[] = [
  observeCookies("open.cookies.required-fields", (cookie) => [Object.keys(cookie).sort().join(", ")]),
  observeCookies("open.cookies.sameSite-values", ({ sameSite }) => {
    const json = JSON.stringify(sameSite);
    return [json === undefined ? "absent" : removeCookieValues(json, ["cookies", "*", "sameSite"])];
  }),
  observeCookies("open.cookies.expirationDate-unit", describeMagnitude("expirationDate")),
  observeCookies("open.cookies.expires-unit", describeMagnitude("expires")),
  observeCookies("open.cookies.expires-unit", describeRelation),
  observeCookies("open.cookies.null-fields", (cookie) => Object.keys(cookie).filter((name) => cookie[name] === null)),
  observePair("open.cookies.order", ["cookies/read", "cookies/read-again-2"], compareOrder),
  observeEach("open.cookies.duplicates", describeDuplicates),
  observeEach("open.cookies.scope", countDomains),
  observeCookies("open.cookies.domain-form", describeDomain),
  observeCookies("open.cookies.store-and-partition", ({ storeId, partitionKey }) => [
    `storeId: ${describeText(storeId)}`,
    `partitionKey: ${describeText(partitionKey)}`,
  ]),
];
