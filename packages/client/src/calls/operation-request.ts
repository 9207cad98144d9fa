import type { components, operations } from "@cloud-browser/spec/types";
import type { Middleware } from "openapi-fetch";
import type { Connection, RawClient } from "../http/connection.ts";

/** What is asked of the service: an operation, and what its request carries. */
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

/** Parameters of what reads from a session. */
interface SessionContent {
  readonly params: operations["session_cookies"]["parameters"];
}

/** Body of an automation, and what must become of its request. */
interface AutomationContent {
  readonly middleware: Middleware[];
  readonly body: components["schemas"]["AutomationRequest"];
}

/** What one attempt adds to a request. */
export interface AttemptInit extends Pick<Connection, "Request"> {
  /** Sends the request that `openapi-fetch` and middleware made, and gives back only a 2xx answer. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Headers of the call. */
  readonly headers: Headers;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
  /** The body is read later, within its limits. */
  readonly parseAs: "stream";
}

/** Builds the request of an operation with `openapi-fetch`, lets middleware change it, and hands it to `init.fetch`. */
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
