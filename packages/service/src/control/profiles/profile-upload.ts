import { isExpired, type StateCookie, type StateOrigin, type StorageState } from "@cloud-browser/browsers";
import { readCookiesTxt } from "../../profiles/cookies-txt.ts";
import { findCookieFault } from "../../sessions/creation/start-cookies.ts";
import { compileValidator } from "../control-schemas.ts";
import { type Fault, toFaults } from "../validation-faults.ts";

/** The request for a profile from outside. */
interface UploadProfile {
  readonly name: string;
  readonly replace?: boolean;
  readonly storage_state?: StorageState & Readonly<Record<string, unknown>>;
  readonly cookies_txt?: string;
}

/** A profile from outside. */
export interface ProfileUpload {
  /** Its name. */
  readonly name: string;
  /** True to replace one of that name. */
  readonly replace: boolean;
  /** Its cookies and storage. */
  readonly state: StorageState;
  /** Parts of the file that were left out, in words without a value. */
  readonly leftOut: readonly string[];
}

const validate = compileValidator<UploadProfile>("UploadProfile");

/** Fields of a storage state that are known, and not kept. */
const unkept = ["credentials"] as const;

/** Reads a profile from a body, or returns all faults in it; none of them contains a value. */
export function readProfileUpload(body: unknown, nowMs: number): ProfileUpload | { readonly faults: readonly Fault[] } {
  if (!validate(body)) {
    const faults = toFaults(validate.errors ?? []).map(({ loc, msg, type }) => ({ loc, msg, type }));
    return { faults: faults.map((fault) => (fault.type === "oneof" ? eitherOr : fault)) };
  }
  const { name, replace = false, storage_state: storageState, cookies_txt: text } = body;
  const content = storageState ? readStorageState(storageState, nowMs) : readCookies(text ?? "", nowMs);
  return "faults" in content ? content : { name, replace, ...content };
}

const eitherOr: Fault = {
  loc: ["body"],
  msg: "Input should have one of storage_state and cookies_txt",
  type: "value_error",
};

type Content = Pick<ProfileUpload, "state" | "leftOut"> | { readonly faults: readonly Fault[] };

function locateInState(...path: readonly (string | number)[]): readonly (string | number)[] {
  return ["body", "storage_state", ...path];
}

function makeLineFault(line: number, why: string): Fault {
  return { loc: ["body", "cookies_txt", line], msg: `line ${line}: ${why}`, type: "value_error" };
}

function readStorageState(storageState: NonNullable<UploadProfile["storage_state"]>, nowMs: number): Content {
  const faults: Fault[] = [];
  const cookies: StateCookie[] = [];
  let expiredCount = 0;
  for (const [index, cookie] of storageState.cookies.entries()) {
    if (isExpired(cookie, nowMs)) {
      expiredCount += 1;
      continue;
    }
    const fault = findFault(cookie);
    if (fault) faults.push({ loc: locateInState("cookies", index, fault.field), msg: fault.why, type: "value_error" });
    cookies.push(pickFields(cookie));
  }
  const origins = new Set<string>();
  for (const [index, { origin }] of storageState.origins.entries()) {
    const url = URL.parse(origin);
    const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.origin === origin;
    const why = isOrigin
      ? origins.has(origin) && "an origin may be there once"
      : "an origin has a scheme and a host, such as https://shop.example";
    if (why !== false) faults.push({ loc: locateInState("origins", index, "origin"), msg: why, type: "value_error" });
    origins.add(origin);
  }
  if (faults.length > 0) return { faults };
  const leftOut = [
    ...describeExpired(expiredCount),
    ...unkept.filter((field) => field in storageState).map((field) => `${field}: passkeys are not kept`),
    ...storageState.origins.filter((one) => "opfs" in one).map(({ origin }) => `${origin}: files (OPFS) are not kept`),
  ];
  return { state: { cookies, origins: storageState.origins.map(pickStorage) }, leftOut };
}

function readCookies(text: string, nowMs: number): Content {
  const lines = readCookiesTxt(text);
  if ("faults" in lines) return { faults: lines.faults.map(({ line, why }) => makeLineFault(line, why)) };
  const fresh = lines.filter(({ cookie }) => !isExpired(cookie, nowMs));
  const faults = fresh.flatMap(({ line, cookie }): Fault[] => {
    const fault = findFault(cookie);
    return fault ? [makeLineFault(line, `its ${fault.field} is refused: ${fault.why}`)] : [];
  });
  if (faults.length > 0) return { faults };
  const state = { cookies: fresh.map(({ cookie }) => cookie), origins: [] };
  return { state, leftOut: describeExpired(lines.length - fresh.length) };
}

function describeExpired(count: number): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? "cookie has" : "cookies have"} expired`];
}

function findFault(cookie: StateCookie): { readonly field: string; readonly why: string } | undefined {
  const { partitionKey } = cookie;
  const site = partitionKey === undefined ? undefined : URL.parse(partitionKey);
  if (site === null || (site && !/^https?:$/.test(site.protocol)))
    return { field: "partitionKey", why: "a partition is a site, such as https://shop.example" };
  return findCookieFault(cookie);
}

function pickFields(cookie: StateCookie): StateCookie {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey, _crHasCrossSiteAncestor } =
    cookie;
  return {
    name,
    value,
    domain,
    path,
    expires,
    httpOnly,
    secure,
    ...(sameSite === undefined ? {} : { sameSite }),
    ...(partitionKey === undefined ? {} : { partitionKey, _crHasCrossSiteAncestor: _crHasCrossSiteAncestor ?? false }),
  };
}

function pickStorage({ origin, localStorage, indexedDB }: StateOrigin): StateOrigin {
  const entries = localStorage.map(({ name, value }) => ({ name, value }));
  return { origin, localStorage: entries, ...(indexedDB === undefined ? {} : { indexedDB }) };
}
