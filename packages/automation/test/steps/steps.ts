import { performStep, type StepContext } from "../../src/steps/perform-step.ts";
import type { ExtractionKind, Step, StepTarget } from "../../src/task/step.ts";

/** A target by role and name. */
export function the(role: string, name: string): StepTarget {
  return {
    selectors: [`internal:role=${role}[name=${JSON.stringify(name)}s]`],
    label: `${role} ${JSON.stringify(name)}`,
  };
}

/** Fills a text field. */
export function fill(name: string, value: string): Step {
  return { action: "fill", target: the("textbox", name), value };
}

/** Clicks something. */
export function click(role: string, name: string): Step {
  return { action: "click", target: the(role, name) };
}

/** Extracts something as `result`. */
export function take(
  what: ExtractionKind,
  more: { target?: StepTarget; nextPage?: { target: StepTarget; most: number } } = {},
): Step {
  return { action: "extract", name: "result", what, ...more };
}

/** Performs steps one after the other; gives what the last one did. */
export async function performAll(
  context: StepContext,
  ...steps: readonly Step[]
): Promise<{ summary: string; data: unknown }> {
  let last: { summary: string; data: unknown } = { summary: "", data: undefined };
  for (const step of steps) {
    const { summary, data } = await performStep(step, context);
    last = { summary, data: data?.value };
  }
  return last;
}
