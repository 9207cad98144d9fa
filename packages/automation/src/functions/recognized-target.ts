import type { Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import { locateTarget } from "../targets/find-target.ts";
import { targetOfLocator } from "../targets/target-of.ts";
import type { Step, Target } from "../task/step.ts";
import { namesIn } from "../task/template.ts";
import { generalizeTarget } from "../generalization/generalize.ts";
import { targetOf, withTarget } from "../generalization/step-targets.ts";

/** Longest search for the part of a step, in milliseconds. */
const findMs = 5000;
/** Longest search for a part that may have come later, and for one that is waited for, in milliseconds. */
const waitMs = 15_000;
/** Most selectors of a target: those of the page as it is now, and before them as many as fit. */
const mostSelectors = 8;

/** A step, as it fits the page now. */
export interface Recognized {
  /** The step; with new targets where the page has changed. */
  readonly step: Step;
  /** Elements found in the place of those recorded, where they have changed: `button "Search now"`. */
  readonly foundAs: readonly string[];
}

/**
 * Looks for the parts of a step before it is performed. What has changed but was recognized gets a new target.
 *
 * @throws {AutomationError} `step_failed` when its part is not there.
 */
export async function recognize(
  page: Page,
  step: Step,
  values: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Recognized> {
  const target = targetOf(step);
  const timeoutMs = step.action === "wait" ? waitMs : findMs;
  const part = target && (await look(page, target, values, { timeoutMs, signal }));
  const found = part === undefined ? step : withTarget(step, part.target);
  const next = await lookForNext(page, step, values, signal);
  const whole =
    next && found.action === "extract" && found.nextPage
      ? { ...found, nextPage: { ...found.nextPage, target: next.target } }
      : found;
  const foundAs = [part?.foundAs, next?.foundAs].filter((one) => one !== undefined);
  return { step: foundAs.length > 0 ? whole : step, foundAs };
}

async function lookForNext(
  page: Page,
  step: Step,
  values: ReadonlyMap<string, string>,
  signal: AbortSignal,
): Promise<Looked | undefined> {
  if (step.action !== "extract" || !step.nextPage) return undefined;
  try {
    return await look(page, step.nextPage.target, values, { timeoutMs: 0, signal }); // one look: it may not be there
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AutomationError && error.code === "step_failed") return undefined;
    throw error;
  }
}

interface Looked {
  readonly target: Target;
  readonly foundAs: string | undefined;
}

async function look(
  page: Page,
  target: Target,
  values: ReadonlyMap<string, string>,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Looked> {
  const { locator, foundAs } = await locateTarget(page, target, values, options);
  if (foundAs === undefined) return { target, foundAs };
  const made = await targetOfLocator(locator).catch(() => undefined);
  options.signal.throwIfAborted();
  return { target: made ? renewed(target, made, values) : target, foundAs };
}

/** The part as it is now first, and as it was: pages change back. */
function renewed(old: Target, made: Target, values: ReadonlyMap<string, string>): Target {
  const names = new Set(namesIn([old.label, ...old.selectors].join("\n")));
  const known = [...values].filter(([name]) => names.has(name)).map(([name, value]) => ({ name, value }));
  const { selectors, label } = generalizeTarget(made, known);
  return { selectors: [...new Set([...selectors, ...old.selectors])].slice(0, mostSelectors), label };
}
