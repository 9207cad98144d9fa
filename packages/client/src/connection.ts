import type { paths } from "@cloud-browser/spec/types";
import createClient, { type Client } from "openapi-fetch";
import { ClientError, type Operation } from "./client-error.ts";
import { settingsFrom, type CloudBrowserOptions } from "./settings.ts";

/** The contract as a typed client: every path, every status, nothing thrown for a status. Source: interface § Endpoints. */
export type RawClient = Client<paths>;

/** What the operations are sent through. */
export interface Connection {
  /** The typed client; its requests go through `send` too. */
  readonly raw: RawClient;
  /** Sends one request, once, with the key, to no other origin than the two addresses. */
  readonly send: (request: Request, operation?: Operation) => Promise<Response>;
}

const automationPath = "/api/automation/start" satisfies keyof paths;

/**
 * Connects the typed client to the two addresses.
 *
 * @throws {ClientError} `misuse` when an option is missing or can't be used.
 */
export function connect(options: CloudBrowserOptions): Connection {
  const { key, baseUrl, automationUrl } = settingsFrom(options);
  const origins = new Set([new URL(baseUrl).origin, new URL(automationUrl).origin]);

  /** Puts each path on its own address. */
  class RoutedRequest extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      const path = checkedPath(input instanceof Request ? input.url : input.toString());
      super((path === automationPath ? automationUrl : baseUrl) + path, { ...init, redirect: "manual" });
    }
    /** `openapi-fetch` asks this of what middleware returns, which may be any request. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return Function.prototype[Symbol.hasInstance].call(Request, value);
    }
  }

  const send = async (request: Request, operation?: Operation): Promise<Response> => {
    if (!origins.has(new URL(request.url).origin) || request.redirect !== "manual") {
      throw new ClientError("misuse", "middleware changed the origin or the redirect mode, which must stay", {
        operation,
      });
    }
    authorize(request, await key());
    let response: Response;
    try {
      response = await (options.fetch ?? globalThis.fetch)(request);
    } catch (cause) {
      throw interruption(cause, request.signal, operation);
    }
    if (response.redirected || response.type === "opaqueredirect" || isRedirect(response)) {
      void response.body?.cancel().catch(() => undefined); // only frees the connection
      throw new ClientError("redirect", "the service redirects, which is never followed", { operation, response });
    }
    return response;
  };

  const raw = createClient<paths>({
    Request: RoutedRequest,
    fetch: (request) => send(request),
    headers: new Headers(options.headers),
  });
  return { raw, send };
}

/** The error that a failed read or fetch means. */
export function interruption(cause: unknown, signal?: AbortSignal | null, operation?: Operation): ClientError {
  if (signal?.aborted) {
    return new ClientError("aborted", "the caller's signal aborted", { operation, cause: signal.reason });
  }
  return new ClientError("network", "no complete answer came from the service", { operation, cause });
}

/** Refuses a path that would become another one, or has no identifier in it. Never quotes it. */
function checkedPath(path: string): string {
  const [before, ...segments] = path.split(/[?#]/, 1)[0]?.split("/") ?? [];
  if (before !== "" || segments.some((segment) => unusable.test(segment))) {
    throw new ClientError("misuse", "the path has an empty or a dot segment: check the identifier of the session");
  }
  return path;
}

/** Nothing but white space; `.` and `..`, which `fetch` resolves; the place of a parameter that was not given. */
const unusable = /^(?:\s|%20|%09|%0[ad])*$|^(?:\.|%2e){1,2}$|[{}]/i;

function authorize(request: Request, key: string): void {
  try {
    request.headers.set("authorization", `Bearer ${key}`);
  } catch {
    // The error that is dropped here quotes the key.
    throw new ClientError("misuse", "the API key has characters that no header can hold");
  }
}

function isRedirect({ status }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
