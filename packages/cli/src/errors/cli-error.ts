/** Kind of failure, which has an exit code in `exit-codes.ts`. */
export type Failure =
  | "failed"
  | "usage"
  | "impossible"
  | "no-control"
  | "authentication"
  | "not-found"
  | "timeout"
  | "cancelled"
  | "broken"
  | "interrupted";

/** Error of a command. Its message is for the user, and contains no secrets. */
export class CliError extends Error {
  /** Always `CliError`. */
  override readonly name = "CliError";
  /** Kind of failure, which decides the exit code. */
  readonly failure: Failure;

  constructor(failure: Failure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
