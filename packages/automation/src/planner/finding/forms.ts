import type { ElementHandle, Locator, Page } from "playwright-core";
import { sleep } from "../../async.ts";
import { AutomationError, StepError } from "../../automation-error.ts";
import { readFrames } from "../../page/frames.ts";
import { describeTitleAndUrl } from "../../targets/not-found.ts";
import {
  formParts,
  formWords,
  findLogInParts,
  findSubmitPart,
  type LogInParts,
  type SubmitPart,
} from "./form-parts.ts";

/** Longest wait for a form, in milliseconds. */
const timeoutMs = 5_000;
/** Longest wait for the field for the password after the user was given, in milliseconds. */
const secondStepTimeoutMs = 10_000;
/** Wait for a password field before a form with a user field alone is accepted, in milliseconds. */
const passwordAfterMs = 1_000;
const pollMs = 150;

/** The parts of the one form to log in with. */
export interface LogInForm {
  /** The field for the user; undefined in the second of two steps. */
  readonly user: Locator | undefined;
  /** The field for the password; undefined in the first of two steps. */
  readonly password: Locator | undefined;
  /** The button that sends it; undefined if Enter does. */
  readonly submit: Locator | undefined;
}

/**
 * Finds the one form to log in with. Waits some seconds for it.
 *
 * @param isSecondStep - The user was given in the step before.
 * @throws {AutomationError} `step_failed` if no form fits, or more than one does.
 */
export async function findLogInForm(page: Page, signal: AbortSignal, isSecondStep: boolean): Promise<LogInForm> {
  const began = performance.now();
  for (;;) {
    signal.throwIfAborted();
    const { verdict, form } = await lookForLogIn(page, isSecondStep);
    const waitedMs = performance.now() - began;
    const isFirstOfTwo = form?.password === undefined;
    if (form && (!isFirstOfTwo || (!isSecondStep && waitedMs > passwordAfterMs))) return form;
    if (waitedMs > (isSecondStep ? secondStepTimeoutMs : timeoutMs))
      throw await createNoFormError(page, "to log in", verdict);
    await sleep(pollMs, signal);
  }
}

/** Looks for the one form to log in with, now. */
export async function lookForLogIn(
  page: Page,
  isSecondStep: boolean,
): Promise<{ readonly verdict: LogInParts["verdict"]; readonly form?: LogInForm }> {
  const all = await readFrames(page, async (frame) => {
    const elements = frame.locator(formParts).filter({ visible: true });
    return { elements, parts: await elements.evaluateAll(findLogInParts, { words: formWords, isSecondStep }) };
  });
  const forms = all.filter(({ parts }) => parts.verdict === "form");
  const complete = forms.filter(({ parts }) => parts.password >= 0);
  const [one, another] = complete.length > 0 ? complete : forms;
  const isUnclear = another !== undefined || all.some(({ parts }) => parts.verdict === "several");
  if (isUnclear) return { verdict: "several" };
  if (one === undefined) return { verdict: all.some(({ parts }) => parts.verdict === "other") ? "other" : "none" };
  const { elements, parts } = one;
  const locateAt = (index: number): Locator | undefined => (index < 0 ? undefined : elements.nth(index));
  return {
    verdict: "form",
    form: { user: locateAt(parts.user), password: locateAt(parts.password), submit: locateAt(parts.submit) },
  };
}

/**
 * Finds the button that sends the form of the field that was filled last; if none was filled on the page, that of its only form. Waits
 * some seconds for it.
 *
 * @returns "enter" if that form has no button, and a key in the field sends it.
 * @throws {AutomationError} `step_failed` if the page has no form, or more than one that fits.
 */
export async function findSubmit(
  page: Page,
  near: ElementHandle | undefined,
  signal: AbortSignal,
): Promise<Locator | "enter"> {
  const ends = performance.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    const submit = await lookForSubmit(page, near);
    if (submit === "enter" || typeof submit !== "string") return submit;
    if (performance.now() > ends) throw await createNoFormError(page, "to submit", submit);
    await sleep(pollMs, signal);
  }
}

async function lookForSubmit(
  page: Page,
  near: ElementHandle | undefined,
): Promise<Locator | "enter" | "none" | "several"> {
  const own = await near?.ownerFrame().catch(() => null);
  const isThere = (await near?.evaluate((field) => field.isConnected).catch(() => false)) === true;
  const all = await readFrames(page, async (frame) => {
    if (own && isThere && frame !== own) return "none";
    const elements = frame.locator(formParts).filter({ visible: true });
    const field = isThere ? (near ?? null) : null;
    const part: SubmitPart = await elements.evaluateAll(findSubmitPart, { words: formWords, near: field });
    return typeof part === "number" ? elements.nth(part) : part;
  });
  const [submit = "none", another] = all.filter((one) => one !== "none");
  return another === undefined ? submit : "several";
}

async function createNoFormError(page: Page, purpose: string, verdict: string): Promise<AutomationError> {
  const where = await describeTitleAndUrl(page);
  const why =
    verdict === "several"
      ? `ambiguous target: several forms or buttons ${purpose} could be meant on ${where}`
      : `there is no form ${purpose} on ${where}${verdict === "other" ? "; the one with a password is for something else" : ""}`;
  return new StepError(`${why}; name the fields and the button instead: fill X with Y, click Z`);
}
