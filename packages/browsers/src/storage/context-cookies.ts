import type { BrowserContext, CDPSession } from "playwright-core";
import type { StateCookie } from "./storage-state.ts";

/** A browser context, and its id in the DevTools protocol. */
export interface IdentifiedContext {
  /** The context. */
  readonly context: BrowserContext;
  /** Its id in the DevTools protocol. */
  readonly contextId: string;
}

/** Most cookies that are set at a time. */
const batch = 200;

async function withBrowser<Result>(
  { context }: IdentifiedContext,
  work: (devtools: CDPSession) => Promise<Result>,
): Promise<Result> {
  const browser = context.browser();
  if (browser === null) throw new Error("the context has no browser");
  const devtools = await browser.newBrowserCDPSession();
  try {
    return await work(devtools);
  } finally {
    // Not waited for: what was asked for is there.
    void devtools.detach().catch(() => undefined);
  }
}

/** A cookie as the DevTools protocol has it; `expires` is -1 for a session cookie. */
export interface ContextCookie extends Omit<StateCookie, "partitionKey" | "_crHasCrossSiteAncestor"> {
  /** True for a session cookie. */
  readonly session: boolean;
  /** Its partition (CHIPS); absent for one that is not partitioned. */
  readonly partitionKey?: { readonly topLevelSite: string; readonly hasCrossSiteAncestor: boolean };
  /** True when its partition has no name: that of a page without an origin. */
  readonly partitionKeyOpaque?: boolean;
}

/**
 * Reads all cookies of a context, as the DevTools protocol has them.
 *
 * @example
 * ```ts from=examples/api/browsers/read-context-cookies.ts
 * import { BrowserPool, readContextCookies } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const pooled = await pool.open();
 * await pooled.context.addCookies([{ name: "member", value: "m3", url: "https://ferries.example/" }]);
 * const cookies = await readContextCookies(pooled);
 * console.log(cookies.map(({ name, session }) => [name, session])); // [ [ 'member', true ] ]
 * await pool.close();
 * ```
 */
export function readContextCookies(of: IdentifiedContext): Promise<readonly ContextCookie[]> {
  return withBrowser(of, async (devtools) => {
    const { cookies } = await devtools.send("Storage.getCookies", { browserContextId: of.contextId });
    return cookies;
  });
}

/** Reads all cookies of a context as its storage state has them. Those whose partition has no name (of a page without an origin) are left out: no other page has it. */
export async function readStateCookies(of: IdentifiedContext): Promise<readonly StateCookie[]> {
  const cookies = await readContextCookies(of);
  return cookies.filter(({ partitionKeyOpaque }) => partitionKeyOpaque !== true).map(toStateCookie);
}

function toStateCookie(cookie: ContextCookie): StateCookie {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
  return {
    name,
    value,
    domain,
    path,
    expires,
    httpOnly,
    secure,
    ...(sameSite === undefined ? {} : { sameSite }),
    ...(partitionKey === undefined
      ? {}
      : {
          partitionKey: partitionKey.topLevelSite,
          _crHasCrossSiteAncestor: partitionKey.hasCrossSiteAncestor,
        }),
  };
}

/**
 * Returns whether a cookie has expired at a moment, in milliseconds since 1970.
 *
 * @example
 * ```ts from=examples/api/browsers/is-expired.ts
 * import { isExpired } from "@cloud-browser/browsers";
 *
 * console.log(isExpired({ expires: Date.now() / 1_000 - 1 }, Date.now())); // true
 * console.log(isExpired({ expires: -1 }, Date.now())); // false
 * ```
 */
export function isExpired({ expires }: Pick<StateCookie, "expires">, nowMs: number): boolean {
  return expires !== -1 && expires * 1_000 <= nowMs;
}

/**
 * Sets cookies of a context, without those that have expired.
 *
 * @returns Those that the browser did not take.
 */
export function setStateCookies(
  of: IdentifiedContext,
  cookies: readonly StateCookie[],
  nowMs: number,
): Promise<readonly StateCookie[]> {
  return withBrowser(of, async (devtools) => {
    const set = (some: readonly StateCookie[]): Promise<unknown> =>
      devtools.send("Storage.setCookies", { browserContextId: of.contextId, cookies: some.map(toParameter) });
    const refused: StateCookie[] = [];
    const good = cookies.filter((cookie) => !isExpired(cookie, nowMs));
    for (let at = 0; at < good.length; at += batch) {
      const some = good.slice(at, at + batch);
      try {
        await set(some);
      } catch {
        // One that is not taken keeps the others out, and what the browser says does not tell which.
        for (const cookie of some) await set([cookie]).catch(() => refused.push(cookie));
      }
    }
    return refused;
  });
}

type Parameter = Omit<StateCookie, "expires" | "partitionKey" | "_crHasCrossSiteAncestor"> & {
  readonly expires?: number;
  readonly partitionKey?: { readonly topLevelSite: string; readonly hasCrossSiteAncestor: boolean };
};

function toParameter({ expires, partitionKey, _crHasCrossSiteAncestor = false, ...cookie }: StateCookie): Parameter {
  return {
    ...cookie,
    ...(expires === -1 ? {} : { expires }),
    ...(partitionKey === undefined
      ? {}
      : { partitionKey: { topLevelSite: partitionKey, hasCrossSiteAncestor: _crHasCrossSiteAncestor } }),
  };
}
