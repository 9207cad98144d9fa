import { APICallError, InvalidResponseDataError, RetryError } from "ai";
import { AnswerTooLong, RetryTooLate } from "./bounded-fetch.ts";

const statuses: Readonly<Record<number, string>> = {
  400: "refused the request (400): does the model know JSON answers and tools, and is the text within its limit?",
  401: "refused the API key (401)",
  402: "asks for payment (402)",
  403: "refused the API key (403)",
  404: "does not know this address or model (404): check the base URL and the name of the model",
  413: "rejected the request as too large (413)",
  429: "reached its rate limit (429): try again later",
};

/** The response does not come from a model provider. */
const malformedResponse = "sent a malformed response: not what an OpenAI-compatible server sends";

/**
 * Describes why a call of a model failed, as the end of a sentence that starts with "The model". Words of the provider are left
 * out: they may hold the key, the account or the page.
 *
 * @param hasBegun - Whether any of the answer came that could be read.
 *
 * @example
 * ```ts from=examples/api/page-content/describe-model-failure.ts
 * import { describeModelFailure } from "@cloud-browser/page-content";
 * import { APICallError } from "ai";
 *
 * const error = new APICallError({
 *   message: "",
 *   url: "https://models.example/v1",
 *   requestBodyValues: {},
 *   statusCode: 401,
 * });
 * console.log(`The model ${describeModelFailure(error)}.`); // The model refused the API key (401).
 * ```
 */
export function describeModelFailure(error: unknown, hasBegun = true): string {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  const chain = causes(last);
  if (chain.some((cause) => cause instanceof AnswerTooLong)) return "sent a response larger than the limit";
  const later = chain.find((cause) => cause instanceof RetryTooLate);
  if (later) {
    const reason = statuses[later.statusCode]?.split(":")[0] ?? `responded with status ${later.statusCode}`;
    return `${reason}: try again in ${Math.ceil(later.pauseMs / 1_000)} seconds`;
  }
  if (chain.some(isTimeout)) return "timed out";
  if (chain.some((cause) => cause instanceof Error && cause.name === "AbortError")) return "was aborted";
  if (chain.some(isCut)) return "ended its response early";
  if (InvalidResponseDataError.isInstance(last)) return hasBegun ? "ended its response early" : malformedResponse;
  if (!APICallError.isInstance(last)) return malformedResponse;
  const { statusCode } = last;
  if (statusCode === undefined) return "could not be reached: check the base URL";
  if (statusCode < 300) return malformedResponse;
  return statuses[statusCode] ?? `responded with status ${statusCode}`;
}

/**
 * Returns whether the provider refused a call, the last of several, with a status of 300 or more: such a call costs nothing.
 *
 * @example
 * ```ts from=examples/api/page-content/is-provider-refusal.ts
 * import { isProviderRefusal } from "@cloud-browser/page-content";
 * import { APICallError } from "ai";
 *
 * const error = new APICallError({
 *   message: "",
 *   url: "https://models.example/v1",
 *   requestBodyValues: {},
 *   statusCode: 429,
 * });
 * console.log(isProviderRefusal(error)); // true
 * ```
 */
export function isProviderRefusal(error: unknown): boolean {
  const last = RetryError.isInstance(error) ? error.lastError : error;
  return causes(last).some(
    (cause) => cause instanceof RetryTooLate || (APICallError.isInstance(cause) && (cause.statusCode ?? 0) >= 300),
  );
}

function isTimeout(cause: unknown): boolean {
  return (cause instanceof Error || cause instanceof DOMException) && cause.name === "TimeoutError";
}

/** Returns whether the connection ended within an answer. */
function isCut(cause: unknown): boolean {
  return cause instanceof TypeError && cause.message === "terminated";
}

function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && chain.length < 8;) {
    chain.push(at);
    at = at instanceof Error ? at.cause : undefined;
  }
  return chain;
}
