import type { AutomationStream } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import type { AutomateOptions, AutomationRequest } from "./operations/automate.ts";
import { misuseOf, type Given } from "./options/check-options.ts";
import { call } from "./calls/call.ts";
import { ClientError, ownError } from "./errors/client-error.ts";
import { clientPromise, type ClientPromise } from "./calls/client-promise.ts";
import { connect, rawClient, type RawClient } from "./http/connection.ts";
import { defined } from "./errors/defined.ts";
import type { Answer, CallContext, CallOptions, JsonObject } from "./calls/operation-call.ts";
import {
  scrapePage,
  type AnyRequest,
  type DataRequest,
  type ImagesRequest,
  type InstructionsRequest,
  type ScrapedData,
  type ScrapedImages,
  type ScrapedPage,
  type ScrapeOptions,
  type ScrapeRequest,
} from "./operations/scrape.ts";
import type { CloudBrowserOptions } from "./options/settings.ts";

type Schemas = components["schemas"];

/** The cookies of a session. Source: interface § Resources and their fields. */
export type CookiesResponse = Schemas["CookiesResponse"];
/** Where the recording of a session is. Source: interface § Resources and their fields. */
export type ReplayResponse = Schemas["ReplayResponse"];

/** A client of one cloud browser service. Source: interface § Endpoints. */
export interface CloudBrowser {
  /**
   * Extracts data from the current page of a session in a structure of the caller's.
   *
   * An extraction that fails is no error: `structured.success` tells. Data that are there have been checked.
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
  /** Extracts data in a structure of the caller's. */
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
  scrape(sessionId: string, request?: ScrapeRequest, options?: ScrapeOptions): ClientPromise<ScrapedPage>;
  /**
   * Extracts data as `scrape` does, and gives them alone.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} as `scrape`; and `extraction` when there are no data, or they do not fit.
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
   * Tells where the recording of an ended session is. Does not download it, and does not wait until it is ready: see
   * `@cloud-browser/client/replay`.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} any code but `extraction`, `budget`, `replay-unavailable` and `download`.
   */
  replay(sessionId: string, options?: CallOptions): ClientPromise<ReplayResponse>;
  /**
   * Starts a billed run and returns its stream once the service has answered. Sends one request, whatever happens.
   *
   * Leaving the stream does not stop the run.
   *
   * Source: interface § Endpoints, interface § Limits.
   *
   * @throws {ClientError} any code but `extraction`, `replay-unavailable` and `download`. Whether the content is a stream,
   * the stream tells, with `StreamError`.
   */
  automate(request: AutomationRequest, options?: AutomateOptions): ClientPromise<AutomationStream>;
  /**
   * The contract as a typed `openapi-fetch` client, for everything else: it resolves with `{ data, error, response }`.
   *
   * Statuses are not errors here, and nothing is repeated or timed, but what `fetch` itself repeats: Node.js does so with
   * 421, also for an automation. What can't be sent is an error: then it rejects with
   * `ClientError`. Middleware that is added to it works for all other calls, too, in each attempt.
   *
   * Source: interface § Endpoints.
   */
  readonly raw: RawClient;
}

/** Options that make a connection; a call that has one of them gets its own. */
const connecting = ["apiKey", "baseUrl", "automationUrl", "allowInsecureHttp", "fetch"] as const;

/**
 * Makes a client. Sends nothing, and keeps nothing but the options.
 *
 * Source: interface § Authentication, interface § Endpoints.
 *
 * @throws {ClientError} `misuse` when the key or an address is missing or can't be used.
 */
export function createCloudBrowser(defaults: CloudBrowserOptions = {}): CloudBrowser {
  if (Object(defaults) !== defaults) throw new ClientError("misuse", "options must be an object");
  check({ options: defaults });
  const connection = connect(defaults);
  const refused = (thrown: unknown): ClientError =>
    ownError(thrown) ??
    new ClientError("misuse", "ledger.start() threw, or did not return { settle, drop }", {
      cause: connection.redactKeys(thrown),
      attempts: 0,
    });
  const raw = rawClient(connection, defaults.headers);
  const contextOf = (own: CallOptions): CallContext => {
    const given = defined(own);
    const options = { ...defaults, ...given, timeouts: { ...defaults.timeouts, ...defined(given.timeouts ?? {}) } };
    return { raw, options, connection: connecting.some((name) => name in given) ? connect(options) : connection };
  };

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
    check({ sessionId: id, request: what, options });
    return scrapePage(contextOf(options), id, what, options.update_metadata);
  };
  const extract = async <Data>(
    id: string,
    what: DataRequest<Data>,
    options: ScrapeOptions = {},
  ): Promise<Answer<Data>> => {
    check({ sessionId: id, request: what, needsFormat: true, options });
    const { data, response } = await scrape(id, what, options).withResponse();
    const { structured: extraction } = data;
    if (extraction.success) return { data: extraction.data, response };
    const { reasonOf } = await import("./extraction/extraction.ts");
    throw new ClientError("extraction", reasonOf(extraction), { operation: "page_scrape", response, extraction });
  };
  const readSession = async <Body>(
    operation: "session_cookies" | "session_replay",
    session_id: string,
    options: CallOptions,
    decode: (body: JsonObject) => Body | undefined,
  ): Promise<Answer<Body>> => {
    check({ sessionId: session_id, options });
    const request = { operation, content: { params: { path: { session_id } } } };
    return call({ request, decode }, contextOf(options));
  };
  const automate = async (body: AutomationRequest, options: AutomateOptions): Promise<Answer<AutomationStream>> => {
    check({ request: body, options });
    const { startAutomation } = await import("./operations/automate.ts");
    return startAutomation(contextOf(options), body, options, { call, refused });
  };
  return {
    raw,
    scrape,
    extract: (id, what, options) => clientPromise(extract(id, what, options)),
    cookies: (id, options = {}) => clientPromise(readSession("session_cookies", id, options, cookiesOf)),
    replay: (id, options = {}) => clientPromise(readSession("session_replay", id, options, replayOf)),
    automate: (body, options = {}) => clientPromise(automate(body, options)),
  };
}

/** @throws {ClientError} `misuse` before anything is sent. */
function check(given: Given): void {
  const message = misuseOf(given);
  if (message) throw new ClientError("misuse", message, { attempts: 0 });
}

function cookiesOf(body: JsonObject): CookiesResponse | undefined;
function cookiesOf(body: JsonObject): JsonObject | undefined {
  return Array.isArray(body["cookies"]) ? body : undefined;
}

/** Takes any object: the interface does not show which fields are always there. */
function replayOf(body: JsonObject): ReplayResponse;
function replayOf(body: JsonObject): JsonObject {
  return body;
}
