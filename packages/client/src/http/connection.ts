import type { paths } from "@cloud-browser/spec/types";
import createClient, { type Client } from "openapi-fetch";
import { ClientError, ownError, redactRequestId, makeAbortedError } from "../errors/client-error.ts";
import { redactError, redactKeys, type Redact } from "../errors/redaction.ts";
import { connectionError } from "../errors/connection-error.ts";
import { addressRequest, sendWith } from "./foreign-fetch.ts";
import { version } from "../version.ts";
import { settingsFrom, type CloudBrowserOptions } from "../options/settings.ts";

/**
 * A typed `openapi-fetch` client of the contract, which does not throw for a status. A 2xx body that is not JSON rejects with the
 * runtime's own `SyntaxError`, whose message may quote a few characters of that body. Source: interface § Endpoints.
 */
export type RawClient = Client<paths>;

/** A client of the same paths that builds requests without a body: see `RequestContent`. */
export type RequestBuilder = Client<{
  [Path in keyof paths]: { [Method in keyof paths[Path]]: Bodiless<paths[Path][Method]> };
}>;

type Bodiless<Method> = Method extends { readonly requestBody?: unknown } ? Omit<Method, "requestBody"> : Method;

/** A connection to the service: base URLs, key and `fetch`. */
export interface Connection {
  /**
   * A `Request` class that resolves each path against its base URL, and does not follow redirects. In its options it accepts a
   * `RequestContent`.
   */
  readonly Request: typeof globalThis.Request;
  /**
   * Adds the key to a request, and names two headers as the service does.
   *
   * @throws {ClientError} `misuse` when middleware changed the origin or redirect mode of the request; `authentication`.
   */
  readonly authorize: (request: Request) => Promise<void>;
  /**
   * Sends a request, once.
   *
   * @param once - hands over the body so that not even `fetch` sends it twice. Default: false
   * @throws {ClientError} `network`, `redirect`; the reason of its signal, or `aborted`.
   */
  readonly send: (request: Request, once?: boolean) => Promise<Response>;
  /** Returns the URL of a request, safe to log: without its query, and with keys redacted. */
  readonly locate: (request: Request) => string;
  /** Returns a copy of a thrown value that is safe to log. Never throws. */
  readonly redact: Redact;
  /** Removes a request id that contains a key, which a service may echo, from an error. Returns the error. */
  readonly redactRequestId: (error: ClientError) => ClientError;
  /** Returns a value that a function or signal of the caller threw; if it contains a key, a redacted copy. Never throws. */
  readonly redactKeys: Redact;
}

/** The name of the `RequestContent` in the options of a request; `openapi-fetch` passes it on. */
export const requestContent = Symbol();

/** Headers and body of a request. `openapi-fetch` merges headers one by one, with a body twice: a call passes it none. */
export interface RequestContent {
  /** All headers but those of the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; absent when there is none. Bytes only where the operation takes them. */
  readonly text?: string | Blob | Uint8Array<ArrayBuffer> | undefined;
}

/** The `fetch` of the runtime, unless it was replaced before this module was loaded. */
const ownFetch = globalThis.fetch;

/** Statuses of a redirect. */
const redirects = new Set([301, 302, 303, 307, 308]);

const automationPath = "/api/automation/start" satisfies keyof paths;

/**
 * Creates a connection. Sends nothing.
 *
 * @throws {ClientError} `misuse` when an option is missing or invalid.
 */
