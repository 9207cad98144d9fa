import type { Page } from "playwright-core";
import { readQuotedName, readTargetChoice } from "../generalization/choice-of-target.ts";
import type { TaskValue } from "../generalization/generalize.ts";
import { escapePattern } from "../quote.ts";
import { toSnakeCase } from "../task/names.ts";
import type { Step, StepTarget } from "../task/step.ts";
import { fillIn, fillInSelector, listVariables } from "../task/template.ts";

/** Task, page and values that a value is read with. */
export interface TaskValueContext {
  /** The page that the step will be performed on; undefined when none is open. */
  readonly page: Page | undefined;
  /** The task. */
  readonly task: string;
  /** Values that were read so far. */
  readonly values: readonly TaskValue[];
  /** Values of the variables that steps name. */
  readonly variables: ReadonlyMap<string, string>;
  /** Aborts it. */
  readonly signal: AbortSignal;
}

/**
 * Reads, before a step is performed, its value that the task names: what is filled or selected, or which of several similar elements is
 * clicked or checked. Undefined if the task does not name it, or it is a secret.
 *
 * @throws {AutomationError} `step_failed` if the page does not respond.
 */
export async function readTaskValue(step: Step, context: TaskValueContext): Promise<TaskValue | undefined> {
  const { task, values } = context;
  if (step.action === "fill") return readValue(step.value, step.target, task);
  if (step.action === "select") return readValue(step.option, step.target, task);
  if (step.action !== "click" && step.action !== "check") return undefined;
  const [selector] = step.target.selectors;
  if (!context.page || selector === undefined) return undefined;
  const element = context.page.locator(fillInSelector(selector, context.variables));
  const typed = values.map(({ value }) => value);
  const choice = await readTargetChoice(element, step.target, typed, context.signal);
  return choice && isSaid(choice.value, task) ? choice : undefined;
}

function readValue(text: string, target: StepTarget, task: string): TaskValue | undefined {
  if (listVariables(text).length > 0) return undefined;
  const value = fillIn(text, new Map());
  return isSaid(value, task) ? { name: toSnakeCase(readQuotedName(target)) || "value", value } : undefined;
}

/** Scripts that are written without spaces. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

/** Returns whether a task says a value, as words of its own. */
function isSaid(value: string, task: string): boolean {
  if (value.trim() === "") return false;
  const words = escapePattern(value.trim());
  const bounded = unspaced.test(value) ? words : String.raw`(?<![\p{L}\p{N}])${words}(?![\p{L}\p{N}])`;
  return new RegExp(bounded, "iu").test(task);
}
