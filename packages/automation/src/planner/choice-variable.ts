import type { Locator } from "playwright-core";
import { generalizeTarget } from "../generalization/generalize.ts";
import { readChoice } from "../generalization/named-choice.ts";
import { askElement } from "../page/ask-element.ts";
import type { Target } from "../task/step.ts";
import { snakeCase } from "../task/names.ts";
import { fillIn, namesIn } from "../task/template.ts";
import { targetOfLocator } from "../targets/record-target.ts";
import type { TaskVariables } from "./task-variables.ts";

/**
 * Creates the target of what is clicked or checked. Where the task named one of several things that are alike, such as an option, a day, a
 * suggestion or a row, its name becomes a variable.
 */
export async function targetWithChoice(
  element: Locator,
  variables: TaskVariables,
  signal: AbortSignal,
): Promise<Target> {
  const target = await targetOfLocator(element);
  const name = /^[^"]* "(.*)"$/s.exec(fillIn(target.label, new Map()))?.[1];
  if (name === undefined) return target;
  const typed = variables.all.filter(({ isSecret }) => !isSecret).map(({ value }) => value);
  const choice = await askElement((bound) => element.evaluate(readChoice, { name, typed }, bound), signal);
  if (!choice || typed.includes(choice.value)) return target;
  const general = generalizeTarget(target, [{ name: "choice", value: choice.value }]);
  if (namesIn(general.label).length === 0 || namesIn(general.selectors[0] ?? "").length === 0) return target;
  variables.addChoice(snakeCase(choice.variable), choice.value);
  return target;
}
