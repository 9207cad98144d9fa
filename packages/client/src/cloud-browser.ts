import type { AutomationStream } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import type { AutomateOptions, AutomationRequest } from "./operations/automate.ts";
import { call } from "./calls/call.ts";
import { ClientError, ownError, withGiven } from "./errors/client-error.ts";
import { registerRedactor } from "./errors/redaction.ts";
import { describeExtractionFailure } from "./errors/response-error.ts";
import { clientPromise, type ClientPromise } from "./calls/client-promise.ts";
import { checkGiven, createCallContexts } from "./calls/call-contexts.ts";
import type { RawClient } from "./http/connection.ts";
import { notify, type RunNotice } from "./options/hooks.ts";
import type { Answer, CallOptions, JsonObject } from "./calls/operation-call.ts";
import {
  scrapePage,
  type AnyRequest,
  type DataRequest,
  type ImagesRequest,
  type InstructionsRequest,
  type PageRequest,
  type ScrapeRequest,
  type ScrapedData,
  type ScrapedImages,
  type ScrapedPage,
  type ScrapeOptions,
} from "./operations/scrape.ts";
import type { CloudBrowserOptions } from "./options/settings.ts";

type Schemas = components["schemas"];

/** The cookies of a session. Source: interface § Resources and their fields. */
export type CookiesResponse = Schemas["CookiesResponse"];
/** Locations of the recording of a session. Source: interface § Resources and their fields. */
export type ReplayResponse = Schemas["ReplayResponse"];

/** A client of one cloud browser service. Source: interface § Endpoints. */
export interface CloudBrowser {
  /**
   * Extracts data from the current page of a session, in the structure of `response_format`.
   *
   * A failed extraction is not an error: check `structured.success`. The data have been validated.
   *
   * Source: interface § Endpoints, interface § Resources and their fields (StructuredData).
   *
   * @throws {ClientError} any code but `extraction`, `budget`, `replay-unavailable` and `download`.
   */
  scrape<Data>(
    sessionId: string,
    request: DataRequest<Data> & { readonly only_images: true },
    options?: ScrapeOptions,
  ): ClientPromise<ScrapedData<Data> & ScrapedImages>;
  /** Extracts data in the structure of `response_format`. */
  scrape<Data>(
    sessionId: string,
    request: DataRequest<Data>,
    options?: ScrapeOptions,
  ): ClientPromise<ScrapedData<Data>>;
  /** Extracts data as `instructions` say, in a structure that the service chooses. */
  scrape(sessionId: string, request: InstructionsRequest, options?: ScrapeOptions): ClientPromise<ScrapedData<unknown>>;
  /** Lists the images of the current page of a session. */
  scrape(sessionId: string, request: ImagesRequest, options?: ScrapeOptions): ClientPromise<ScrapedImages>;
  /** Returns the content of the current page of a session. */
  scrape(sessionId: string, request?: PageRequest, options?: ScrapeOptions): ClientPromise<ScrapedPage>;
  /**
   * Extracts data like `scrape`, and resolves with the data alone.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} as `scrape`; and `extraction` when there are no data, or they are invalid.
   */
  extract<Data>(sessionId: string, request: DataRequest<Data>, options?: ScrapeOptions): ClientPromise<Data>;
  /**
   * Reads the cookies of a session.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} any code but `extraction`, `budget`, `replay-unavailable` and `download`.
   */
  cookies(sessionId: string, options?: CallOptions): ClientPromise<CookiesResponse>;
  /**
   * Fetches the locations of the recording of an ended session. Does not download it, and does not wait for it: see
   * `@cloud-browser/client/replay`.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} any code but `extraction`, `budget`, `replay-unavailable` and `download`.
   */
  replay(sessionId: string, options?: CallOptions): ClientPromise<ReplayResponse>;
  /**
   * Starts a billed run, and resolves with its stream when the headers of the response have arrived. Sends one request,
   * whatever happens.
   *
   * Leaving the stream does not stop the run.
   *
   * Source: interface § Endpoints, interface § Limits.
   *
   * @throws {ClientError} any code but `extraction`, `replay-unavailable` and `download`. Content that is not a
   * stream is a `StreamError` of the stream.
   */
  automate(request: AutomationRequest, options?: AutomateOptions): ClientPromise<AutomationStream>;
  /**
   * A typed `openapi-fetch` client of the contract, for everything else: its calls resolve with `{ data, error, response }`.
   *
   * They do not throw for a status, and have neither retries nor timeouts; only `fetch` itself may repeat a request: that of
   * Node.js does after a 421, also for an automation. A request that can't be sent rejects with `ClientError`. A 2xx body
   * that is not JSON, or is lost, rejects with the error of the runtime, which may quote the body: do not log it. Middleware that
   * is added to it also runs for all other calls, in each attempt.
   *
   * Source: interface § Endpoints.
   */
  readonly raw: RawClient;
}

