import type { Page, Request } from "playwright-core";
import type { StepContext } from "./step-context.ts";
import { sleep, within } from "../async.ts";

/** Time without activity after which a page counts as settled, in milliseconds. */
const quietMs = 120;
/** Longest wait for requests of a page that stays, in milliseconds. */
const requestsTimeoutMs = 2500;
/** Longest wait for a page that is being opened, in milliseconds. */
const navigationTimeoutMs = 8000;
/** Longest time until it is looked again whether a request has ended, in milliseconds. */
const pollMs = 25;
/** Requests whose answers are shown on the page. */
const awaited = new Set(["document", "script", "stylesheet", "xhr", "fetch"]);

/**
 * Runs an action on a page, and waits until the page has settled, within bounds: navigation, new pages, pending requests.
 */
export async function settleAfter<Result>(
  page: Page,
  context: StepContext,
  act: () => Promise<Result>,
): Promise<Result> {
  const browserContext = page.context();
  const pending = new Set<Request>();
  let changedMs = Date.now();
  const begin = (request: Request): void => {
    if (awaited.has(request.resourceType())) pending.add(request);
    changedMs = Date.now();
  };
  const end = (request: Request): void => {
    if (pending.delete(request)) changedMs = Date.now();
  };
  const change = (): void => void (changedMs = Date.now());
  browserContext.on("request", begin);
  browserContext.on("requestfinished", end);
  browserContext.on("requestfailed", end);
  browserContext.on("page", change);
  page.on("framenavigated", change);
  try {
    context.onAction();
    const result = await act();
    const actedMs = Date.now();
    changedMs = Math.max(changedMs, actedMs);
    for (;;) {
      const navigates = [...pending].some((request) => request.isNavigationRequest());
      const takesMs = Date.now() - actedMs;
      if (takesMs > (navigates ? navigationTimeoutMs : requestsTimeoutMs)) break;
      const leftMs = changedMs + quietMs - Date.now();
      if (pending.size === 0 && leftMs <= 0) break;
      await sleep(pending.size === 0 ? leftMs : pollMs, context.signal);
    }
    await within(
      navigationTimeoutMs,
      context.activePage.current?.waitForLoadState("domcontentloaded", { timeout: navigationTimeoutMs }) ??
        Promise.resolve(),
    );
    return result;
  } finally {
    browserContext.off("request", begin);
    browserContext.off("requestfinished", end);
    browserContext.off("requestfailed", end);
    browserContext.off("page", change);
    page.off("framenavigated", change);
  }
}
