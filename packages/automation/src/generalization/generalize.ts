import type { Step, StepTarget, Variable } from "../task/step.ts";
import { findFreeName, isName, toName } from "../task/names.ts";
import { escapeTemplate } from "../task/template.ts";
import { listStepVariables } from "../task/step-variables.ts";
import { listNeededSteps } from "./needed-steps.ts";
import { findStepTarget, replaceTarget } from "./step-targets.ts";
import { replaceInSelector, replaceInText, replaceInUrl, type VariableValue } from "./replace-values.ts";

/**
 * A value of a task that may differ in the next run. Its name is converted to an identifier when it is not a valid one. Default: neither a
 * secret nor a choice.
 */
export type TaskValue = Pick<VariableValue, "name" | "value"> & Partial<VariableValue>;

/** Steps with variables. */
export interface Generalized {
  /** The steps that are needed, in their order. */
  readonly steps: readonly Step[];
  /** The variables in the steps. */
  readonly variables: readonly Variable[];
}

/**
 * Generalizes recorded steps: `{{name}}` replaces each text that is a value of the task or contains it as whole words,
 * and steps without effect are dropped. Existing variables are kept.
 *
 * @param task - URLs that it contains are kept as they are.
 */
export function generalize(steps: readonly Step[], values: readonly TaskValue[], task = ""): Generalized {
  const variableValues = nameValues(values);
  const usable = filterUsable(variableValues);
  const replaced = listNeededSteps(steps).map((step) =>
    replaceInStep(step, step.action === "open" ? filterForAddress(step.url, usable, task) : usable),
  );
  const usedNames = new Set(listStepVariables(replaced));
  const variables = variableValues
    .filter(({ name }) => usedNames.has(name))
    .map(({ name, value, isSecret }) => ({ name, value: isSecret ? null : value }));
  return { steps: replaced, variables };
}

/** Replaces values by variables in a target. */
export function generalizeTarget({ selectors, label }: StepTarget, values: readonly TaskValue[]): StepTarget {
  return replaceInTarget({ selectors, label }, filterUsable(nameValues(values)));
}

/** Returns the values under unique names, longest value first. A valid name stays as it is: steps may contain it. */
function nameValues(values: readonly TaskValue[]): readonly VariableValue[] {
  const byName = new Map<string, VariableValue>();
  for (const { name: words, value, isSecret = false, isChoice = false } of values) {
    const name = isName(words) ? words : toName(words);
    const free = findFreeName(name, (candidate) => (byName.get(candidate)?.value ?? value) !== value);
    if (!byName.has(free)) byName.set(free, { name: free, value, isSecret, isChoice });
  }
  return [...byName.values()].sort((one, other) => other.value.length - one.value.length);
}

/** Returns the values that can be searched for in texts, each once. */
function filterUsable(values: readonly VariableValue[]): readonly VariableValue[] {
  return values.filter(({ value }, at) => value.trim() !== "" && values.findIndex((one) => one.value === value) === at);
}

/**
 * Returns the values to replace in a URL. In one that the task contains, values that the task also names elsewhere are kept: "open
 * a.test/admin, log in as admin".
 */
function filterForAddress(url: string, values: readonly VariableValue[], task: string): readonly VariableValue[] {
  const address = dropScheme(url);
  if (!task.includes(address)) return values;
  const besides = task.replaceAll(address, "");
  return values.filter(({ value, isSecret }) => isSecret || dropScheme(value) === address || !besides.includes(value));
}

function dropScheme(url: string): string {
  return url.replace(/^https?:\/\//i, "").replace(/\/$/, "");
}

/** Replaces values by variables in a step. Names of results, keys and schemas stay as they are. */
function replaceInStep(step: Step, values: readonly VariableValue[]): Step {
  const replaceText = (one: string): string => replaceInText(one, values);
  const generalizePart = (one: StepTarget): StepTarget => replaceInTarget(one, values);
  // The name of a field does not change when it is filled with another value.
  const generalizeField = (one: StepTarget, filling: string): StepTarget =>
    replaceInTarget(
      one,
      values.filter(
        ({ name, value, isChoice }) => !isChoice && filling !== escapeTemplate(value) && filling !== `{{${name}}}`,
      ),
    );
  switch (step.action) {
    case "back":
    case "tab":
      return step;
    case "open":
      return { ...step, url: replaceInUrl(step.url, values) };
    case "click":
    case "hover":
    case "check":
    case "press":
    case "scroll": {
      const target = findStepTarget(step);
      return target ? replaceTarget(step, generalizePart(target)) : step;
    }
    case "fill":
      return { ...step, target: generalizeField(step.target, step.value), value: replaceText(step.value) };
    case "select":
      return { ...step, target: generalizeField(step.target, step.option), option: replaceText(step.option) };
    case "upload":
      return { ...step, target: generalizeField(step.target, step.files[0] ?? ""), files: step.files.map(replaceText) };
    case "wait":
      if ("seconds" in step.for) return step;
      return { ...step, for: "text" in step.for ? { text: replaceText(step.for.text) } : generalizePart(step.for) };
    case "extract": {
      const { what, nextPage } = step;
      return {
        ...step,
        ...(what.kind === "data" && what.instructions !== undefined
          ? { what: { ...what, instructions: replaceText(what.instructions) } }
          : {}),
        ...(step.target ? { target: generalizePart(step.target) } : {}),
        ...(nextPage ? { nextPage: { ...nextPage, target: generalizePart(nextPage.target) } } : {}),
      };
    }
  }
}

/** Replaces values by variables in a label. A short value is replaced if it is the whole quotation: `option "15"`. */
function replaceInLabel(label: string, values: readonly VariableValue[]): string {
  const [, kind, quoted] = /^([^"]* )"(.*)"$/s.exec(label) ?? [];
  return kind === undefined || quoted === undefined
    ? replaceInText(label, values)
    : `${replaceInText(kind, values)}"${replaceInText(quoted, values)}"`;
}

function replaceInTarget({ selectors, label }: StepTarget, values: readonly VariableValue[]): StepTarget {
  return {
    selectors: selectors.map((selector) => replaceInSelector(selector, values)),
    label: replaceInLabel(label, values),
  };
}
