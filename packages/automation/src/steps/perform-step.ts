import type { Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import type { Step, StepResult } from "../task/step.ts";
import { actOnTarget } from "./act-on-target.ts";
import { extract } from "../extraction/extract.ts";
import { reasonOf } from "./failures.ts";
import { scroll, wait } from "./look-around.ts";
import { addressOf } from "../targets/not-found.ts";
import { goBack, openPage } from "./open-page.ts";
import type { Stage } from "../page/stage.ts";
import { nameOfStep } from "./step-name.ts";
import { untilAborted } from "../async.ts";

export type { Stage } from "../page/stage.ts";

/**
 * Performs one step on the page that the session is on, and waits for what it sets off, within a bound. When the signal aborts,
 * its reason is thrown at once.
 *
 * @throws {AutomationError} `step_failed`: which step, and what was seen on the page instead.
 * @throws {AutomationError} `address_refused`, `unknown_variable`, `session_lost`
 */
export async function performStep(step: Step, stage: Stage): Promise<StepResult> {
  stage.signal.throwIfAborted();
  const page = stage.activePage.current;
  if (page === undefined) throw new AutomationError("session_lost", "All pages of the session were closed.");
  try {
    return await untilAborted(performOn(page, step, stage), stage.signal);
  } catch (error) {
    stage.signal.throwIfAborted();
    throw failureOf(error, page, step, stage);
  }
}

async function performOn(page: Page, step: Step, stage: Stage): Promise<StepResult> {
  switch (step.action) {
    case "open":
      return openPage(page, step.url, stage);
    case "back":
      return goBack(page, stage);
    case "click":
    case "fill":
    case "select":
    case "check":
    case "press":
      return actOnTarget(page, step, stage);
    case "scroll":
      return scroll(page, step, stage);
    case "wait":
      return wait(page, step, stage);
    case "extract":
      return extract(page, step, stage);
  }
}

function failureOf(error: unknown, page: Page, step: Step, { activePage, variables }: Stage): AutomationError {
  if (error instanceof AutomationError && error.code !== "step_failed") return error;
  if (activePage.current === undefined)
    return new AutomationError("session_lost", "All pages of the session were closed.", { cause: error });
  const where = error instanceof AutomationError ? "" : ` (on ${addressOf(page)})`;
  return new AutomationError(
    "step_failed",
    `The step "${nameOfStep(step, variables)}" failed: ${reasonOf(error)}${where}.`,
    { cause: error },
  );
}
