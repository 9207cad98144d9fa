import type { Step, StepTarget } from "../task/step.ts";
import { listVariables } from "../task/template.ts";

/** Returns the target that a step is performed on; undefined if it has none. */
export function findStepTarget(step: Step): StepTarget | undefined {
  switch (step.action) {
    case "open":
    case "back":
    case "tab":
      return undefined;
    case "scroll":
      return typeof step.to !== "string" && "selectors" in step.to ? step.to : undefined;
    case "wait":
      return "selectors" in step.for ? step.for : undefined;
    case "click":
    case "hover":
    case "fill":
    case "select":
    case "check":
    case "upload":
    case "press":
    case "extract":
      return step.target;
  }
}

/** Returns whether the new target of a step still uses all variables of the old one. If not, it fits the current values only. */
export function usesSameVariables(step: Step, other: Step): boolean {
  const otherNames = new Set(listNames(findStepTarget(other)));
  return listNames(findStepTarget(step)).every((name) => otherNames.has(name));
}

function listNames(target: StepTarget | undefined): readonly string[] {
  return target ? listVariables(`${target.label}\n${target.selectors[0] ?? ""}`) : [];
}

/** Returns the step with another target. */
export function replaceTarget(step: Step, target: StepTarget): Step {
  switch (step.action) {
    case "open":
    case "back":
    case "tab":
      return step;
    case "scroll":
      return { ...step, to: target };
    case "wait":
      return { ...step, for: target };
    case "click":
    case "hover":
    case "fill":
    case "select":
    case "check":
    case "upload":
    case "press":
    case "extract":
      return { ...step, target };
  }
}