export function connect(options: CloudBrowserOptions): Connection {
  const { key, keys, baseUrl, automationUrl, serviceWord } = settingsFrom(options);
  const redact: Connection["redact"] = (thrown) => redactError(thrown, keys);
  const origins = [baseUrl, automationUrl].map((address) => `${new URL(address).origin}/`);
  const locate: Connection["locate"] = ({ url: whole }) => {
    const url = whole.replace(/[?#].*/, "");
    // A key of letters and digits is in a URL as it is, or not at all.
    const isSafe = [...keys].every((each) => /^[\w.~-]+$/.test(each) && !url.includes(each));
    return isSafe ? url : String(redactKeys(url, keys));
  };
  class OwnRequest extends Request {
    readonly #text: unknown;
    constructor(path: RequestInfo | URL, init?: RequestInit);
    constructor(path: string, init?: RequestInit & { readonly [requestContent]?: RequestContent }) {
      const isAutomation = checkPath(path).startsWith(automationPath);
      const address = isAutomation ? automationUrl + path.slice(automationPath.length) : baseUrl + path;
      const { method = "GET", signal = null, [requestContent]: content } = init ?? {};
      const { headers, text: body = null } = content ?? {};
      const redirect = "manual";
      super(address, headers ? { method, signal, headers, body, redirect } : { ...init, redirect });
      this.#text = headers ? body : init?.body;
    }
    override toString(): string {
      return this.url;
    }
    /** Returns whether a request was made here, not by middleware. */
    static isOwn(request: Request): boolean {
      return #text in request;
    }
    /** Returns the body of a request as text, if it is known. */
    static findText(request: Request): string | undefined {
      const text = #text in request && request.#text;
      return typeof text === "string" ? text : undefined;
    }
    /** Accepts any `Request`, as middleware may create one. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof Request;
    }
  }
  return {
    redact,
    locate,
    redactKeys: (thrown) => redactKeys(thrown, keys),
    redactRequestId: (error) => redactRequestId(error, keys),
    Request: OwnRequest,
    async authorize(request) {
      // The URL of a request always has a slash after its origin.
      const { url } = request;
      if (!origins.some((origin) => url.startsWith(origin)) || request.redirect !== "manual") {
        throw new ClientError("misuse", "middleware must keep the origin and the redirect mode");
      }
      const authorization = `Bearer ${await key()}`;
      try {
        request.headers.set("authorization", authorization);
      } catch {
        throw new ClientError("misuse", "the API key can't be sent"); // without the cause: it quotes the header
      }
      if (serviceWord === "service") return;
      for (const name of ["x-service-request-origin", "x-service-sdk-version"]) {
        const text = request.headers.get(name);
        request.headers.delete(name);
        if (text !== null) request.headers.set(name.replace("service", serviceWord), text);
      }
    },
    async send(request, once = false) {
      let response: Response;
      try {
        const fetch = options.fetch ?? globalThis.fetch;
        response = await (fetch === ownFetch
          ? ownFetch(request)
          : sendWith(
              fetch,
              OwnRequest.isOwn(request) ? request : addressRequest(request),
              OwnRequest.findText(request),
              once,
            ));
      } catch (thrown) {
        const { aborted, reason } = request.signal;
        if (!aborted) throw connectionError(locate(request), redact(thrown));
        throw ownError(reason) ?? makeAbortedError(redactKeys(reason, keys));
      }
      if (response.redirected || response.type === "opaqueredirect" || redirects.has(response.status)) {
        discardBody(response);
        throw redactRequestId(
          new ClientError("redirect", `${locate(request)} answered with a redirect, which is never followed`, {
            response,
          }),
          keys,
        );
      }
      return response;
    },
  };
}

/** The typed clients of a connection, which have the same middleware. */
export interface TypedClients {
  /** Client that callers use. */
  readonly raw: RawClient;
  /** Client that builds the requests of calls: it adds no headers of its own. */
  readonly builder: RequestBuilder;
}

/** Creates the typed clients of a connection. */
export function typedClients(
  { Request, authorize, send }: Connection,
  headers: RequestContent["headers"],
): TypedClients {
  const fetch = async (request: Request): Promise<Response> => {
    await authorize(request);
    return send(request);
  };
  const raw = createClient<paths>({ Request, fetch, headers });
  const builder: RequestBuilder = createClient({ Request });
  const own = { ...raw };
  const both: Pick<RawClient, "use" | "eject"> = {
    use(...middleware) {
      own.use(...middleware);
      builder.use(...middleware);
    },
    eject(...middleware) {
      own.eject(...middleware);
      builder.eject(...middleware);
    },
  };
  return { raw: Object.assign(raw, both), builder };
}

/**
 * Returns the headers that a client sends with every request, by their names in small letters.
 *
 * @throws {ClientError} `misuse` when a header is invalid.
 */
export function clientHeaders(headers: HeadersInit | undefined): RequestContent["headers"] {
  // A browser names itself, and would ask for permission to be named otherwise.
  const isBrowser = globalThis.navigator?.userAgent?.startsWith("Mozilla");
  return { ...(!isBrowser && { "user-agent": `cloud-browser-client/${version}` }), ...toRecord(headers) };
}

/**
 * Returns headers by their names in small letters.
 *
 * @throws {ClientError} `misuse` when a header is invalid.
 */
export function toRecord(headers: HeadersInit | undefined): RequestContent["headers"] {
  try {
    return headers === undefined ? {} : Object.fromEntries(new Headers(headers));
  } catch {
    // Not kept as a cause: it quotes the header.
    throw new ClientError("misuse", "a header can't be sent");
  }
}

/** Cancels an unread body, to free its connection. */
export function discardBody({ body }: Response): void {
  void body?.cancel().catch(() => undefined);
}

/** Rejects a path that `fetch` would normalize to another one, or that lacks its identifier. Errors do not quote it. */
function checkPath(path: string): string {
  if (plainPath.test(path)) return path;
  const [before, ...segments] = path.split(/[?#]/, 1)[0]?.split("/") ?? [];
  if (before || segments.some((segment) => unusable.test(segment))) {
    throw new ClientError("misuse", "the session id is empty or a dot segment");
  }
  return path;
}

/** A path like most: all its segments begin with a letter or digit, and need no encoding. */
const plainPath = /^(?:\/[a-z\d][\w.~-]*)+(?:[?#]|$)/i;

/** A segment of white space; `.` and `..`, which `fetch` resolves; the placeholder of a missing parameter. */
const unusable = /^(?:\s|%20|%09|%0[ad])*$|^(?:\.|%2e){1,2}$|[{}]/i;
