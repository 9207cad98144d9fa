import { ClientError, isRecord } from "../errors/client-error.ts";

/** `globalThis.fetch`, or a function like it. */
export type FileFetch = (address: string, init: RequestInit) => Promise<Response>;

/** Options of requests to the file host. */
export interface FileHost {
  /** Sends the requests. */
  readonly fetch: FileFetch;
  /** Allows `http:` to hosts other than localhost. */
  readonly allowInsecureHttp: boolean;
}

/**
 * Requests a file, without key, cookies and referrer.
 *
 * At most five redirects are followed, and none from `https:` to `http:`. A browser hides redirects: there the request is
 * repeated, the browser follows them by the same rules, and the final URL is checked.
 *
 * @throws {ClientError} `download` when a URL is invalid or not allowed. Other errors come from `fetch`, and may quote URLs.
 */
export async function requestFile(
  address: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  host: FileHost,
): Promise<Response> {
  // workerd throws for options that it does not support.
  const known = Object.entries(privacy).filter(([name]) => name in Request.prototype);
  const init: RequestInit = { ...Object.fromEntries(known), headers, signal, redirect: "manual" };
  const { fetch } = host; // that of a browser must not be called as a method
  let url = checkHost(address, host);
  for (let hops = 0; hops <= 5; hops++) {
    const response = await fetch(url.href, init);
    if (response.type === "opaqueredirect") {
      const followed = await fetch(url.href, { ...init, redirect: "follow" });
      checkHost(followed.url, host, url);
      return followed;
    }
    const location = [301, 302, 303, 307, 308].includes(response.status) && response.headers.get("location");
    if (!location) return response;
    response.body?.cancel().catch(() => undefined); // to free the connection
    url = checkHost(location, host, url);
  }
  throw new ClientError("download", "the file host redirects more than five times");
}

const privacy = { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" };

/** Validates the URL of a file. Errors do not quote it, as its query is a secret. */
function checkHost(address: string, { allowInsecureHttp }: FileHost, from?: URL): URL {
  const url = URL.canParse(address, from) ? new URL(address, from) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new ClientError("download", "the file URL must be http: or https: without credentials");
  }
  const isPlain = url.protocol === "http:";
  if (isPlain && from?.protocol === "https:") {
    throw new ClientError("download", "the file host redirects from https: to http:");
  }
  if (isPlain && !allowInsecureHttp && !loopback.test(url.hostname)) {
    throw new ClientError("download", "the file URL is http: on another machine: see allowInsecureHttp");
  }
  return url;
}

const loopback = /^(?:\[::1\]|(?:.+\.)?localhost|127(?:\.\d+){3})$/;

/** Copies name and code of an error of `fetch`, whose message may quote a URL. */
export function bareCause(error: unknown): Error {
  const facts = [error, isRecord(error) && error["cause"]].filter(isRecord); // of this realm or another one
  const name = facts.map((part) => word(part["name"])).find(Boolean) ?? "Error";
  const code = facts.map((part) => word(part["code"])).find(Boolean);
  return Object.assign(new Error(code || "the message is left out"), { name }, code && { code });
}

/** Returns a word such as `UND_ERR_SOCKET`, which is too short to be a signature; otherwise `undefined`. */
function word(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Z]\w{0,31}$/i.test(value) ? value : undefined;
}
