import type { Timeouts } from "@cloud-browser/stream";
import { ClientError } from "../errors/client-error.ts";
import type { CustomFetch } from "./custom-fetch.ts";
import { parseBaseUrl, environment, missing, readSetting } from "./address.ts";
import type { Hooks, Logger, LogLevel } from "./hooks.ts";
import type { RetryOptions } from "./retry-policy.ts";

/**
 * Time limits of a call, in milliseconds; `Infinity` for none. The limits of a started stream are those of
 * `@cloud-browser/stream`, and end it with a `StreamError`.
 *
 * They do not extend limits of `fetch` itself: that of Node.js fails after 300 s without headers, or without bytes.
 *
 * The interface shows no durations.
 */
export interface CallTimeouts extends Timeouts {
  /** Time from sending the request to the headers of the response, per attempt. Default: 120,000. */
  readonly headersMs?: number | undefined;
  /** Time from the headers to the end of the body, per attempt. Not for streams. Default: 60,000. */
  readonly bodyMs?: number | undefined;
  /** The whole call, with all attempts and delays; for an automation, including its stream. Default: `Infinity`. */
  readonly totalMs?: number | undefined;
}

/** Options of a client. */
export interface CloudBrowserOptions {
  /**
   * The API key, or a function that returns it, called once per request; surrounding white space is trimmed. Default:
   * `CLOUD_BROWSER_API_KEY`.
   *
   * It is sent to the two base URLs below only.
   *
   * Source: interface § Authentication.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Base URL of the session-scoped operations, with or without a path. Default: `CLOUD_BROWSER_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /**
   * Base URL of automations, or their endpoint if its path ends in `/api/<word>/start`. Default: `CLOUD_BROWSER_AUTOMATION_URL`,
   * or else `baseUrl`.
   */
  readonly automationUrl?: string | undefined;
  /**
   * The service's own word in the path of automations, `/api/<word>/start`: letters, digits, `-` and `_`. Default:
   * `CLOUD_BROWSER_AUTOMATION_WORD`, or else the word of `automationUrl`, or else `automation`. Source: interface, introduction.
   */
  readonly automationWord?: string | undefined;
  /**
   * The service's own word in the names of two headers, `x-<word>-request-origin` and `x-<word>-sdk-version`: letters, digits, `-`
   * and `_`. They are sent by this name however they were set. Default: `CLOUD_BROWSER_SERVICE_WORD`, or else `service`. Source:
   * interface, introduction.
   */
  readonly serviceWord?: string | undefined;
  /** Allows `http:` to hosts other than localhost, which exposes the key to the network. Default: false. */
  readonly allowInsecureHttp?: boolean | undefined;
  /**
   * Custom `fetch`, such as that of `undici` or `node-fetch`, which must not follow redirects. It is called with a `Request`, and the
   * same as address and options: `String(request)` is the URL, the second argument has method, headers, body and signal. Node.js
   * gets the body of an automation as a stream, so that no `fetch` can send it twice. Default: the global `fetch` at the time of the call.
   */
  readonly fetch?: CustomFetch | undefined;
  /** Headers of every request; those of a call override those of the client. `Authorization` is replaced. Default: none. */
  readonly headers?: RequestInit["headers"] | undefined;
  /** Sent with a scrape as `x-service-request-origin`. Default: not sent. Source: interface § Endpoints. */
  readonly requestOrigin?: string | undefined;
  /** Sent with a scrape as `x-service-sdk-version`; true sends the version of this package. Default: not sent. Source: interface § Versioning. */
  readonly sdkVersion?: string | true | undefined;
  /** Time limits. Default: see `CallTimeouts`. */
  readonly timeouts?: CallTimeouts | undefined;
  /** Retry policy for transient errors; a number is `max`. Automations are not retried. Default: see `RetryOptions`. */
  readonly retries?: number | RetryOptions | undefined;
  /** Size limit of a response body, in bytes after decompression. Not for streams. Default: 64 MiB (67108864). */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Rejects a response that does not match the contract with `unexpected-content`: present fields must have the types that the interface
   * shows. Not for data of an extraction, which are validated anyway, and not for streams. Default: false.
   */
  readonly validate?: boolean | undefined;
  /** Logs requests and responses with `debug`, ends of runs with `info`, retries with `warn`, failed calls with `error`. Default: `console` if there is a log level, or else none. */
  readonly logger?: Logger | undefined;
  /** The least level that is logged: `debug`, `info`, `warn`, `error`, or `off`. Default: `CLOUD_BROWSER_LOG`, or else `debug` with a `logger`. */
  readonly logLevel?: LogLevel | undefined;
  /** Functions that are called during a call. Default: none. */
  readonly hooks?: Hooks | undefined;
}

