/** Why a command failed: its exit code, in `exit-codes.ts`. */
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

/** Why a command could not do what it was called for. Its message is for the person who called it, and has no secrets. */
export class CliError extends Error {
  /** Always `CliError`. */
  override readonly name = "CliError";
  /** Which exit code it has. */
  readonly failure: Failure;

  constructor(failure: Failure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
