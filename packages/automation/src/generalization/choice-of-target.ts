import type { Locator } from "playwright-core";
import { askElement } from "../page/ask-element.ts";
import { toSnakeCase } from "../task/names.ts";
import type { StepTarget } from "../task/step.ts";
import { fillIn, listVariables } from "../task/template.ts";
import { generalizeTarget, type TaskValue } from "./generalize.ts";
import { readChoice } from "./named-choice.ts";

/** Returns the name in the label of a target: `textbox "City"`; empty without one. */
export function readQuotedName({ label }: StepTarget): string {
  return /^[^"]* "(.*)"$/s.exec(fillIn(label, new Map()))?.[1] ?? "";
}

/**
 * Returns the choice among similar elements (an option, a day, a suggestion, a row) that a target stands for, as a value of the task.
 * Undefined if the target is no such choice, or if its selectors do not depend on the choice.
 *
 * @param typed - Values of the task so far.
 * @throws {AutomationError} `step_failed` if the page does not respond.
 */
export async function readTargetChoice(
  element: Locator,
  target: StepTarget,
  typed: readonly string[],
  signal: AbortSignal,
): Promise<TaskValue | undefined> {
  const name = readQuotedName(target);
  if (name === "") return undefined;
  const choice = await askElement((bound) => element.evaluate(readChoice, { name, typed }, bound), signal);
  if (!choice || typed.includes(choice.value)) return undefined;
  const general = generalizeTarget(target, [{ name: "choice", value: choice.value }]);
  if (listVariables(general.label).length === 0 || listVariables(general.selectors[0] ?? "").length === 0)
    return undefined;
  return { name: toSnakeCase(choice.variable), value: choice.value, isChoice: true };
}
