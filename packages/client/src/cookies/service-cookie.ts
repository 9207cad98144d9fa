import type { Cookie } from "./cookie.ts";
import type { ReadCookie } from "./read-cookie.ts";

/** Returns the domain as browsers write it, with a leading dot if the cookie is sent to subdomains, too. */
export function writeDomain({ domain, hostOnly }: ReadCookie): string {
  return hostOnly ? domain : `.${domain}`;
}

/** Converts a cookie to that of the service, with all known fields. */
export function writeServiceCookie(cookie: ReadCookie): Cookie {
  const { name, value, hostOnly, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
  return {
    name,
    value,
    domain: writeDomain(cookie),
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
