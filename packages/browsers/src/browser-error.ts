/**
 * Codes of the errors of this package.
 *
 * - `usage`: a setting is wrong or missing; the message says what to do.
 * - `browser-missing`: Chromium is not available for this machine, or the configured one can't be started.
 * - `busy`: the limit of browser contexts, or of pending DNS lookups, is reached.
 * - `page-failed`: the page crashed, timed out, or its host has no address.
 * - `address-refused`: that address is not allowed.
 */
export type BrowserErrorCode = "usage" | "browser-missing" | "busy" | "page-failed" | "address-refused";

/** The error that this package throws. Its message contains no key, no cookie value and no query of a URL. */
export class BrowserError extends Error {
  /** Always `BrowserError`. */
  override readonly name = "BrowserError";
  /** Code of the error, from a closed list. */
  readonly code: BrowserErrorCode;

  constructor(code: BrowserErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
