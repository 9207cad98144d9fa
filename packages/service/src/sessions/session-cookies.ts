import type { components } from "@cloud-browser/spec/types";
import type { BrowserContext } from "playwright-core";
import { ServiceError } from "../service-error.ts";

/** A cookie as the interface has it. Source: interface § Cookies response. */
type Cookie = components["schemas"]["Cookie"];

/** Whose cookies are read. */
export interface CookieSource {
  /** Any context of the browser: says which browser it is. */
  readonly context: BrowserContext;
  /** Id of the session's context in the DevTools protocol. */
  readonly contextId: string;
}

/**
 * All cookies of a session, in the fields of the interface. What does not apply is absent: a session cookie does not expire,
 * one that is not partitioned has no partition, one that states no same-site rule has none. `expires` and `expirationDate`
 * are the same moment, in seconds since 1970. `storeId` names the session's context, the same for all its cookies.
 *
 * @throws {ServiceError} `session-ended`: the browser is gone, or its context.
 *
 * Source: interface § Cookies response.
 */
export async function readCookies({ context, contextId }: CookieSource): Promise<Cookie[]> {
  try {
    const browser = context.browser();
    if (browser === null) throw new Error("the context has no browser");
    const session = await browser.newBrowserCDPSession();
    try {
      const { cookies } = await session.send("Storage.getCookies", { browserContextId: contextId });
      return cookies.map((cookie) => wireCookie(cookie, contextId));
    } finally {
      await session.detach().catch(() => undefined);
    }
  } catch (error) {
    throw new ServiceError(
      "session-ended",
      "the cookies can't be read: the browser of the session crashed or was closed",
      {
        cause: error,
      },
    );
  }
}

interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  readonly expires: number;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly session: boolean;
  readonly sameSite?: string;
  readonly partitionKey?: { readonly topLevelSite: string };
}

function wireCookie(cookie: BrowserCookie, storeId: string): Cookie {
  return {
    name: cookie.name,
    value: cookie.value,
    domain: cookie.domain,
    path: cookie.path,
    httpOnly: cookie.httpOnly,
    hostOnly: !cookie.domain.startsWith("."),
    secure: cookie.secure,
    session: cookie.session,
    storeId,
    ...(cookie.session ? {} : { expires: cookie.expires, expirationDate: cookie.expires }),
    ...(cookie.sameSite === undefined ? {} : { sameSite: cookie.sameSite }),
    ...(cookie.partitionKey === undefined ? {} : { partitionKey: cookie.partitionKey.topLevelSite }),
  };
}
