/**
 * Codes of the errors of this package.
 *
 * - `usage`: a setting is wrong or missing; the message says what to do.
 * - `busy`: as many extractions run as may at a time.
 * - `page-failed`: the page crashed, or timed out.
 * - `bad-selector`: the selector is not a valid CSS selector.
 */
export type PageContentErrorCode = "usage" | "busy" | "page-failed" | "bad-selector";

/** The error that this package throws. Its message names no key, no cookie value and no query of an address. */
export class PageContentError extends Error {
  /** Always `PageContentError`. */
  override readonly name = "PageContentError";
  /** Code of the error, from a closed list. */
  readonly code: PageContentErrorCode;

  constructor(code: PageContentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
