import { untilAborted } from "../async.ts";
import { StepError } from "../automation-error.ts";

/** Timeout of one attempt, in milliseconds, and the number of attempts. */
const waiting = { eachMs: 5_000, times: 4 } as const;

/**
 * Evaluates a question on an element, and repeats it while a busy page does not answer. For questions that decide what is recorded: a
 * missing answer is an error, never a guess.
 *
 * @param ask - Evaluates a function on the element within a bound.
 * @throws {AutomationError} `step_failed` if it does not answer; the reason of the signal when it aborts.
 */
export async function askElement<Answer>(
  ask: (bound: { readonly timeout: number }) => Promise<Answer>,
  signal?: AbortSignal,
): Promise<Answer> {
  let cause: unknown;
  for (let time = 0; time < waiting.times; time += 1) {
    signal?.throwIfAborted();
    const answer = ask({ timeout: waiting.eachMs });
    try {
      return await (signal ? untilAborted(answer, signal) : answer);
    } catch (error) {
      cause = error;
    }
  }
  signal?.throwIfAborted();
  throw new StepError("the page does not respond, so nothing was done on it", { cause });
}
