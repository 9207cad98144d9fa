import type { paths } from "@cloud-browser/spec/types";
import createClient, { type Client } from "openapi-fetch";
import { ClientError } from "./client-error.ts";
import { safeCause } from "./safe-cause.ts";
import { settingsFrom, type CloudBrowserOptions } from "./settings.ts";

/** The contract as a typed client: every path, every status, nothing thrown for a status. Source: interface § Endpoints. */
export type RawClient = Client<paths>;

/** Sends requests to the two addresses. */
export interface Connection {
  /** A `Request` that puts each path on its own address. */
  readonly Request: typeof globalThis.Request;
  /** Sends one request, once, with the key, to no other origin than the two addresses. */
  readonly send: (request: Request) => Promise<Response>;
}

const automationPath = "/api/automation/start" satisfies keyof paths;

/**
 * Connects to the two addresses.
 *
 * @throws {ClientError} `misuse` when an option is missing or can't be used.
 */
export function connect(options: CloudBrowserOptions): Connection {
  const { key, baseUrl, automationUrl } = settingsFrom(options);
  const isOurs = ({ url }: Request): boolean =>
    [baseUrl, automationUrl].some((own) => new URL(own).origin === new URL(url).origin);
  return {
    Request: new Proxy(Request, {
      construct(Target, [path, init]: [string, RequestInit]) {
        const address = checkedPath(path) === automationPath ? automationUrl : baseUrl;
        return new Target(address + path, { ...init, redirect: "manual" });
      },
    }),
    async send(request) {
      if (!isOurs(request) || request.redirect !== "manual") {
        throw new ClientError("misuse", "middleware must not change the origin or the redirect mode");
      }
      const secret = await key();
      try {
        request.headers.set("authorization", `Bearer ${secret}`);
      } catch {
        // What is dropped here quotes the key.
        throw new ClientError("misuse", "the API key has characters that no header can hold");
      }
      const response = await (options.fetch ?? globalThis.fetch)(request).catch((thrown: unknown) => {
        throw lost(thrown, secret);
      });
      if (response.redirected || response.type === "opaqueredirect" || /^30[12378]$/.test(String(response.status))) {
        letGo(response);
        throw new ClientError("redirect", "the service redirects, which is never followed", { response });
      }
      return response;
    },
  };
}

/** The typed client on a connection. */
export function rawClient({ Request, send }: Connection, headers?: HeadersInit): RawClient {
  return createClient<paths>({ Request, fetch: send, headers: new Headers(headers) });
}

/** The error of a connection that was lost. */
export function lost(thrown: unknown, secret: string): ClientError {
  return new ClientError("network", "no complete answer came from the service", { cause: safeCause(thrown, secret) });
}

/** Frees the connection of a body that nobody reads. */
export function letGo({ body }: Response): void {
  void body?.cancel().catch(() => undefined);
}

/** Refuses a path that would become another one, or has no identifier in it. Never quotes it. */
function checkedPath(path: string): string {
  const [before, ...segments] = path.split(/[?#]/, 1)[0]?.split("/") ?? [];
  if (before || segments.some((segment) => unusable.test(segment))) {
    throw new ClientError("misuse", "the path has an empty or a dot segment: check the identifier of the session");
  }
  return path;
}

/** Nothing but white space; `.` and `..`, which `fetch` resolves; the place of a parameter that was not given. */
const unusable = /^(?:\s|%20|%09|%0[ad])*$|^(?:\.|%2e){1,2}$|[{}]/i;
