import type { components, operations } from "@cloud-browser/spec/types";
import type { Middleware } from "openapi-fetch";
import type { Connection, RawClient } from "../http/connection.ts";

/** An operation, and the content of its request. */
export type OperationRequest =
  | { readonly operation: "page_scrape"; readonly content: ScrapeContent }
  | { readonly operation: "session_cookies"; readonly content: SessionContent }
  | { readonly operation: "session_replay"; readonly content: SessionContent }
  | { readonly operation: "automation_start"; readonly content: AutomationContent };

/** Parameters and body of a scrape. */
interface ScrapeContent {
  readonly params: operations["page_scrape"]["parameters"];
  readonly body: components["schemas"]["ScrapeRequest"];
}

/** Parameters of operations that read from a session. */
interface SessionContent {
  readonly params: operations["session_cookies"]["parameters"];
}

/** Body of an automation, and middleware of its request. */
interface AutomationContent {
  readonly middleware: Middleware[];
  readonly body: components["schemas"]["AutomationRequest"];
}

/** Settings of an attempt. */
export interface AttemptInit extends Pick<Connection, "Request"> {
  /** Sends the request that `openapi-fetch` and middleware built, and resolves with a 2xx response only. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Headers of the call, beside those of the client. */
  readonly headers: HeadersInit;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
  /** Leaves the body unread: it is read later, within its limits. */
  readonly parseAs: "stream";
}

/** Builds the request of an operation with `openapi-fetch`, runs middleware, and passes the request to `init.fetch`. */
export function sendOperation(
  raw: RawClient,
  request: OperationRequest,
  init: AttemptInit,
): Promise<{ readonly response: Response }> {
  if (request.operation === "page_scrape") {
    return raw.POST("/sessions/{session_id}/page/scrape", { ...init, ...request.content });
  }
  if (request.operation === "session_cookies") {
    return raw.GET("/sessions/{session_id}/cookies", { ...init, ...request.content });
  }
  if (request.operation === "session_replay") {
    return raw.GET("/sessions/{session_id}/replay", { ...init, ...request.content });
  }
  return raw.POST("/api/automation/start", { ...init, ...request.content });
}
