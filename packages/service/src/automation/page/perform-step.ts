import type { Step, StepResult } from "../step.ts";
import type { Stage } from "./stage.ts";

export type { Stage } from "./stage.ts";

/**
 * Performs one step on the page that the session is on, and waits for what it sets off, within a bound.
 *
 * @throws {AutomationError} `step_failed`, `address_refused`, `unknown_variable`, `session_lost`
 */
export async function performStep(_step: Step, _stage: Stage): Promise<StepResult> {
  throw new Error("not written yet");
}
