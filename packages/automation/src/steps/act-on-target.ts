import type { Locator, Page } from "playwright-core";
import { shorten } from "../quote.ts";
import { StepError } from "../automation-error.ts";
import type { Step, StepResult } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { awaitPerformed } from "./closing-action.ts";
import { describeForm, expectPossibleValue, readFieldType } from "./field-form.ts";
import { describePlaywrightError } from "./playwright-error.ts";
import { expectSeen, type SightUse } from "./seen.ts";
import { locateTarget } from "../targets/find-target.ts";
import { describeTitleAndUrl } from "../targets/not-found.ts";
import { isPasswordField } from "../snapshot/passwords.ts";
import { selectOption } from "./select-option.ts";
import { chooseFiles, findFilePaths } from "./upload-files.ts";
import { askHeldValues, holdValue } from "../page/ask-documents.ts";
import type { HeldValue } from "../page/held-values.ts";
import { identifyDocument } from "../page/document-of.ts";
import { hear, hearLate, type Manner } from "../page/hear.ts";
import { settleAfter } from "../page/settling.ts";
import type { StepContext } from "../page/step-context.ts";
import { awaitWithin } from "../async.ts";
import { watchFormValidation } from "./form-validation.ts";

/** Says that a field of a password has refused its value, which is not repeated. */
const secretNotTaken = "the field did not take the value";

/** Longest time for an action on an element that is there, in milliseconds. */
const timeoutMs = 5000;

/** Steps that act on an element. */
export type Act = Extract<
  Step,
  { readonly action: "click" | "hover" | "fill" | "select" | "check" | "upload" | "press" }
>;

/** How the actions use an element that a person has to see. */
const sightUses: Readonly<Partial<Record<Act["action"], SightUse>>> = {
  click: "click",
  fill: "fill",
  select: "choose",
  check: "choose",
};

/**
 * Performs a step on its target, and describes the navigation it caused.
 *
 * @throws {AutomationError} `step_failed`
 */
export async function actOnTarget(page: Page, step: Act, context: StepContext): Promise<StepResult> {
  const { variables, signal } = context;
  const late = await hearLate(page);
  const match =
    step.target &&
    (await locateTarget(page, step.target, variables, {
      signal,
      allowSimilar: context.allowSimilar ?? true,
      mayBeHidden: step.action === "upload",
    }));
  if (match && step.action === "fill") await expectPossibleValue(match.locator, fillIn(step.value, variables));
  const use = sightUses[step.action];
  if (match && use) await expectSeen(page, match.locator, use, signal);
  const before = page.url();
  const maySubmit = step.action === "click" || (step.action === "press" && step.key === "Enter");
  const validation = maySubmit && (await watchFormValidation(match?.locator ?? page.locator(":focus")));
  const manner = await chooseManner(page, step, match?.locator);
  // The field that was filled before loses the focus now, and the page may change its value then.
  if (["fill", "select", "check", "upload"].includes(step.action)) await askHeldValues(page, "blur");
  const label = step.target === undefined ? "" : fillIn(step.target.label, variables);
  const done = await settleAfter(page, context, async () => {
    const { summary, held } = await act(page, match?.locator, step, context);
    if (match && held) await holdValue(match.locator, { label, isSecret: false, ...held });
    return summary;
  });
  const invalid = validation && (await validation());
  if (invalid) throw new StepError(`the form was not submitted, a field is invalid: ${JSON.stringify(invalid)}`);
  const notes = [...late, ...(await hear(context.activePage.current ?? page, manner))];
  if (manner.kind !== "sets") await askHeldValues(context.activePage.current ?? page, "release");
  const change = match?.foundAs === undefined ? "" : ` It was found as ${match.foundAs}.`;
  const sentences = notes.map((note) => ` ${note}`).join("");
  return {
    summary: `${done.replace("{}", () => label)}.${change}${sentences}${await describeNavigation(page, before, context)}`,
    notes,
  };
}

/** Returns the kind of a step, as reactions to a click on a link are judged less strictly than those to a button. */
async function chooseManner(page: Page, { action }: Act, locator: Locator | undefined): Promise<Manner> {
  const before = await identifyDocument(page);
  // A page often sends a file at once.
  if (action !== "click" && action !== "press" && action !== "upload") return { kind: "sets", before };
  const isLink =
    action === "click" &&
    (await awaitWithin(
      timeoutMs,
      locator?.evaluate((element) => element.closest("a[href]") !== null) ?? Promise.resolve(false),
    ));
  return { kind: isLink === true ? "leads" : "does", before };
}

/** Outcome of an action. */
interface ActOutcome {
  /** Summary in one sentence, with `{}` for the target. */
  readonly summary: string;
  /** The value that it set. */
  readonly held?: Pick<HeldValue, "expected"> & Partial<HeldValue>;
}