/**
 * Creates a client. Sends nothing, and keeps no state but the options.
 *
 * Source: interface § Authentication, interface § Endpoints.
 *
 * @throws {ClientError} `misuse` when an option is invalid, or the key or a base URL is missing.
 */
export function createCloudBrowser(defaults: CloudBrowserOptions = {}): CloudBrowser {
  return withGiven(() => createClient(defaults));
}

function createClient(defaults: CloudBrowserOptions): CloudBrowser {
  const [raw, connection, createContext] = createCallContexts(defaults);
  const refused = (thrown: unknown): ClientError =>
    ownError(thrown) ??
    new ClientError("misuse", "ledger.start() threw, or did not return { settle, drop }", {
      cause: connection.redactKeys(thrown),
      attempts: 0,
    });

  function scrape<Data>(
    id: string,
    what: DataRequest<Data>,
    options?: ScrapeOptions,
  ): ClientPromise<ScrapedData<Data> & ScrapedImages>;
  function scrape(
    id: string,
    what?: ScrapeRequest,
    options?: ScrapeOptions,
  ): ClientPromise<ScrapedData<unknown> & ScrapedImages>;
  function scrape(id: string, what: AnyRequest = {}, options: ScrapeOptions = {}): ClientPromise<ScrapedPage> {
    return clientPromise(scraped(id, what, options));
  }
  const scraped = async (id: string, what: AnyRequest, options: ScrapeOptions): Promise<Answer<ScrapedPage>> => {
    checkGiven({ sessionId: id, request: what, options });
    return scrapePage(createContext(options), id, what, options.update_metadata);
  };
  const extract = async <Data>(
    id: string,
    what: DataRequest<Data>,
    options: ScrapeOptions = {},
  ): Promise<Answer<Data>> => {
    checkGiven({ sessionId: id, request: what, needsFormat: true, options });
    const context = createContext(options);
    const { data, ...answer } = await scrapePage(context, id, what, options.update_metadata);
    const { structured: extraction } = data;
    if (extraction.success) return { ...answer, data: extraction.data };
    const details = { operation: "page_scrape", response: answer.response, extraction } as const;
    throw context.connection.redactRequestId(
      new ClientError("extraction", describeExtractionFailure(extraction, context.connection.redact), details),
    );
  };
  const readSession = async <Body>(
    operation: "session_cookies" | "session_replay",
    session_id: string,
    options: CallOptions,
    decode: (body: JsonObject) => Body | undefined,
  ): Promise<Answer<Body>> => {
    checkGiven({ sessionId: session_id, options });
    const request = { operation, content: { params: { path: { session_id } } } };
    return call({ request, wrong: "cookies is not an array", decode }, createContext(options));
  };
  const automate = async (body: AutomationRequest, options: AutomateOptions): Promise<Answer<AutomationStream>> => {
    checkGiven({ request: body, options });
    const { startAutomation } = await import("./operations/automate.ts");
    const context = createContext(options);
    const logRun = (notice: RunNotice): void => notify(context.options, "onRunEnd", notice);
    return startAutomation(context, body, options, { call, refused, logRun });
  };
  const replay: CloudBrowser["replay"] = (id, options = {}) =>
    clientPromise(readSession("session_replay", id, options, replayOf));
  registerRedactor(replay, connection.redactKeys);
  return {
    raw,
    scrape,
    extract: (id, what, options) => clientPromise(extract(id, what, options)),
    cookies: (id, options = {}) => clientPromise(readSession("session_cookies", id, options, cookiesOf)),
    replay,
    automate: (body, options = {}) => clientPromise(automate(body, options)),
  };
}

function cookiesOf(body: JsonObject): CookiesResponse | undefined;
function cookiesOf(body: JsonObject): JsonObject | undefined {
  return Array.isArray(body["cookies"]) ? body : undefined;
}

/** Accepts any object: the interface does not show which fields are always present. */
function replayOf(body: JsonObject): ReplayResponse;
function replayOf(body: JsonObject): JsonObject {
  return body;
}
