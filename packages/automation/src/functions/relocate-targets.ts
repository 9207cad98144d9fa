import type { Page } from "playwright-core";
import { unlessStepFails } from "../automation-error.ts";
import { locateTarget } from "../targets/find-target.ts";
import { recordTarget } from "../targets/record-target.ts";
import type { Step, StepTarget } from "../task/step.ts";
import { listVariables } from "../task/template.ts";
import { generalizeTarget } from "../generalization/generalize.ts";
import { findStepTarget, replaceTarget } from "../generalization/step-targets.ts";

/** Longest search for the element of a step, in milliseconds. */
const findTimeoutMs = 5000;
/** Longest search for the element of a wait step, in milliseconds. */
const waitTimeoutMs = 15_000;
/** Most selectors of a target: those of the current page first, then as many earlier ones as fit. */
const maxSelectors = 8;

/** A step with targets for the current page. */
export interface RelocatedStep {
  /** The step, with new targets where the page has changed. */
  readonly step: Step;
  /** Elements that were found in place of recorded ones: `button "Search now"`. */
  readonly foundAs: readonly string[];
}

/**
 * Locates the elements of a step before it is performed. An element that has changed but was found gets a new target.
 *
 * @throws {AutomationError} `step_failed` if an element is not found.
 */
export async function relocateTargets(
  page: Page,
  step: Step,
  values: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<RelocatedStep> {
  const target = findStepTarget(step);
  const timeoutMs = step.action === "wait" ? waitTimeoutMs : findTimeoutMs;
  const part = target && (await relocate(page, target, values, { timeoutMs, signal }));
  const relocatedStep = part === undefined ? step : replaceTarget(step, part.target);
  const next = await relocateNextPage(page, step, values, signal);
  const whole =
    next && relocatedStep.action === "extract" && relocatedStep.nextPage
      ? { ...relocatedStep, nextPage: { ...relocatedStep.nextPage, target: next.target } }
      : relocatedStep;
  const foundAs = [part?.foundAs, next?.foundAs].filter((one) => one !== undefined);
  return { step: foundAs.length > 0 ? whole : step, foundAs };
}

async function relocateNextPage(
  page: Page,
  step: Step,
  values: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Relocated | undefined> {
  if (step.action !== "extract" || !step.nextPage) return undefined;
  const relocated = relocate(page, step.nextPage.target, values, { timeoutMs: 0, signal }); // no waiting: it may be missing
  return unlessStepFails(relocated, signal);
}

interface Relocated {
  readonly target: StepTarget;
  readonly foundAs: string | undefined;
}

async function relocate(
  page: Page,
  target: StepTarget,
  values: ReadonlyMap<string, string>,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Relocated> {
  const { locator, foundAs } = await locateTarget(page, target, values, options);
  if (foundAs === undefined) return { target, foundAs };
  const newTarget = await recordTarget(locator).catch(() => undefined);
  options.signal.throwIfAborted();
  return { target: newTarget ? mergeTargets(target, newTarget, values) : target, foundAs };
}

/** Puts the new selectors first and keeps the old ones: pages change back. */
function mergeTargets(old: StepTarget, newTarget: StepTarget, values: ReadonlyMap<string, string>): StepTarget {
  const names = new Set(listVariables([old.label, ...old.selectors].join("\n")));
  const known = [...values].filter(([name]) => names.has(name)).map(([name, value]) => ({ name, value }));
  const { selectors, label } = generalizeTarget(newTarget, known);
  return { selectors: [...new Set([...selectors, ...old.selectors])].slice(0, maxSelectors), label };
}
