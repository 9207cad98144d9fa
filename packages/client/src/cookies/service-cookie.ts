import type { Cookie } from "./cookie.ts";
import type { ReadCookie } from "./read-cookie.ts";

/** The domain with a leading dot when subdomains get the cookie, too: the way of browsers. */
export function dotted({ domain, hostOnly }: ReadCookie): string {
  return hostOnly ? domain : `.${domain}`;
}

/** The form of the service, with everything that is known. */
export function writeServiceCookie(cookie: ReadCookie): Cookie {
  const { name, value, hostOnly, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
  return {
    name,
    value,
    domain: dotted(cookie),
    hostOnly,
    path,
    expires,
    session: expires < 0,
    httpOnly,
    secure,
    ...(sameSite && { sameSite }),
    ...(partitionKey && { partitionKey }),
  };
}
