import type { Page } from "playwright-core";
import { StepError } from "../automation-error.ts";
import { sleep } from "../async.ts";
import { watchSession } from "../page/session-watch.ts";
import type { StepContext } from "../page/step-context.ts";
import { describeTitleAndUrl } from "../targets/not-found.ts";
import type { Step, StepResult } from "../task/step.ts";

/** Longest wait for a tab to be opened, in milliseconds. */
const timeoutMs = 10_000;
/** Polling interval, in milliseconds. */
const pollMs = 50;

/**
 * Continues in another tab of the session, or closes one.
 *
 * @throws {AutomationError} `step_failed` if there is no such tab, or it was closed.
 */
export async function useTab(
  page: Page,
  { tab, does }: Extract<Step, { action: "tab" }>,
  context: StepContext,
): Promise<StepResult> {
  const tabPage = await findTab(page, tab, context.signal);
  context.onAction();
  if (does === "close") {
    await tabPage.close();
    return { summary: `Closed tab ${tab}.` };
  }
  if (context.activePage.current !== tabPage) {
    if (!context.activePage.bringToFront) throw new StepError("tabs can't be chosen here");
    context.activePage.bringToFront(tabPage);
  }
  await tabPage.waitForLoadState("domcontentloaded", { timeout: timeoutMs, signal: context.signal }).catch(() => {
    context.signal.throwIfAborted();
  });
  return { summary: `Went on in tab ${tab}: ${await describeTitleAndUrl(tabPage)}.` };
}

async function findTab(page: Page, tab: number, signal: AbortSignal): Promise<Page> {
  const watch = await watchSession(page);
  const end = performance.now() + timeoutMs;
  for (;;) {
    const tabPage = watch.pages[tab - 1];
    if (tabPage?.isClosed()) throw new StepError(`tab ${tab} was closed`);
    if (tabPage) return tabPage;
    if (performance.now() >= end)
      throw new StepError(`there is no tab ${tab}: the session has opened ${watch.pages.length}`);
    await sleep(pollMs, signal);
  }
}