/** Validated options with their defaults. */
export interface Settings {
  /** Resolves with the key. Rejects with `ClientError` `authentication` when there is none. */
  readonly key: () => Promise<string>;
  /** All known keys, the latest last: errors may quote any of them. */
  readonly keys: ReadonlySet<string>;
  /** URL without trailing slash. */
  readonly baseUrl: string;
  /** URL of the endpoint. */
  readonly automationUrl: string;
  /** Word in the names of headers. */
  readonly serviceWord: string;
}

/** @throws {ClientError} `misuse` when an option is missing or invalid. */
export function settingsFrom(options: CloudBrowserOptions): Settings {
  const { apiKey = environment("API_KEY"), allowInsecureHttp } = options;
  const { automationWord = environment("AUTOMATION_WORD"), serviceWord = environment("SERVICE_WORD") ?? "service" } =
    options;
  if (!apiKey) throw missing("apiKey", "API_KEY");
  if (typeof apiKey === "string") checkKey(apiKey.trim());
  const keys = new Set(typeof apiKey === "string" ? [apiKey.trim()] : []);
  const base = readSetting("baseUrl", options.baseUrl, "BASE_URL");
  if (!base.value) throw missing("baseUrl", "BASE_URL");
  const baseUrl = parseBaseUrl(base, allowInsecureHttp);
  const automations = readSetting("automationUrl", options.automationUrl, "AUTOMATION_URL");
  const start = automations.value === undefined ? baseUrl : parseBaseUrl(automations, allowInsecureHttp);
  const [endpoint = "", word = automationWord ?? "automation"] = /\/api\/([\w-]+)\/start$/.exec(start) ?? [];
  if (word !== (automationWord ?? word) || !/^[\w-]+ [\w-]+$/.test(`${word} ${serviceWord}`)) {
    const rule =
      "automationWord and serviceWord must be letters, digits, - and _; automationUrl must have the same automationWord";
    throw new ClientError("misuse", rule);
  }
  return {
    keys,
    async key() {
      if (typeof apiKey === "string") return requireKey(apiKey.trim(), "apiKey is only white space");
      const current = await keyFrom(apiKey);
      keys.add(current);
      if (keys.size > 99) keys.delete([...keys][0] ?? current); // a function may return another key for each request
      return current;
    },
    baseUrl,
    automationUrl: endpoint ? start : `${start}/api/${word}/start`,
    serviceWord,
  };
}

async function keyFrom(apiKey: () => string | Promise<string>): Promise<string> {
  let key: string | undefined;
  try {
    // A key from a file may have a line end. It is trimmed here, so that redaction knows what is sent.
    key = (await apiKey()).trim();
  } catch {
    // Not kept as a cause: it may quote a key.
  }
  const ownKey = requireKey(key, "apiKey() threw, or returned no key");
  checkKey(ownKey);
  return ownKey;
}

/** @throws {ClientError} `authentication` when there is no key. */
function requireKey(key: string | undefined, none: string): string {
  if (!key) throw new ClientError("authentication", none);
  return key;
}

/** @throws {ClientError} `misuse` when a key is a whole header, or the value of one. */
function checkKey(key: string): void {
  if (!/^(?:authorization\s*:|bearer\s)/i.test(key)) return;
  throw new ClientError("misuse", 'apiKey must be the key alone: it is sent after "Authorization: Bearer "');
}
