/**
 * Codes of the errors of tasks and functions. Sent in the `error` field of an `error` event.
 *
 * - `model_needed`: the task is beyond the planner, and no model is configured.
 * - `model_failed`: the model did not respond, or its response can't be used.
 * - `step_failed`: a step does not fit the page; the detail says what was seen there.
 * - `address_refused`: a page may not be opened at that address.
 * - `budget_spent`: going on would cost more than a run may.
 * - `too_many_steps`: the limit of steps is reached.
 * - `unknown_variable`: a function was given a variable that it does not have, or lacks the value of one.
 * - `session_lost`: the browser of the run crashed or was closed.
 * - `usage`: a limit or a setting is wrong; thrown before anything runs.
 * - `internal`: a bug of the service.
 */
export type AutomationErrorCode =
  | "model_needed"
  | "model_failed"
  | "step_failed"
  | "address_refused"
  | "budget_spent"
  | "too_many_steps"
  | "unknown_variable"
  | "session_lost"
  | "usage"
  | "internal";

/** The error that workers and functions throw. Its message contains no secret; it is sent in the event stream. */
export class AutomationError extends Error {
  override readonly name = "AutomationError";
  /** Code of the error, from a closed list. */
  readonly code: AutomationErrorCode;

  constructor(code: AutomationErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/**
 * Waits for an answer. Returns undefined if it fails with `step_failed`.
 *
 * @throws Any other error; the signal's reason when it aborts.
 */
export async function unlessStepFails<Answer>(
  answer: Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof AutomationError && error.code === "step_failed") return undefined;
    throw error;
  });
}

/** Returns the error of a run whose pages were all closed: `session_lost`. */
export function makePagesClosedError(options?: ErrorOptions): AutomationError {
  return new AutomationError("session_lost", "all pages of the session were closed", options);
}

/** The error of a step that does not fit the page: `step_failed`. */
export class StepError extends AutomationError {
  constructor(message: string, options?: { cause?: unknown }) {
    super("step_failed", message, options);
  }
}

/** Returns the error of a step whose element has left the page since its reference was read. */
export function makeReferenceError(ref: string): StepError {
  return new StepError(`no element has the reference ${ref} any more; read the page again`);
}
