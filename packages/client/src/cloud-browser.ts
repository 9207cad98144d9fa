import type { AutomationStream } from "@cloud-browser/stream";
import type { components } from "@cloud-browser/spec/types";
import type { AutomateOptions, AutomationRequest } from "./operations/automate.ts";
import { call } from "./calls/call.ts";
import { ClientError, ownError, guardArguments } from "./errors/client-error.ts";
import { registerRedactor } from "./errors/redaction.ts";
import { describeExtractionFailure } from "./errors/response-error.ts";
import { clientPromise } from "./calls/call.ts";
import type { ClientPromise } from "./calls/client-promise.ts";
import { checkCallValues, createCallContexts } from "./calls/call-contexts.ts";
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
   *
   * @example
   * ```ts from=examples/api/client/cloud-browser.scrape.ts
   * import { createCloudBrowser } from "@cloud-browser/client";
   * import { z } from "zod";
   *
   * const client = createCloudBrowser();
   * const session = "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318";
   *
   * const { markdown } = await client.scrape(session, { only_main_content: true });
   * console.log(markdown); // # Harbour ferries…
   *
   * const { images } = await client.scrape(session, { only_images: true });
   * console.log(`${images.length} images`); // 7 images
   *
   * const ticket = z.object({ title: z.string(), cents: z.number() });
   * const { structured } = await client.scrape(session, { response_format: ticket });
   * console.log(structured.success && structured.data.title); // Day ticket
   * ```
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
   *
   * @example
   * ```ts from=examples/api/client/cloud-browser.extract.ts
   * import { createCloudBrowser } from "@cloud-browser/client";
   * import { z } from "zod";
   *
   * const ticket = z.object({ title: z.string(), cents: z.number() });
   * const { title, cents } = await createCloudBrowser().extract("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", {
   *   response_format: ticket,
   * });
   * console.log(`${title}: ${cents} cents`); // Day ticket: 1850 cents
   * ```
   */
  extract<Data>(sessionId: string, request: DataRequest<Data>, options?: ScrapeOptions): ClientPromise<Data>;
  /**
   * Reads the cookies of a session.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} any code but `extraction`, `budget`, `replay-unavailable` and `download`.
   *
   * @example
   * ```ts from=examples/api/client/cloud-browser.cookies.ts
   * import { createCloudBrowser } from "@cloud-browser/client";
   *
   * const { cookies } = await createCloudBrowser().cookies("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
   * console.log(cookies.map(({ name, domain }) => `${name} of ${domain}`).join(", ")); // sid of ferries.example, …
   * ```
   */
  cookies(sessionId: string, options?: CallOptions): ClientPromise<CookiesResponse>;
  /**
   * Fetches the locations of the recording of an ended session. Does not download it, and does not wait for it: see
   * `@cloud-browser/client/replay`.
   *
   * Source: interface § Endpoints.
   *
   * @throws {ClientError} any code but `extraction`, `budget`, `replay-unavailable` and `download`.
   *
   * @example
   * ```ts from=examples/api/client/cloud-browser.replay.ts
   * import { createCloudBrowser } from "@cloud-browser/client";
   *
   * const { mp4_url, video_duration_ms } = await createCloudBrowser().replay("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
   * console.log(`${video_duration_ms} ms in ${new URL(mp4_url).pathname}`); // 6000 ms in /replay.mp4
   * ```
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
   *
   * @example
   * ```ts from=examples/api/client/cloud-browser.automate.ts
   * import { createCloudBrowser } from "@cloud-browser/client";
   *
   * await using stream = await createCloudBrowser().automate({ query: "When does the next ferry leave from pier 3?" });
   * let answer = "";
   * for await (const event of stream) if (event.type === "text_delta") answer += event.delta;
   * console.log(answer); // The next ferry leaves at 14:20.
   *
   * const outcome = await stream.outcome();
   * if (outcome.type === "done") console.log(outcome.event.total_cost_usd); // 0.0431
   * ```
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
   *
   * @example
   * ```ts from=examples/api/client/cloud-browser.raw.ts
   * import { createCloudBrowser } from "@cloud-browser/client";
   *
   * const { data, error, response } = await createCloudBrowser().raw.GET("/sessions/{session_id}/cookies", {
   *   params: { path: { session_id: "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318" } },
   * });
   * console.log(response.status, data?.cookies.length, error); // 200 2 undefined
   * ```
   */
  readonly raw: RawClient;
}

/**
 * Creates a client. Sends nothing, and keeps no state but the options.
 *
 * Source: interface § Authentication, interface § Endpoints.
 *
 * @throws {ClientError} `misuse` when an option is invalid, or the key or a base URL is missing.
 *
 * @example
 * ```ts from=examples/api/client/create-cloud-browser.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 *
 * // Address and key: options, or CLOUD_BROWSER_BASE_URL and CLOUD_BROWSER_API_KEY.
 * const client = createCloudBrowser({ timeouts: { headersMs: 60_000 }, retries: { max: 4 } });
 * const { markdown } = await client.scrape("9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318");
 * console.log(markdown); // # Harbour ferries…
 * ```
 */
export function createCloudBrowser(defaults: CloudBrowserOptions = {}): CloudBrowser {
  return guardArguments(() => createClient(defaults));
}

function createClient(defaults: CloudBrowserOptions): CloudBrowser {
  const [raw, connection, createContext] = createCallContexts(defaults);
  const explainRefusal = (thrown: unknown): ClientError =>
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
    return clientPromise(scrapeData(id, what, options));
  }
  const scrapeData = async (id: string, what: AnyRequest, options: ScrapeOptions): Promise<Answer<ScrapedPage>> => {
    checkCallValues({ sessionId: id, request: what, options });
    return scrapePage(createContext(options), id, what, options.update_metadata);
  };
  const extract = async <Data>(
    id: string,
    what: DataRequest<Data>,
    options: ScrapeOptions = {},
  ): Promise<Answer<Data>> => {
    checkCallValues({ sessionId: id, request: what, needsFormat: true, options });
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
    checkCallValues({ sessionId: session_id, options });
    const request = { operation, content: { params: { path: { session_id } } } };
    return call({ request, wrong: "cookies is not an array", decode }, createContext(options));
  };
  const automate = async (body: AutomationRequest, options: AutomateOptions): Promise<Answer<AutomationStream>> => {
    checkCallValues({ request: body, options });
    const { startAutomation } = await import("./operations/automate.ts");
    const context = createContext(options);
    const logRun = (notice: RunNotice): void => notify(context.options, "onRunEnd", notice);
    return startAutomation(context, body, options, { call, refused: explainRefusal, logRun });
  };
  const replay: CloudBrowser["replay"] = (id, options = {}) =>
    clientPromise(readSession("session_replay", id, options, readReplay));
  registerRedactor(replay, connection.redactKeys);
  return {
    raw,
    scrape,
    extract: (id, what, options) => clientPromise(extract(id, what, options)),
    cookies: (id, options = {}) => clientPromise(readSession("session_cookies", id, options, readCookies)),
    replay,
    automate: (body, options = {}) => clientPromise(automate(body, options)),
  };
}

function readCookies(body: JsonObject): CookiesResponse | undefined;
function readCookies(body: JsonObject): JsonObject | undefined {
  return Array.isArray(body["cookies"]) ? body : undefined;
}

/** Accepts any object: the interface does not show which fields are always present. */
function readReplay(body: JsonObject): ReplayResponse;
function readReplay(body: JsonObject): JsonObject {
  return body;
}
