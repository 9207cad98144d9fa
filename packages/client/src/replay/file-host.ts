import { ClientError, isRecord } from "../errors/client-error.ts";

/** Sends one request: `globalThis.fetch`, or what behaves like it. */
export type FileFetch = (address: string, init: RequestInit) => Promise<Response>;

/** How files are asked for. */
export interface FileHost {
  /** Sends the requests. */
  readonly fetch: FileFetch;
  /** Allows `http:` to other machines. */
  readonly allowInsecureHttp: boolean;
}

/**
 * Asks for a file, with nothing that tells who asks: no key, no cookie, no referrer.
 *
 * Redirects are followed by hand, at most five, and never from `https:` to `http:`. A browser does not show them: there the
 * request is repeated and the browser follows, which holds to the same rule; the address it ends at is checked.
 *
 * @throws {ClientError} `download` when an address can't be used. Anything else is an error of `fetch`, which may quote addresses.
 */
export async function askFor(
  address: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  host: FileHost,
): Promise<Response> {
  // The Request of workerd throws on what it does not know.
  const known = Object.entries(discretion).filter(([name]) => name in Request.prototype);
  const init: RequestInit = { ...Object.fromEntries(known), headers, signal, redirect: "manual" };
  const { fetch } = host; // a browser's does not work as a method
  let url = checked(address, host);
  for (let hops = 0; hops <= 5; hops++) {
    const response = await fetch(url.href, init);
    if (response.type === "opaqueredirect") {
      const followed = await fetch(url.href, { ...init, redirect: "follow" });
      checked(followed.url, host, url);
      return followed;
    }
    const location = [301, 302, 303, 307, 308].includes(response.status) && response.headers.get("location");
    if (!location) return response;
    response.body?.cancel().catch(() => undefined); // only frees the connection
    url = checked(location, host, url);
  }
  throw new ClientError("download", "the file host redirects more than five times");
}

const discretion = { credentials: "omit", referrerPolicy: "no-referrer", cache: "no-store" };

/** An address that may be asked. Errors never quote it: its query is a secret. */
function checked(address: string, { allowInsecureHttp }: FileHost, from?: URL): URL {
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

/** Returns what is safe to keep of an error of `fetch`: its name and its code, as the message may quote an address. */
export function bareCause(error: unknown): Error {
  const facts = [error, isRecord(error) && error["cause"]].filter(isRecord); // of this realm or another one
  const name = facts.map((part) => word(part["name"])).find(Boolean) ?? "Error";
  const code = facts.map((part) => word(part["code"])).find(Boolean);
  return Object.assign(new Error(code || "the message is left out"), { name }, code && { code });
}

/** A word such as `UND_ERR_SOCKET`, too short for a signature. */
function word(value: unknown): string | undefined {
  return typeof value === "string" && /^[A-Z]\w{0,31}$/i.test(value) ? value : undefined;
}
