import type { Locator, Page } from "playwright-core";
import { AutomationError } from "../automation-error.ts";
import type { Step, StepResult, Target } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { untilDone } from "./closing-action.ts";
import { reasonOf, wrongForm } from "./failures.ts";
import { locateTarget } from "../targets/find-target.ts";
import { placeOf } from "../targets/not-found.ts";
import { isPasswordField } from "../snapshot/passwords.ts";
import { Refused } from "./refused.ts";
import { selectOption } from "./select-option.ts";
import { settleAfter } from "../page/settling.ts";
import type { Stage } from "../page/stage.ts";
import { watchForm } from "./unsent-form.ts";

/** Longest time for an action on an element that is there, in milliseconds. */
const timeoutMs = 5000;

/** Steps that act on a part of the page. */
export type Act = Extract<Step, { readonly action: "click" | "fill" | "select" | "check" | "press" }>;

/**
 * Does what a step says to its target, and tells where that led.
 *
 * @throws {AutomationError} `step_failed`
 */
export async function actOnTarget(page: Page, step: Act, stage: Stage): Promise<StepResult> {
  const { variables, signal } = stage;
  const found = step.target && (await locateTarget(page, step.target, variables, { signal }));
  const before = page.url();
  stage.acted();
  const maySend = step.action === "click" || (step.action === "press" && step.key === "Enter");
  const keptBack = maySend && (await watchForm(found?.locator ?? page.locator(":focus")));
  const refused = new Refused(page.context());
  const done = await settleAfter(page, stage, () => act(page, found?.locator, step, stage)).finally(() =>
    refused.end(),
  );
  const complaint = keptBack && (await keptBack());
  if (complaint) throw new AutomationError("step_failed", `the form is not sent: ${JSON.stringify(complaint)}`);
  const messages = refused.messages();
  const target: Target | undefined = step.target;
  const label = target === undefined ? "" : fillIn(target.label, variables);
  const change = found?.foundAs === undefined ? "" : ` It was found as ${found.foundAs}.`;
  return { summary: `${done.replace("{}", () => label)}.${change}${messages}${await whereTo(page, before, stage)}` };
}

/** Performs an action and returns what was done, `{}` for the target. */
async function act(page: Page, locator: Locator | undefined, step: Act, { variables, signal }: Stage): Promise<string> {
  const options = { timeout: timeoutMs, signal };
  if (locator === undefined) {
    const key = step.action === "press" ? keyOf(step, variables) : "";
    await untilDone(page.keyboard.press(key));
    return `Pressed ${key}`;
  }
  switch (step.action) {
    case "click":
      await untilDone(locator.click(options));
      return "Clicked {}";
    case "fill": {
      const value = fillIn(step.value, variables);
      const isSecret = await isPasswordField(locator);
      await locator.fill(value, options).catch((error: unknown) => {
        // Playwright's message may repeat the value.
        signal.throwIfAborted();
        throw new AutomationError("step_failed", isSecret ? "the field did not take the value" : reasonOf(error));
      });
      if (value !== "" && (await isLost(locator, value))) {
        throw new AutomationError("step_failed", isSecret ? "the field did not take the value" : wrongForm);
      }
      return `Filled {} with ${isSecret ? "[redacted]" : JSON.stringify(shortened(value))}`;
    }
    case "select":
      return `Selected ${JSON.stringify(await selectOption(page, locator, fillIn(step.option, variables), options))} in {}`;
    case "check":
      await setChecked(locator, step.checked, options);
      return step.checked ? "Checked {}" : "Unchecked {}";
    case "press": {
      const key = keyOf(step, variables);
      await untilDone(locator.press(key, options));
      return `Pressed ${key} in {}`;
    }
  }
}

/** The key that a step presses. What is in the clipboard may be of another session: none that pastes is pressed. */
function keyOf({ key }: Extract<Act, { action: "press" }>, variables: Stage["variables"]): string {
  const name = fillIn(key, variables);
  const held = name.split("+");
  const last = held.pop() ?? "";
  const isHeld = (pattern: RegExp): boolean => held.some((one) => pattern.test(one));
  const pastes =
    /^paste$/i.test(last) ||
    (/^(?:v|KeyV)$/i.test(last) && isHeld(/^(?:Control|Meta)/)) ||
    (/^Insert$/i.test(last) && isHeld(/^Shift/));
  if (pastes) throw new AutomationError("step_failed", "paste is disabled; use fill");
  return name;
}

/** Tells whether a field has lost a value: some empty themselves when it does not have their form, and a slider moves as far as it can. */
async function isLost(locator: Locator, value: string): Promise<boolean> {
  return locator.evaluate(isAnother, value, { timeout: 1000 }).catch(() => false);
}

/** Runs in the page. */
function isAnother(field: Element, wanted: string): boolean {
  if (!(field instanceof HTMLInputElement)) return false;
  return field.value === "" || (field.type === "range" && Number(field.value) !== Number(wanted));
}

/** Boxes drawn by the page itself cover the real one. */
async function setChecked(
  locator: Locator,
  checked: boolean,
  options: { timeout: number; signal: AbortSignal },
): Promise<void> {
  try {
    await untilDone(locator.setChecked(checked, { ...options, timeout: 2000 }));
  } catch (error) {
    options.signal.throwIfAborted();
    const isCovered =
      error instanceof Error && /intercepts pointer events|not visible|outside of the viewport/i.test(error.message);
    if (!isCovered) throw error;
    await locator.dispatchEvent("click", undefined, options);
    if ((await locator.isChecked(options)) !== checked) throw error;
  }
}

async function whereTo(page: Page, before: string, { activePage }: Stage): Promise<string> {
  const now = activePage.current;
  if (now === undefined) return " The page was closed by that.";
  if (now !== page) return ` Now on another page of the session: ${await placeOf(now)}.`;
  return now.url() === before ? "" : ` Now on ${await placeOf(now)}.`;
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}
