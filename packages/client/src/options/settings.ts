import type { Timeouts } from "@cloud-browser/stream";
import { ClientError } from "../errors/client-error.ts";
import type { Hooks, Logger } from "./hooks.ts";
import type { RetryOptions } from "./retry-policy.ts";

/**
 * How long each part of a call may take, in milliseconds; `Infinity` waits for ever. Time limits of a stream that has
 * begun are those of `@cloud-browser/stream`, and end it with a `StreamError`.
 *
 * Does not lengthen what `fetch` itself waits: that of Node.js gives up after 300 s without headers, or without bytes.
 *
 * The interface shows no durations.
 */
export interface CallTimeouts extends Timeouts {
  /** From sending the request to the headers of its answer, in each attempt. Default: 120,000. */
  readonly headersMs?: number | undefined;
  /** From the headers to the end of the body, in each attempt. Not for streams. Default: 60,000. */
  readonly bodyMs?: number | undefined;
  /** The whole call, with all attempts and waits; of an automation, its stream too. Default: `Infinity`. */
  readonly totalMs?: number | undefined;
}

/** Options of a client. */
export interface CloudBrowserOptions {
  /**
   * The API key, or a function that gives it, asked once per request; white space around it is left out. Default:
   * `CLOUD_BROWSER_API_KEY`.
   *
   * It is sent to the two addresses below only.
   *
   * Source: interface § Authentication.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Address of the session-scoped operations, with or without a path. Default: `CLOUD_BROWSER_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** Address of the automation stream, with or without its path `/api/automation/start`. Default: `CLOUD_BROWSER_AUTOMATION_URL`, or else `baseUrl`. */
  readonly automationUrl?: string | undefined;
  /** Allows `http:` to hosts other than this machine, where the key can be read on the way. Default: false. */
  readonly allowInsecureHttp?: boolean | undefined;
  /** Sends the requests. It must not follow redirects on its own. Default: the global `fetch` at the time of the call. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Headers of every request; those of a call go over those of the client. `Authorization` is replaced. Default: none. */
  readonly headers?: RequestInit["headers"] | undefined;
  /** Sent with a scrape as `x-service-request-origin`. Default: not sent. Source: interface § Endpoints. */
  readonly requestOrigin?: string | undefined;
  /** Sent with a scrape as `x-service-sdk-version`. Default: not sent. Source: interface § Versioning. */
  readonly sdkVersion?: string | undefined;
  /** Limits in time. Default: see there. */
  readonly timeouts?: CallTimeouts | undefined;
  /** How failures that pass by themselves are met; a number is `max`. Automations are never repeated. Default: see there. */
  readonly retries?: number | RetryOptions | undefined;
  /** The largest body that is read of an answer, in bytes, decompressed. Not for streams. Default: 64 MiB (67108864). */
  readonly maxBodyBytes?: number | undefined;
  /** Is told of requests and answers with `debug`, and of retries with `warn`. Default: none. */
  readonly logger?: Logger | undefined;
  /** Called as a call goes on. Default: none. */
  readonly hooks?: Hooks | undefined;
}

/** The options, completed and checked. */
export interface Settings {
  /** Gives the key. Rejects with `ClientError` `authentication` when there is none. */
  readonly key: () => Promise<string>;
  /** The keys that are known, newest last: what was thrown may quote them, whenever it was. */
  readonly keys: ReadonlySet<string>;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Without a slash at its end. */
  readonly automationUrl: string;
}

/** @throws {ClientError} `misuse` when something is missing or can't be used. */
export function settingsFrom(options: CloudBrowserOptions): Settings {
  const { apiKey = environment("API_KEY"), baseUrl = environment("BASE_URL"), allowInsecureHttp } = options;
  const { automationUrl = environment("AUTOMATION_URL") ?? baseUrl } = options;
  if (!apiKey) throw new ClientError("misuse", "pass apiKey, or set CLOUD_BROWSER_API_KEY");
  const keys = new Set(typeof apiKey === "string" ? [apiKey.trim()] : []);
  return {
    keys,
    async key() {
      const given = await keyFrom(apiKey);
      keys.add(given);
      if (keys.size > 99) keys.delete([...keys][0] ?? given); // a function may give another one for each request
      return given;
    },
    baseUrl: address("baseUrl", baseUrl, allowInsecureHttp),
    automationUrl: address("automationUrl", automationUrl, allowInsecureHttp),
  };
}

async function keyFrom(apiKey: string | (() => string | Promise<string>)): Promise<string> {
  let key: string | undefined;
  try {
    // A file has more than the key in it, such as a line end. Errors leave out what is sent.
    key = (typeof apiKey === "string" ? apiKey : await apiKey()).trim();
  } catch {
    // What is dropped here may quote a key.
  }
  if (!key) throw new ClientError("authentication", "apiKey() threw, or returned no key");
  return key;
}

/** The address in a form to which paths can be added. Messages never quote it: it may hold credentials. */
function address(name: string, text = "", allowInsecureHttp = false): string {
  const { protocol, origin, hostname, pathname, href } = new URL(
    typeof text === "string" && URL.canParse(text) ? text : "none:",
  );
  if (!/^https?:$/.test(protocol) || href !== origin + pathname) {
    throw new ClientError("misuse", `${name} must be like https://host/path`);
  }
  if (protocol === "http:" && !allowInsecureHttp && !isLoopback(hostname)) {
    throw new ClientError("misuse", `${name}: use https:, or set allowInsecureHttp`);
  }
  return origin + pathname.replace(/(\/api\/automation\/start)?\/*$/, "");
}

function isLoopback(hostname: string): boolean {
  return /^(?:\[::1\]|(?:.+\.)?localhost|127(?:\.\d+){3})$/.test(hostname);
}

function environment(name: string): string | undefined {
  try {
    return globalThis.process?.env[`CLOUD_BROWSER_${name}`] || undefined;
  } catch {
    return undefined; // Deno throws when it was not permitted to read the variable
  }
}
