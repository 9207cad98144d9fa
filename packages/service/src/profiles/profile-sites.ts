import type { StateCookie, StorageState } from "@cloud-browser/browsers";

/** How a site seems to know who is logged in. */
export type LoginKind = "cookie" | "local-storage" | "indexed-db";

/** Contents of a profile of one site. Contains no value. */
export interface ProfileSite {
  /** Its host, without `www.` and a port: cookies know no ports. */
  readonly site: string;
  /** How it seems to know who is logged in; empty where nothing looks like a login. */
  readonly login: readonly LoginKind[];
  /** When a login was first saved, in milliseconds since 1970; null where nothing looks like one. */
  readonly login_since_ms: number | null;
  /** When the first cookie of the login expires, in milliseconds since 1970; null: none does. */
  readonly login_expires_ms: number | null;
  /** How many cookies it has. */
  readonly cookies: number;
  /** How many entries its local storage has. */
  readonly local_storage: number;
  /** How many databases it has. */
  readonly databases: number;
}

/** Words in names of what a login is kept in. */
const loginName =
  /(?:^|[^a-z])(?:sid|ssid|hsid)(?:$|[^a-z])|sess|auth|token|jwt|login|logged|remember|identity|account|user(?!agent)|passport|sso|saml|oidc|credential/i;
/** Of those, names of what anybody gets. */
const anybody = /csrf|xsrf|consent|^_ga|^_gid|^__cf|analytics|anonymous|visitor|tracking/i;
/** A JSON Web Token. */
const webToken = /(?:^|["' ])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\./;

function isLoginName(name: string): boolean {
  return loginName.test(name.replaceAll(/([a-z])([A-Z])/g, "$1_$2")) && !anybody.test(name);
}

function isLoginCookie({ name, value, httpOnly }: StateCookie): boolean {
  if (value.length < 4 || anybody.test(name)) return false;
  if (isLoginName(name) || webToken.test(value)) return true;
  // A long random value that scripts may not read is seldom anything else.
  return httpOnly && /^[\w%.+/=:|~-]{20,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}

/** Returns whether a database is one in which libraries keep logins, or is named as one. */
function isLoginDatabase(name: string, stores: readonly string[]): boolean {
  return /firebaseLocalStorageDb|msal|cognito|amplify/i.test(name) || [name, ...stores].some(isLoginName);
}

interface Counted {
  readonly login: Set<LoginKind>;
  expires: number | null;
  cookies: number;
  local_storage: number;
  databases: number;
}

/**
 * Returns what a state has of each site, those with a login first, then by name. What looks like a login is a guess by names and forms.
 *
 * @param before - Of the version before: a login that was there is as old as it was.
 */
export function listSites(state: StorageState, before: readonly ProfileSite[], nowMs: number): readonly ProfileSite[] {
  const sites = new Map<string, Counted>();
  const findSite = (host: string): Counted => {
    const site = host.replace(/^\./, "").replace(/^www\./, "");
    const found = sites.get(site) ?? { login: new Set(), expires: null, cookies: 0, local_storage: 0, databases: 0 };
    sites.set(site, found);
    return found;
  };
  for (const cookie of state.cookies) {
    const site = findSite(cookie.domain);
    site.cookies += 1;
    if (!isLoginCookie(cookie)) continue;
    site.login.add("cookie");
    if (cookie.expires !== -1) site.expires = Math.min(site.expires ?? Infinity, Math.round(cookie.expires * 1_000));
  }
  for (const { origin, localStorage, indexedDB = [] } of state.origins) {
    const site = findSite(URL.parse(origin)?.hostname ?? origin);
    site.local_storage += localStorage.length;
    site.databases += indexedDB.length;
    if (localStorage.some(({ name, value }) => value.length >= 4 && (isLoginName(name) || webToken.test(value))))
      site.login.add("local-storage");
    const withRecords = indexedDB.filter(({ stores }) => stores.some(({ records }) => records.length > 0));
    if (
      withRecords.some(({ name, stores }) =>
        isLoginDatabase(
          name,
          stores.map((store) => store.name),
        ),
      )
    )
      site.login.add("indexed-db");
  }
  const since = new Map(before.map(({ site, login_since_ms }) => [site, login_since_ms]));
  return [...sites]
    .map(([site, { login, expires, cookies, local_storage, databases }]) => ({
      site,
      login: [...login],
      login_since_ms: login.size === 0 ? null : (since.get(site) ?? nowMs),
      login_expires_ms: expires,
      cookies,
      local_storage,
      databases,
    }))
    .toSorted((a, b) => Number(b.login.length > 0) - Number(a.login.length > 0) || (a.site < b.site ? -1 : 1));
}
