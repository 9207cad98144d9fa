import type { Page } from "playwright-core";
import { AutomationError, StepError, makePagesClosedError } from "../automation-error.ts";
import type { Step, StepResult } from "../task/step.ts";
import { answerDialogs } from "./answer-dialogs.ts";
import { actOnTarget } from "./act-on-target.ts";
import { extract } from "../extraction/extract.ts";
import { describePlaywrightError } from "./playwright-error.ts";
import { watchSession } from "../page/session-watch.ts";
import { scroll, wait } from "./scroll-and-wait.ts";
import { formatUrl } from "../quote.ts";
import { goBack, openPage } from "./open-page.ts";
import type { StepContext } from "../page/step-context.ts";
import { describeStep } from "./step-name.ts";
import { useTab } from "./use-tab.ts";
import { untilAborted } from "../async.ts";

export type { StepContext } from "../page/step-context.ts";

/**
 * Performs one step on the active page of the session, and waits until the page has settled, within a bound. It begins when no person has
 * the control of the session. When the signal aborts, its reason is thrown at once.
 *
 * @throws {AutomationError} `step_failed`: names the step, and what the page shows instead.
 * @throws {AutomationError} `address_refused`, `unknown_variable`, `session_lost`
 *
 * @example
 * ```ts from=examples/api/automation/perform-step.ts
 * import { performStep } from "@cloud-browser/automation";
 * import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * await (await context.newPage()).setContent("<table><tr><th>Pier<th>Leaves<tr><td>3<td>14:20</table>");
 *
 * const { data } = await performStep(
 *   { action: "extract", name: "ferries", what: { kind: "table" } },
 *   {
 *     activePage: new ActivePage(context),
 *     variables: new Map(),
 *     checkUrl: async () => undefined,
 *     onAction: () => undefined,
 *     signal: AbortSignal.timeout(60_000),
 *   },
 * );
 * console.log(JSON.stringify(data)); // …"Leaves":"14:20"…
 * await pool.close();
 * ```
 */
export async function performStep(step: Step, context: StepContext): Promise<StepResult> {
  context.signal.throwIfAborted();
  await context.untilMayAct?.();
  const page = context.activePage.current;
  if (page === undefined) throw makePagesClosedError();
  try {
    if (context.files) (await watchSession(page)).dialogs.downloads.follow(context.files);
    const performed = answerDialogs(page, step, context, () => performOn(page, step, context));
    return await untilAborted(performed, context.signal);
  } catch (error) {
    context.signal.throwIfAborted();
    throw toAutomationError(error, page, step, context);
  }
}

async function performOn(page: Page, step: Step, context: StepContext): Promise<StepResult> {
  switch (step.action) {
    case "open":
      return openPage(page, step.url, context);
    case "back":
      return goBack(page, context);
    case "click":
    case "hover":
    case "fill":
    case "select":
    case "check":
    case "upload":
    case "press":
      return actOnTarget(page, step, context);
    case "scroll":
      return scroll(page, step, context);
    case "tab":
      return useTab(page, step, context);
    case "wait":
      return wait(page, step, context);
    case "extract":
      return extract(page, step, context);
  }
}

function toAutomationError(
  error: unknown,
  page: Page,
  step: Step,
  { activePage, variables }: StepContext,
): AutomationError {
  if (error instanceof AutomationError && error.code !== "step_failed") return error;
  if (activePage.current === undefined) return makePagesClosedError({ cause: error });
  const where = error instanceof AutomationError ? "" : ` (on ${formatUrl(page.url())})`;
  return new StepError(
    `the step "${describeStep(step, variables)}" failed: ${describePlaywrightError(error)}${where}`,
    { cause: error },
  );
}