/** Performs an action. */
async function act(
  page: Page,
  locator: Locator | undefined,
  step: Act,
  { variables, signal, files }: StepContext,
): Promise<ActOutcome> {
  const options = { timeout: timeoutMs, signal };
  if (locator === undefined) {
    const key = step.action === "press" ? buildKey(step, variables) : "";
    await awaitPerformed(page.keyboard.press(key));
    return { summary: `Pressed ${key}` };
  }
  switch (step.action) {
    case "click":
      await awaitPerformed(locator.click(options));
      return { summary: "Clicked {}" };
    case "hover":
      await locator.hover(options);
      return { summary: "Pointed at {}" };
    case "fill": {
      const value = fillIn(step.value, variables);
      const isSecret = await isPasswordField(locator, signal);
      await locator.fill(value, options).catch((error: unknown) => {
        // Playwright's message may repeat the value.
        signal.throwIfAborted();
        throw new StepError(isSecret ? secretNotTaken : describePlaywrightError(error));
      });
      if (value !== "" && (await isRejected(locator))) {
        throw new StepError(isSecret ? secretNotTaken : describeForm(await readFieldType(locator)));
      }
      const display = isSecret ? "[redacted]" : JSON.stringify(shorten(value, 200));
      return { summary: `Filled {} with ${display}`, held: { expected: value, isSecret } };
    }
    case "select": {
      const option = await selectOption(page, locator, fillIn(step.option, variables), options);
      return { summary: `Selected ${JSON.stringify(option)} in {}`, held: { expected: option } };
    }
    case "check":
      await setChecked(locator, step.checked, options);
      return { summary: step.checked ? "Checked {}" : "Unchecked {}", held: { expected: step.checked } };
    case "upload": {
      const names = step.files.map((name) => fillIn(name, variables));
      await chooseFiles(page, locator, await findFilePaths(names, files), options);
      return { summary: `Chose ${names.map((name) => JSON.stringify(name)).join(", ")} in {}` };
    }
    case "press": {
      const key = buildKey(step, variables);
      await awaitPerformed(locator.press(key, options));
      return { summary: `Pressed ${key} in {}` };
    }
  }
}

/** Returns the key of a step. Keys that paste are refused: the clipboard is shared with other sessions. */
function buildKey({ key }: Extract<Act, { action: "press" }>, variables: StepContext["variables"]): string {
  const name = fillIn(key, variables);
  const modifiers = name.split("+");
  const last = modifiers.pop() ?? "";
  const isHeld = (pattern: RegExp): boolean => modifiers.some((one) => pattern.test(one));
  const pastes =
    /^paste$/i.test(last) ||
    (/^(?:v|KeyV)$/i.test(last) && isHeld(/^(?:Control|Meta)/)) ||
    (/^Insert$/i.test(last) && isHeld(/^Shift/));
  if (pastes) throw new StepError("paste is disabled; use fill");
  return name;
}

/** Returns whether a field rejected a value: some become empty when its form is wrong. */
async function isRejected(locator: Locator): Promise<boolean> {
  const isEmpty = (field: Element): boolean => field instanceof HTMLInputElement && field.value === "";
  return locator.evaluate(isEmpty, undefined, { timeout: 1000 }).catch(() => false);
}

/** Checks or unchecks a box; falls back to a click event when a custom box covers the real one. */
async function setChecked(
  locator: Locator,
  checked: boolean,
  options: { timeout: number; signal: AbortSignal },
): Promise<void> {
  const isUnreachable = await locator.evaluate(isBoxCovered, undefined, options).catch(() => false);
  try {
    // A cover may go.
    await awaitPerformed(locator.setChecked(checked, { ...options, timeout: isUnreachable ? 2000 : options.timeout }));
  } catch (error) {
    options.signal.throwIfAborted();
    const message = error instanceof Error ? error.message : "";
    if (/did not change its state/i.test(message)) throw createSetBackError(checked);
    if (/not enabled/i.test(message)) throw error;
    if (!isUnreachable && !/intercepts pointer events|not visible|outside of the viewport/i.test(message)) throw error;
    await locator.dispatchEvent("click", undefined, options);
    if ((await locator.isChecked(options)) !== checked) throw createSetBackError(checked);
  }
}

function createSetBackError(checked: boolean): StepError {
  return new StepError(`it is ${checked ? "unchecked" : "checked"} again: the page does not keep it`);
}

/** Runs in the page: returns whether a box that is in view is covered by something else than its label. */
function isBoxCovered(box: Element): boolean {
  box.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const { left, top, width, height } = box.getBoundingClientRect();
  const root = box.getRootNode();
  const place = root instanceof ShadowRoot ? root : document;
  const hit = place.elementFromPoint(left + width / 2, top + height / 2);
  return hit === null || (!box.contains(hit) && hit.closest("label")?.control !== box);
}

async function describeNavigation(page: Page, before: string, { activePage }: StepContext): Promise<string> {
  const now = activePage.current;
  if (now === undefined) return " That closed the page.";
  if (now !== page) return ` Now on another page of the session: ${await describeTitleAndUrl(now)}.`;
  return now.url() === before ? "" : ` Now on ${await describeTitleAndUrl(now)}.`;
}
