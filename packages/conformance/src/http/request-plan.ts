import type { Credentials } from "./credentials.ts";

/** A request as a probe plans it, before the target's addresses and key are filled in. */
export interface RequestPlan {
  /** HTTP method. */
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST";
  /** Path and query below the address, already encoded. */
  readonly path: string;
  /**
   * An absolute URL in place of the target's address and `path`, of a file that a response refers to. It may be on another
   * host, so none of the target's headers are sent, and its query is a secret.
   */
  readonly url?: string;
  /** Kind of credentials that it carries. */
  readonly credentials: Credentials;
  /** Headers beyond the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Body as text, sent as `application/json`; absent for no body at all. */
  readonly body?: string;
  /** True for a body without `Content-Type`. Default: false. */
  readonly withoutMediaType?: true;
}

/** Returns the path of an operation of a session. Source: interface § Endpoints. */
export function formatSessionPath(sessionId: string, rest: string): string {
  return `/sessions/${encodeURIComponent(sessionId)}/${rest}`;
}

/** Plans a page scrape with the key. */
export function planScrape(sessionId: string, body: unknown, more: Partial<RequestPlan> = {}): RequestPlan {
  const path = formatSessionPath(sessionId, "page/scrape");
  return { method: "POST", path, credentials: "key", body: JSON.stringify(body), ...more };
}

/** Plans a read of the cookies or of the replay with the key. */
export function planRead(what: "cookies" | "replay", sessionId: string, more: Partial<RequestPlan> = {}): RequestPlan {
  return { method: "GET", path: formatSessionPath(sessionId, what), credentials: "key", ...more };
}

/** Plans a request to the automation with the key. Source: interface § Endpoints. */
export function planStart(more: Partial<RequestPlan>): RequestPlan {
  return { method: "POST", path: "/api/automation/start", credentials: "key", ...more };
}
