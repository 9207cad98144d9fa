import pTimeout from "p-timeout";
import type { BrowserContext, Page, Request } from "playwright-core";
import { ServiceError } from "../../service-error.ts";

/** Meaning of an error of the network, by its name; the first match counts. */
const meanings: readonly (readonly [name: RegExp, meaning: string])[] = [
  [/ERR_PROXY_AUTH/, "the proxy of the session refuses the credentials, or needs some"],
  [/ERR_PROXY_CERTIFICATE/, "the certificate of the session's proxy is not valid here"],
  [/ERR_PROXY_CONNECTION_FAILED/, "the proxy of the session can't be reached"],
  [/ERR_TUNNEL_CONNECTION_FAILED/, "the proxy of the session refuses the connection, or could not make it"],
  [/ERR_NAME_NOT_RESOLVED|ERR_DNS/, "the host has no address"],
  [/ERR_CONNECTION_REFUSED/, "the connection was refused"],
  [/ERR_EMPTY_RESPONSE|ERR_CONNECTION_CLOSED/, "the site closed the connection without a response"],
  [/ERR_CONNECTION_RESET|ERR_CONNECTION_ABORTED/, "the connection was reset"],
  [/ERR_CONNECTION_TIMED_OUT|ERR_TIMED_OUT/, "the site did not respond in time"],
  [/ERR_ADDRESS_|ERR_CONNECTION_FAILED/, "the site can't be reached"],
  [
    /ERR_BLOCKED_BY_ADMINISTRATOR/,
    "its address is blocked: it is not global and the operator has not allowed it, or the operator has blocked it",
  ],
  [/ERR_INSUFFICIENT_RESOURCES/, "too many requests are pending; try again in a moment"],
  [/ERR_BLOCKED_BY_|ERR_FAILED/, "the request was blocked"],
  [/ERR_TOO_MANY_REDIRECTS/, "it redirects too many times"],
  [/ERR_(?:UNSAFE|INVALID)_REDIRECT|ERR_DISALLOWED_URL_SCHEME/, "it redirects to what is no web page"],
  [/ERR_UNSAFE_PORT/, "browsers open no web page on that port"],
  [/ERR_HTTP_RESPONSE_CODE_FAILURE/, "the site responded with an error status and an empty page"],
  [/ERR_CERT/, "its certificate is not valid"],
  [/ERR_SSL|ERR_TLS|ERR_BAD_SSL/, "no secure connection could be made"],
  [/ERR_ABORTED/, "its response has no page, or another page was opened meanwhile"],
  [/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/, "there is no network"],
  [/ERR_INVALID_HTTP_RESPONSE|ERR_RESPONSE_HEADERS/, "its response is not valid HTTP"],
  [/ERR_CONTENT_|ERR_INCOMPLETE_CHUNKED|ERR_HTTP2|ERR_QUIC/, "its response broke off, or is malformed"],
];

/** A document that could not be had. */
interface Failure {
  /** Its origin. */
  readonly origin: string;
  /** Error of the network, as `net::ERR_NAME_NOT_RESOLVED`. */
  readonly error: string;
}

/** Page of Chromium for a document that could not be had. */
const errorPage = /^chrome-error:/;
/** Error at which the page stays as it is: of a download, a response without content, or another navigation. */
const withoutErrorPage = /net::ERR_ABORTED/;

/** How long a page may take to say whether it shows anything, in milliseconds. */
const answerMs = 2_000;

/** Documents of pages that could not be had: Chromium shows a page of its own in place of each. */
export class FailedDocuments {
  readonly #failures = new WeakMap<Page, Failure>();
  /** Documents that began to come and broke off: each is shown as far as it came. */
  readonly #brokenOff = new WeakMap<Page, Failure>();

  /** Starts to listen. */
  constructor(context: BrowserContext) {
    context.on("page", (page) =>
      page.on("framenavigated", (frame) => {
        if (frame !== page.mainFrame()) return;
        this.#brokenOff.delete(page);
        if (!errorPage.test(frame.url())) this.#failures.delete(page);
      }),
    );
    context.on("requestfailed", (request) => this.#note(request));
  }

  /** Returns why the document of a page could not be had, with its origin; undefined for a page that shows one. */
  findError(page: Page): ServiceError | undefined {
    const failure = this.#failures.get(page);
    if (failure !== undefined) return makeDocumentError(failure.origin, failure.error);
    return errorPage.test(page.url())
      ? new ServiceError(
          "page-failed",
          "the page shows an error of the browser: its document could not be loaded; open another one",
        )
      : undefined;
  }

  /** Resolves with the error of a document that broke off before anything of it could be shown; with undefined for any other page. */
  async findEmptyError(page: Page): Promise<ServiceError | undefined> {
    const failure = this.#brokenOff.get(page);
    if (failure === undefined) return undefined;
    const isEmpty = page.evaluate(() => {
      const { body } = document;
      return body === null || (body.childElementCount === 0 && (body.textContent ?? "").trim() === "");
    });
    const hasNothing = await pTimeout(
      isEmpty.catch(() => false),
      { milliseconds: answerMs, fallback: () => false },
    );
    return hasNothing ? makeDocumentError(failure.origin, failure.error) : undefined;
  }

  #note(request: Request): void {
    const error = request.failure()?.errorText ?? "";
    if (!request.isNavigationRequest() || withoutErrorPage.test(error)) return;
    const hasBegun = request.existingResponse() !== null && !/ERR_HTTP_RESPONSE_CODE_FAILURE/.test(error);
    try {
      const frame = request.frame();
      const page = frame.page();
      if (frame !== page.mainFrame()) return;
      (hasBegun ? this.#brokenOff : this.#failures).set(page, { origin: getOrigin(request.url()), error });
    } catch {
      // The page is new, and has no frame yet.
    }
  }
}

/** The error for a document that could not be had, in words. */
export function makeDocumentError(origin: string, error: string, cause?: unknown): ServiceError {
  const [name = "the browser gave no reason"] = /net::ERR_\w+/.exec(error) ?? [];
  const meaning = meanings.find(([pattern]) => pattern.test(name))?.[1];
  const why = meaning === undefined ? name : `${meaning} (${name})`;
  return makeOpeningError(origin, why, cause);
}

function getOrigin(url: string): string {
  const { origin, protocol } = URL.parse(url) ?? {};
  return origin === undefined || origin === "null" ? (protocol ?? "the page") : origin;
}

/** Returns the error for a document that could not be had: `page-failed`. */
export function makeOpeningError(origin: string, why: string, cause: unknown): ServiceError {
  return new ServiceError("page-failed", `${origin} could not be opened: ${why}`, { cause });
}
