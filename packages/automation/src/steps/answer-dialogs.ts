import type { Page } from "playwright-core";
import { StepError } from "../automation-error.ts";
import { ExpectedDialogs } from "../page/expected-dialogs.ts";
import { watchSession } from "../page/session-watch.ts";
import type { StepContext } from "../page/step-context.ts";
import type { Step } from "../task/step.ts";
import { fillIn } from "../task/template.ts";

/** Longest wait, after a step, for a dialog that it opens, in milliseconds. */
const timeoutMs = 5_000;

/**
 * Performs a step, and answers the dialogs that it lists, but no other one.
 *
 * @throws {AutomationError} `step_failed` if the page does not show one of them, or shows another one.
 */
export async function answerDialogs<Result>(
  page: Page,
  { dialogs = [] }: Pick<Step, "dialogs">,
  { variables, holdDialogs }: Pick<StepContext, "variables" | "holdDialogs">,
  perform: () => Promise<Result>,
): Promise<Result> {
  if (dialogs.length === 0) return perform();
  const watch = await watchSession(page);
  const expected = new ExpectedDialogs(
    dialogs.map(({ message, text, ...answer }) => ({
      ...answer,
      message: fillIn(message, variables),
      ...(text !== undefined && { text: fillIn(text, variables) }),
    })),
  );
  const release = holdDialogs?.();
  watch.dialogs.expected = expected;
  try {
    const result = await perform();
    const missing = await expected.findMissing(timeoutMs);
    if (!missing) return result;
    const message = JSON.stringify(missing.message.slice(0, 200));
    throw new StepError(`the page did not show the dialog ${message}`);
  } finally {
    watch.dialogs.expected = undefined;
    release?.();
  }
}
