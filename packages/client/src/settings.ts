import { ClientError } from "./client-error.ts";

/** What a client is made from. Each of the first three falls back to an environment variable. Source: ours. */
export interface CloudBrowserOptions {
  /**
   * The API key, or a function that gives it, asked once per request. Default: `CLOUD_BROWSER_API_KEY`.
   *
   * It is sent to the two addresses below only.
   *
   * Source: interface § Authentication.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Address of the session-scoped operations, with or without a path. Default: `CLOUD_BROWSER_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** Address of the automation stream. Default: `CLOUD_BROWSER_AUTOMATION_URL`, or else `baseUrl`. */
  readonly automationUrl?: string | undefined;
  /** Sends the requests. It must not follow redirects on its own. Default: the global `fetch` at the time of the call. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Headers of every request. `Authorization` among them is replaced. Default: none. */
  readonly headers?: HeadersInit | undefined;
  /** Allows `http:` to hosts other than this machine, where the key can be read on the way. Default: false. */
  readonly allowInsecureHttp?: boolean | undefined;
}

/** The options, completed and checked. */
export interface Settings {
  /** Gives the key. Rejects with `ClientError` `authentication` when there is none. */
  readonly key: () => Promise<string>;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Without a slash at its end. */
  readonly automationUrl: string;
}

/** @throws {ClientError} `misuse` when something is missing or can't be used. */
export function settingsFrom(options: CloudBrowserOptions): Settings {
  const { apiKey = environment("CLOUD_BROWSER_API_KEY"), allowInsecureHttp = false } = options;
  if (!apiKey) throw new ClientError("misuse", "no API key: pass apiKey, or set CLOUD_BROWSER_API_KEY");
  const baseUrl = options.baseUrl ?? environment("CLOUD_BROWSER_BASE_URL");
  if (!baseUrl) throw new ClientError("misuse", "no address: pass baseUrl, or set CLOUD_BROWSER_BASE_URL");
  const automationUrl = options.automationUrl ?? environment("CLOUD_BROWSER_AUTOMATION_URL") ?? baseUrl;
  return {
    key: () => keyFrom(apiKey),
    baseUrl: address("baseUrl", baseUrl, allowInsecureHttp),
    automationUrl: address("automationUrl", automationUrl, allowInsecureHttp),
  };
}

async function keyFrom(apiKey: string | (() => string | Promise<string>)): Promise<string> {
  if (typeof apiKey === "string") return apiKey;
  let key: string;
  try {
    key = await apiKey();
  } catch (cause) {
    throw new ClientError("authentication", "apiKey() failed", { cause });
  }
  if (!key) throw new ClientError("authentication", "apiKey() gave no key");
  return key;
}

/** The address in a form to which paths can be added. Messages never quote it: it may hold credentials. */
function address(name: string, text: string, allowInsecureHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:") {
    throw new ClientError("misuse", `${name} is no http(s) address: pass one such as https://host/path`);
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new ClientError("misuse", `${name} has credentials, a query or a fragment: pass scheme, host and path only`);
  }
  if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new ClientError("misuse", `${name} would send the key in the clear: use https:, or set allowInsecureHttp`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^(?:.+\.)?localhost$/.test(hostname) || /^127(?:\.\d+){3}$/.test(hostname);
}

function environment(name: string): string | undefined {
  try {
    return globalThis.process?.env[name] || undefined;
  } catch {
    return undefined; // Deno throws when it was not permitted to read the variable
  }
}
