import type { Locator } from "playwright-core";
import { readTargetChoice } from "../generalization/choice-of-target.ts";
import type { StepTarget } from "../task/step.ts";
import { recordTarget } from "../targets/record-target.ts";
import type { TaskVariables } from "./task-variables.ts";

/**
 * Creates the target of what is clicked or checked. Where the task named one of several things that are alike, such as an option, a day, a
 * suggestion or a row, its name becomes a variable.
 */
export async function recordTargetWithChoice(
  element: Locator,
  variables: TaskVariables,
  signal: AbortSignal,
): Promise<StepTarget> {
  const target = await recordTarget(element);
  const typed = variables.all.filter(({ isSecret }) => !isSecret).map(({ value }) => value);
  const choice = await readTargetChoice(element, target, typed, signal);
  if (choice) variables.addChoice(choice.name, choice.value);
  return target;
}
