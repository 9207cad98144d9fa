import { readAutomationStream, type AutomationStream, type AutomationStreamOptions } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import { createCall, type CallOptions } from "./call.ts";
import { ClientError } from "./client-error.ts";
import { connect, type RawClient } from "./connection.ts";
import type { CloudBrowserOptions } from "./settings.ts";

type Schemas = components["schemas"];

/** What to scrape and how; every field may be left out. Source: interface § Resources and their fields. */
export type ScrapeRequest = Schemas["ScrapeRequest"];
/** What was scraped from a page. Source: interface § Resources and their fields. */
export type DataSpace = Schemas["DataSpace"];
/** The cookies of a session. Source: interface § Resources and their fields. */
export type CookiesResponse = Schemas["CookiesResponse"];
/** Where the recording of a session is. Source: interface § Resources and their fields. */
export type ReplayResponse = Schemas["ReplayResponse"];
/** The task to automate. Source: interface § Resources and their fields. */
export type AutomationRequest = Schemas["AutomationRequest"];

/** Options of one scrape. Source: interface § Endpoints. */
export interface ScrapeOptions extends CallOptions {
  /** Sent as the query parameter of this name; the interface gives it no meaning. Default: not sent, which means true. */
  readonly update_metadata?: boolean | undefined;
}

/** Options of one automation; `signal` also ends the reading of its stream. Source: ours. */
export interface AutomateOptions extends CallOptions, Omit<AutomationStreamOptions, "signal"> {}

/** A client of one cloud browser service. Source: interface § Endpoints. */
export interface CloudBrowser {
  /**
   * Returns the content of the current page of a session.
   *
   * A failed extraction is no error: see `structured.success`.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} any code.
   */
  scrape(sessionId: string, request?: ScrapeRequest, options?: ScrapeOptions): Promise<DataSpace>;
  /**
   * Reads the cookies of a session.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} any code.
   */
  cookies(sessionId: string, options?: CallOptions): Promise<CookiesResponse>;
  /**
   * Tells where the recording of an ended session is. Does not download it, and does not wait until it is ready.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} any code.
   */
  replay(sessionId: string, options?: CallOptions): Promise<ReplayResponse>;
  /**
   * Starts a billed run and returns its stream once the service has answered. Sends exactly one request, whatever happens.
   *
   * Leaving the stream does not stop the run.
   *
   * Source: interface § Endpoints, interface § Limits.
   *
   * @throws {ClientError} any code. Whether the content is a stream, the stream tells, with `StreamError`.
   */
  automate(request: AutomationRequest, options?: AutomateOptions): Promise<AutomationStream>;
  /**
   * The contract as a typed `openapi-fetch` client, for everything else: it resolves with `{ data, error, response }`.
   *
   * Statuses are not errors here. What can't be sent is: then it rejects with `ClientError`. Middleware that is added to it
   * works for all other calls, too.
   *
   * Source: interface § Endpoints.
   */
  readonly raw: RawClient;
}

/**
 * Makes a client. Sends nothing, keeps nothing but the options, and retries nothing.
 *
 * Source: interface § Authentication, interface § Endpoints.
 *
 * @throws {ClientError} `misuse` when the key or an address is missing or can't be used.
 */
export function createCloudBrowser(options: CloudBrowserOptions = {}): CloudBrowser {
  const { raw, send } = connect(options);
  const call = createCall(send);

  return {
    raw,
    async scrape(session_id, body = {}, { update_metadata, ...rest } = {}) {
      const query = update_metadata === undefined ? {} : { update_metadata };
      const { data } = await call("page_scrape", rest, "object", (init) =>
        raw.POST("/sessions/{session_id}/page/scrape", { ...init, params: { path: { session_id }, query }, body }),
      );
      return data;
    },
    async cookies(session_id, rest = {}) {
      const { data } = await call("session_cookies", rest, "object", (init) =>
        raw.GET("/sessions/{session_id}/cookies", { ...init, params: { path: { session_id } } }),
      );
      return data;
    },
    async replay(session_id, rest = {}) {
      const { data } = await call("session_replay", rest, "object", (init) =>
        raw.GET("/sessions/{session_id}/replay", { ...init, params: { path: { session_id } } }),
      );
      return data;
    },
    async automate(body, { headers, signal, ...reading } = {}) {
      // The stream would refuse these too, but only once the run is billed.
      const numbers = [reading.maxEventBytes, ...Object.values(reading.timeouts ?? {})];
      if (numbers.some((number) => number !== undefined && !(number > 0))) {
        throw new ClientError("misuse", "maxEventBytes and timeouts must be positive numbers");
      }
      const { response } = await call("automation_start", { headers, signal }, "stream", (init) =>
        raw.POST("/api/automation/start", { ...init, body, parseAs: "stream" }),
      );
      return readAutomationStream(response, { signal, ...reading });
    },
  };
}
