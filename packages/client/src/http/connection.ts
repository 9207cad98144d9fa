import type { paths } from "@cloud-browser/spec/types";
import createClient, { type Client } from "openapi-fetch";
import { ClientError, keep } from "../errors/client-error.ts";
import { redactError, redactKeys } from "../errors/redaction.ts";
import { settingsFrom, type CloudBrowserOptions } from "../options/settings.ts";

/** The contract as a typed client: every path, every status, nothing thrown for a status. Source: interface § Endpoints. */
export type RawClient = Client<paths>;

/** The two addresses, the key, and what sends requests. */
export interface Connection {
  /** A `Request` that puts each path on its own address, and follows no redirect. */
  readonly Request: typeof globalThis.Request;
  /**
   * Puts the key into a request; gives the key.
   *
   * @throws {ClientError} `misuse` when the request goes to another origin than the two addresses; `authentication`.
   */
  readonly authorize: (request: Request) => Promise<string>;
  /**
   * Sends a request with its key, once.
   *
   * @throws {ClientError} `network`, `redirect`.
   */
  readonly send: (request: Request, key: string) => Promise<Response>;
  /** A copy of what was thrown that is safe to log. Never throws. */
  readonly redact: (thrown: unknown) => unknown;
  /** Returns what a function or signal of the caller threw; when it holds a key, a copy that is safe to log. Never throws. */
  readonly redactKeys: (thrown: unknown) => unknown;
}

const automationPath = "/api/automation/start" satisfies keyof paths;

/**
 * Connects to the two addresses.
 *
 * @throws {ClientError} `misuse` when an option is missing or can't be used.
 */
export function connect(options: CloudBrowserOptions): Connection {
  const { key, keys, baseUrl, automationUrl } = settingsFrom(options);
  const redact: Connection["redact"] = (thrown) => redactError(thrown, keys);
  const origins = new Set([baseUrl, automationUrl].map((address) => new URL(address).origin));
  return {
    redact,
    redactKeys: (thrown) => redactKeys(thrown, keys),
    Request: class extends Request {
      constructor(path: RequestInfo | URL, init?: RequestInit);
      constructor(path: string, init?: RequestInit) {
        const address = checkedPath(path) === automationPath ? automationUrl : baseUrl;
        super(address + path, { ...init, redirect: "manual" });
      }
      /** Middleware may make any request. */
      static override [Symbol.hasInstance](value: unknown): boolean {
        return value instanceof Request;
      }
    },
    async authorize(request) {
      if (!origins.has(new URL(request.url).origin) || request.redirect !== "manual") {
        throw new ClientError("misuse", "middleware must keep the origin and the redirect mode");
      }
      const secret = await key();
      const authorization = `Bearer ${secret}`;
      headersOf({ authorization }, "the API key");
      request.headers.set("authorization", authorization);
      return secret;
    },
    async send(request, secret) {
      let response: Response;
      try {
        response = await (options.fetch ?? globalThis.fetch)(request);
      } catch (thrown) {
        throw lost(redact(thrown));
      }
      keep(secret, response);
      if (response.redirected || response.type === "opaqueredirect" || /30[12378]/.test(`${response.status}`)) {
        discardBody(response);
        throw new ClientError("redirect", "redirects are never followed", { response });
      }
      return response;
    },
  };
}

/**
 * The typed client on a connection.
 *
 * @throws {ClientError} `misuse` when a header can't be sent.
 */
export function rawClient({ Request, authorize, send }: Connection, headers?: HeadersInit): RawClient {
  const fetch = async (request: Request): Promise<Response> => send(request, await authorize(request));
  return createClient<paths>({ Request, fetch, headers: headersOf(headers) });
}

/** @throws {ClientError} `misuse` when they can't be sent. */
export function headersOf(headers: HeadersInit | undefined, what = "a header"): Headers {
  try {
    return new Headers(headers);
  } catch {
    // What is dropped here quotes the header.
    throw new ClientError("misuse", `${what} can't be sent`);
  }
}

/** The error of a connection that was lost. */
export function lost(cause: unknown, response?: Response): ClientError {
  return new ClientError("network", "connection closed before the answer was complete", { cause, response });
}

/** Frees the connection of a body that nobody reads. */
export function discardBody({ body }: Response): void {
  void body?.cancel().catch(() => undefined);
}

/** Refuses a path that would become another one, or has no identifier in it. Never quotes it. */
function checkedPath(path: string): string {
  const [before, ...segments] = path.split(/[?#]/, 1)[0]?.split("/") ?? [];
  if (before || segments.some((segment) => unusable.test(segment))) {
    throw new ClientError("misuse", "the identifier of the session is empty or a dot segment");
  }
  return path;
}

/** Nothing but white space; `.` and `..`, which `fetch` resolves; the place of a parameter that was not given. */
const unusable = /^(?:\s|%20|%09|%0[ad])*$|^(?:\.|%2e){1,2}$|[{}]/i;
