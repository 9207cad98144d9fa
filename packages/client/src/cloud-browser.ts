import type { AutomationStream } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import type { AutomateOptions, AutomationRequest } from "./automate.ts";
import { call, json, type Answer, type CallOptions, type Exchange, type Send } from "./call.ts";
import { clientPromise, type ClientPromise } from "./client-promise.ts";
import { connect, rawClient, type RawClient } from "./connection.ts";
import { defined } from "./defined.ts";
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
} from "./scrape.ts";
import type { CloudBrowserOptions } from "./settings.ts";

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
   * Statuses are not errors here, and nothing is repeated or timed. What can't be sent is an error: then it rejects with
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
  const connection = connect(defaults);
  const raw = rawClient(connection, defaults.headers);
  const send: Send = async (exchangeOf, own) => {
    const given = defined(own);
    const options = { ...defaults, ...given, timeouts: { ...defaults.timeouts, ...given.timeouts } };
    const anew = connecting.some((name) => name in given);
    return call(exchangeOf(raw, options), options, anew ? connect(options) : connection);
  };

  function scrape<Data>(id: string, what: DataRequest<Data>, options?: ScrapeOptions): ClientPromise<ScrapedData<Data>>;
  function scrape(
    id: string,
    what?: ScrapeRequest,
    options?: ScrapeOptions,
  ): ClientPromise<ScrapedData<unknown> & ScrapedImages>;
  function scrape(id: string, what: AnyRequest = {}, options: ScrapeOptions = {}): ClientPromise<ScrapedPage> {
    return clientPromise(scrapePage(send, id, what, options));
  }
  const extract = async <Data>(id: string, what: DataRequest<Data>, options?: ScrapeOptions): Promise<Answer<Data>> => {
    const { data, response } = await scrape(id, what, options).withResponse();
    return { data: (await import("./extraction.ts")).dataOf(data, response), response };
  };
  const automate = async (body: AutomationRequest, options: AutomateOptions): Promise<Answer<AutomationStream>> =>
    (await import("./automate.ts")).startAutomation(send, body, options);
  return {
    raw,
    scrape,
    extract: (id, what, options) => clientPromise(extract(id, what, options)),
    cookies: (id, options = {}) => clientPromise(send(cookiesOf(id), options)),
    replay: (id, options = {}) => clientPromise(send(replayOf(id), options)),
    automate: (body, options = {}) => clientPromise(automate(body, options)),
  };
}

function cookiesOf(session_id: string): (raw: RawClient) => Exchange<CookiesResponse> {
  return (raw) => ({
    operation: "session_cookies",
    accept: json,
    act: (init) => raw.GET("/sessions/{session_id}/cookies", { ...init, params: { path: { session_id } } }),
    read: (_, objectOf) => objectOf((body): body is CookiesResponse & typeof body => Array.isArray(body["cookies"])),
  });
}

function replayOf(session_id: string): (raw: RawClient) => Exchange<ReplayResponse> {
  return (raw) => ({
    operation: "session_replay",
    accept: json,
    act: (init) => raw.GET("/sessions/{session_id}/replay", { ...init, params: { path: { session_id } } }),
    read: (_, objectOf) => objectOf((_body): _body is ReplayResponse & typeof _body => true),
  });
}
