import { readContextCookies, type ContextCookie, type IdentifiedContext } from "@cloud-browser/browsers";
import type { components } from "@cloud-browser/spec/types";
import pTimeout from "p-timeout";
import { ServiceError } from "../service-error.ts";

/** A cookie as the interface has it. Source: interface § Cookies response. */
type Cookie = components["schemas"]["Cookie"];

/**
 * All cookies of a session, in the fields of the interface. What does not apply is absent: a session cookie does not expire,
 * one that is not partitioned has no partition, one that states no same-site rule has none. `expires` and `expirationDate`
 * are the same moment, in seconds since 1970. `storeId` names the session's context, the same for all its cookies.
 *
 * @throws {ServiceError} `session-ended`: the browser is gone, or its context. `page-failed`: it has not answered for 15 seconds.
 *
 * Source: interface § Cookies response.
 */
export async function readCookies(of: IdentifiedContext): Promise<Cookie[]> {
  try {
    const fallback = (): never => {
      throw new ServiceError("page-failed", `the cookies can't be read: ${silence}; try again, or end the session`);
    };
    const cookies = await pTimeout(readContextCookies(of), { milliseconds: answerMs, fallback });
    return cookies.map((cookie) => toWireCookie(cookie, of.contextId));
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

function toWireCookie(cookie: ContextCookie, storeId: string): Cookie {
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
