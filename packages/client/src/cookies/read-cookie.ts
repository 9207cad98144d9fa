import type { SameSite } from "./cookie.ts";
import { hasSubdomains, findHost } from "./host.ts";

/** An unvalidated cookie, with the field names of the service. */
export type RawCookie = Readonly<Record<string, unknown>>;

/** A validated cookie with all fields. */
export interface ReadCookie {
  /** Not empty. */
  readonly name: string;
  /** May be empty. */
  readonly value: string;
  /** Host, normalized as in URLs, without leading dot. */
  readonly domain: string;
  /** True when it is not sent to subdomains. */
  readonly hostOnly: boolean;
  /** Starts with a slash. */
  readonly path: string;
  /** Expiry in seconds since the epoch, above 0; or -1 for a session cookie. */
  readonly expires: number;
  /** True when scripts can't read it. */
  readonly httpOnly: boolean;
  /** True when it is sent over secure connections only. */
  readonly secure: boolean;
  /** `undefined` when missing. */
  readonly sameSite: SameSite | undefined;
  /** Site of the top-level page; `undefined` when not partitioned. */
  readonly partitionKey: string | undefined;
}

/** Reports a field that was dropped or assumed. */
export type Lose = (reason: "dropped" | "assumed", field: string) => void;
/** Reports that the cookie is skipped because of a field, which replaces its earlier reports. */
export type Skip = (field: string) => undefined;

/** Characters that would end a name or value, or be trimmed from it. */
// oxlint-disable-next-line no-control-regex -- it matches control characters
const unfit = /[\0-\x1f\x7f;]|^ | $/;

const rules = new Map<unknown, SameSite | undefined>([
  ["strict", "Strict"],
  ["lax", "Lax"],
  ["none", "None"],
  ["no_restriction", "None"],
  ["unspecified", undefined],
  ["default", undefined],
]);

/** The last second of the year 9999; larger numbers are milliseconds. */
const latest = 253_402_300_799;

/** Validates a cookie; returns `undefined` when it was skipped. */
export function readCookie(raw: RawCookie, lose: Lose, skip: Skip): ReadCookie | undefined {
  const { name, value, domain: place, hostOnly, path, expires, expirationDate, session, ...flags } = raw;
  const { httpOnly, secure, sameSite, partitionKey, ...others } = flags;

  if (typeof name !== "string" || unfit.test(name) || /^$|=/.test(name)) return skip("name");
  if (typeof value !== "string" || unfit.test(value)) return skip("value");
  const domain = typeof place === "string" ? findHost(place) : undefined;
  if (typeof place !== "string" || !domain) return skip("domain");
  const isPath = typeof path === "string" && path[0] === "/" && !unfit.test(path);
  if (path && !isPath) return skip("path");
  const isPartition = typeof partitionKey === "string" && partitionKey !== "";
  if (partitionKey && !isPartition) return skip("partitionKey");

  const flag = (field: string, input: unknown, otherwise: boolean): boolean => {
    if (typeof input === "boolean") return input;
    lose("assumed", field);
    return otherwise;
  };
  const seconds = (field: string, input: unknown): number | undefined => {
    const inMilliseconds = typeof input === "number" && input > latest;
    const time = inMilliseconds ? input / 1000 : (input ?? undefined);
    if (time === 0 || time === -1) return -1;
    const isTime = typeof time === "number" && time > 0 && time <= latest;
    if (isTime ? inMilliseconds : time !== undefined) lose(isTime ? "assumed" : "dropped", field);
    return isTime ? time : undefined;
  };

  if (!isPath) lose("assumed", "path");

  const isWide = hasSubdomains(domain);
  const dotted = place.startsWith(".");
  const alone = !isWide || (typeof hostOnly === "boolean" ? hostOnly : !dotted);
  if (dotted ? alone : isWide ? typeof hostOnly !== "boolean" : hostOnly === false) lose("assumed", "hostOnly");

  const rule = typeof sameSite === "string" ? sameSite.toLowerCase() : (sameSite ?? "default");
  if (!rules.has(rule)) lose("dropped", "sameSite");

  const one = seconds("expires", expires);
  const other = seconds("expirationDate", expirationDate);
  const end = [one, other].find((time) => time !== undefined && time > 0) ?? -1;
  if ((one ?? end) !== end) lose("dropped", "expires");
  if ((other ?? end) !== end) lose("dropped", "expirationDate");
  if ((session ?? end < 0) !== end < 0) lose("dropped", "session");

  for (const field in others) if (others[field] ?? false) lose("dropped", field);

  return {
    name,
    value,
    domain,
    hostOnly: alone,
    path: isPath ? path : "/",
    expires: end,
    httpOnly: flag("httpOnly", httpOnly, false),
    // Only a secure connection can have set such a cookie.
    secure: flag("secure", secure, isPartition || rules.get(rule) === "None" || /^__(?:host|secure|http)-/i.test(name)),
    sameSite: rules.get(rule),
    partitionKey: isPartition ? partitionKey : undefined,
  };
}
