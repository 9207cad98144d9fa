import type { components, operations } from "@cloud-browser/spec/types";
import type { Middleware } from "openapi-fetch";
import { requestContent, type Connection, type RequestBuilder, type RequestContent } from "../http/connection.ts";

/** An operation, and the content of its request. */
export type OperationRequest = { readonly send?: undefined } & (
  | { readonly operation: "page_scrape"; readonly content: ScrapeContent }
  | { readonly operation: "session_cookies"; readonly content: SessionContent }
  | { readonly operation: "session_replay"; readonly content: SessionContent }
  | { readonly operation: "automation_start"; readonly content: AutomationContent }
);

type ScrapeParameters = operations["page_scrape"]["parameters"];

/** Parameters and body of a scrape. */
interface ScrapeContent {
  readonly params: Pick<ScrapeParameters, "path" | "query">;
  readonly header: { readonly [Name in keyof NonNullable<ScrapeParameters["header"]>]?: string };
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
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
  /** Leaves the body unread: it is read later, within its limits. */
  readonly parseAs: "stream";
}

/** The headers of a request, beside those of the operation and of the connection. */
export interface OperationHeaders {
  /** Value of `Accept`, unless it is among the others. */
  readonly accept: string;
  /** Headers of client and call. */
  readonly own: RequestContent["headers"];
}

/** Builds the request of an operation with `openapi-fetch`, runs middleware, and passes the request to `init.fetch`. */
export function sendOperation(
  builder: RequestBuilder,
  { operation, content }: OperationRequest,
  { accept, own }: OperationHeaders,
  init: AttemptInit,
): Promise<{ readonly response: Response }> {
  if (operation === "session_cookies" || operation === "session_replay") {
    const { params } = content;
    const request = { ...init, [requestContent]: { headers: { accept, ...own } }, params };
    return operation === "session_cookies"
      ? builder.GET("/sessions/{session_id}/cookies", request)
      : builder.GET("/sessions/{session_id}/replay", request);
  }
  const text = JSON.stringify(content.body);
  const type = "application/json";
  if (operation === "page_scrape") {
    const { header, params } = content;
    const headers = { accept, "content-type": type, ...own, ...header };
    return builder.POST("/sessions/{session_id}/page/scrape", { ...init, [requestContent]: { headers, text }, params });
  }
  const { middleware } = content;
  const headers = { accept, "content-type": type, ...own };
  return builder.POST("/api/automation/start", { ...init, [requestContent]: { headers, text }, middleware });
}
