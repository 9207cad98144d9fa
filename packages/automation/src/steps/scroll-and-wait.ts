import type { Page } from "playwright-core";
import { StepError } from "../automation-error.ts";
import type { ScrollPosition, Step, StepResult } from "../task/step.ts";
import { fillIn } from "../task/template.ts";
import { locateTarget } from "../targets/find-target.ts";
import { describeTitleAndUrl } from "../targets/not-found.ts";
import { settleAfter } from "../page/settling.ts";
import type { StepContext } from "../page/step-context.ts";
import { sleep, awaitWithin } from "../async.ts";

/** Longest wait for an element or a text, in milliseconds. */
const waitTimeoutMs = 15_000;
/** Longest wait that a step may ask for, in seconds. */
const maxSeconds = 60;

/**
 * Scrolls the page, or to an element.
 *
 * @throws {AutomationError} `step_failed`
 */
export async function scroll(
  page: Page,
  { to }: Extract<Step, { action: "scroll" }>,
  context: StepContext,
): Promise<StepResult> {
  if (typeof to !== "string" && "x" in to) {
    await settleAfter(page, context, () => page.evaluate(scrollTo, to), "load");
    return { summary: `Scrolled to ${to.x}, ${to.y}.` };
  }
  if (typeof to !== "string") {
    const { locator, foundAs } = await locateTarget(page, to, context.variables, { signal: context.signal });
    context.onAction();
    await locator.scrollIntoViewIfNeeded({ timeout: 5000, signal: context.signal });
    const change = foundAs === undefined ? "" : ` It was found as ${foundAs}.`;
    return { summary: `Scrolled to ${fillIn(to.label, context.variables)}.${change}` };
  }
  const { share, moved } = await settleAfter(page, context, () => page.evaluate(scrollPage, to), "load");
  const where = share >= 1 ? "the end is reached" : `${Math.round(share * 100)} % of it is above`;
  return { summary: moved ? `Scrolled ${to}: ${where}.` : `The page can't be scrolled further ${to}.` };
}

/** Runs in the page. */
function scrollTo({ x, y }: ScrollPosition): void {
  window.scrollTo({ left: x, top: y, behavior: "instant" });
}

/** Runs in the page: scrolls the document; if it can't scroll, the largest element that can. */
function scrollPage(to: "top" | "bottom" | "down" | "up"): { share: number; moved: boolean } {
  const root = document.scrollingElement ?? document.documentElement;
  const canScroll = (element: Element): boolean => element.scrollHeight > element.clientHeight + 1;
  const scrolls = (element: Element): boolean =>
    canScroll(element) && /auto|scroll/.test(getComputedStyle(element).overflowY);
  const parts = canScroll(root) ? [] : [...document.querySelectorAll("*")].slice(0, 20_000).filter(scrolls);
  const measureArea = (element: Element): number => element.clientWidth * element.clientHeight;
  const part = parts.reduce((most, one) => (measureArea(one) > measureArea(most) ? one : most), parts[0] ?? root);
  const before = part.scrollTop;
  const step = 0.8 * part.clientHeight;
  const top = { top: 0, bottom: part.scrollHeight, down: before + step, up: before - step }[to];
  part.scrollTo({ top, behavior: "instant" });
  const range = part.scrollHeight - part.clientHeight;
  return { share: range <= 1 ? 1 : Math.min(1, (part.scrollTop + 1) / range), moved: part.scrollTop !== before };
}

/**
 * Waits for a time, a text or an element.
 *
 * @throws {AutomationError} `step_failed` if it does not appear.
 */
export async function wait(
  page: Page,
  { for: what }: Extract<Step, { action: "wait" }>,
  context: StepContext,
): Promise<StepResult> {
  const { signal, variables } = context;
  if ("seconds" in what) {
    const seconds = Math.min(maxSeconds, Math.max(0, what.seconds));
    await sleep(seconds * 1000, signal);
    return { summary: `Waited for ${seconds} s.` };
  }
  if ("text" in what) {
    await waitForText(page, fillIn(what.text, variables), signal);
    return { summary: `The text ${JSON.stringify(fillIn(what.text, variables))} appeared.` };
  }
  const { foundAs } = await locateTarget(page, what, variables, { timeoutMs: waitTimeoutMs, signal });
  const change = foundAs === undefined ? "" : ` It was found as ${foundAs}.`;
  return { summary: `${fillIn(what.label, variables)} appeared.${change}` };
}

async function waitForText(page: Page, text: string, signal: AbortSignal): Promise<void> {
  const end = performance.now() + waitTimeoutMs;
  while (performance.now() < end) {
    signal.throwIfAborted();
    for (const frame of page.frames()) {
      if (((await awaitWithin(2000, frame.getByText(text).filter({ visible: true }).count())) ?? 0) > 0) return;
    }
    await sleep(100, signal);
  }
  const where = await describeTitleAndUrl(page);
  throw new StepError(`the text ${JSON.stringify(text)} did not appear within ${waitTimeoutMs / 1000} s on ${where}`);
}
