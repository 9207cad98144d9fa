/**
 * Category of a failure of the suite itself; never a fault of the target.
 *
 * - `usage`: a flag, an address or an option is wrong or missing. The message says what to do.
 * - `unreachable`: no connection to the target could be made.
 * - `mock-failed`: the embedded mock did not come up.
 * - `service-failed`: the embedded service did not come up, where no browser can start, for example.
 * - `session-failed`: a session on a page of the suite could not be opened or ended.
 */
export type SuiteErrorCode = "usage" | "unreachable" | "mock-failed" | "service-failed" | "session-failed";

/** The only error class of this package. */
export class SuiteError extends Error {
  /** Always `SuiteError`. */
  override readonly name = "SuiteError";
  /** Category of the failure, from a closed list. */
  readonly code: SuiteErrorCode;

  constructor(code: SuiteErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the message of an error, or any other thrown value as a string. */
export function formatMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
