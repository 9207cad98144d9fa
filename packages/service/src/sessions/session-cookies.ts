import type { components } from "@cloud-browser/spec/types";
import pTimeout from "p-timeout";
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
 * @throws {ServiceError} `session-ended`: the browser is gone, or its context. `page-failed`: it has not answered for 15 seconds.
 *
 * Source: interface § Cookies response.
 */
export async function readCookies({ context, contextId }: CookieSource): Promise<Cookie[]> {
  try {
    const fallback = (): never => {
      throw new ServiceError("page-failed", `the cookies can't be read: ${silence}; try again, or end the session`);
    };
    const cookies = await pTimeout(askForCookies(context, contextId), { milliseconds: answerMs, fallback });
    return cookies.map((cookie) => toWireCookie(cookie, contextId));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new ServiceError(
      "session-ended",
      "the cookies can't be read: the browser of the session crashed or was closed",
      {
        cause: error,
      },
    );
  }
}

/** How long a browser may take to answer, in milliseconds: one that lives may stand still. */
const answerMs = 15_000;

const silence = `the browser of the session has not answered for ${answerMs / 1_000} s`;

async function askForCookies(context: BrowserContext, browserContextId: string): Promise<readonly BrowserCookie[]> {
  const browser = context.browser();
  if (browser === null) throw new Error("the context has no browser");
  const session = await browser.newBrowserCDPSession();
  try {
    const { cookies } = await session.send("Storage.getCookies", { browserContextId });
    return cookies;
  } finally {
    // Not waited for: what was asked for is there.
    void session.detach().catch(() => undefined);
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

function toWireCookie(cookie: BrowserCookie, storeId: string): Cookie {
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
