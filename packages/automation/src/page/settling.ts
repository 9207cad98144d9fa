import type { Page, Request } from "playwright-core";
import type { Stage } from "./stage.ts";
import { sleep, within } from "../async.ts";

/** How long nothing may happen before a page counts as quiet, in milliseconds. */
const quietMs = 120;
/** Longest wait for requests of a page that stays, in milliseconds. */
const requestsMs = 2500;
/** Longest wait for a page that is being opened, in milliseconds. */
const navigationMs = 8000;
/** Requests whose answers are shown on the page. */
const awaited = new Set(["document", "script", "stylesheet", "xhr", "fetch"]);

/**
 * Acts on a page, and waits for what that sets off, within bounds: another page, a new one, answers to its requests.
 */
export async function settleAfter<Result>(page: Page, stage: Stage, act: () => Promise<Result>): Promise<Result> {
  const context = page.context();
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
  context.on("request", begin);
  context.on("requestfinished", end);
  context.on("requestfailed", end);
  context.on("page", change);
  page.on("framenavigated", change);
  try {
    const result = await act();
    const actedMs = Date.now();
    changedMs = Math.max(changedMs, actedMs);
    for (;;) {
      const navigates = [...pending].some((request) => request.isNavigationRequest());
      const takesMs = Date.now() - actedMs;
      if (takesMs > (navigates ? navigationMs : requestsMs)) break;
      if (pending.size === 0 && Date.now() - changedMs >= quietMs) break;
      await sleep(25, stage.signal);
    }
    await within(
      navigationMs,
      stage.activePage.current?.waitForLoadState("domcontentloaded", { timeout: navigationMs }) ?? Promise.resolve(),
    );
    return result;
  } finally {
    context.off("request", begin);
    context.off("requestfinished", end);
    context.off("requestfailed", end);
    context.off("page", change);
    page.off("framenavigated", change);
  }
}
