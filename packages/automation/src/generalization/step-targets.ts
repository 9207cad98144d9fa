import type { Step, StepTarget } from "../task/step.ts";
import { listVariables } from "../task/template.ts";

/** Returns the target that a step is performed on; undefined if it has none. */
export function findStepTarget(step: Step): StepTarget | undefined {
  if (step.action === "scroll") return typeof step.to !== "string" && "selectors" in step.to ? step.to : undefined;
  if (step.action === "wait") return "selectors" in step.for ? step.for : undefined;
  return "target" in step ? step.target : undefined;
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
  if (step.action === "scroll") return { ...step, to: target };
  if (step.action === "wait") return { ...step, for: target };
  return "target" in step ? { ...step, target } : step;
}
