/**
 * Codes of the errors of this package.
 *
 * - `usage`: a setting is wrong or missing; the message says what to do.
 * - `browser-missing`: no Chromium runs on this machine, or the one configured can not be started.
 * - `busy`: as many browser contexts are open as there may be.
 * - `page-failed`: the page crashed, or timed out.
 * - `address-refused`: that address is not allowed.
 */
export type BrowserErrorCode = "usage" | "browser-missing" | "busy" | "page-failed" | "address-refused";

/** The error that this package throws. Its message names no key, no cookie value and no query of an address. */
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
