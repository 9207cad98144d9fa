import type { BrowserContext } from "playwright-core";
import { PageContentError } from "@cloud-browser/page-content";

/** Times of a second try. */
export interface SecondTryTimes {
  /** How often the browser is asked meanwhile, in milliseconds. */
  readonly askEveryMs: number;
  /** From how late an answer on it was too busy for its pages, in milliseconds. */
  readonly busyMs: number;
}

const defaultTimes: SecondTryTimes = { askEveryMs: 2_000, busyMs: 3_000 };

/**
 * Tries again, once, what failed while the browser itself was busy: the pages of other sessions share it, and one of them may keep it
 * for seconds with a single message. A page that does not respond in a browser that does gets no second try.
 *
 * @param context - Context of the page, in that browser.
 */
export async function tryAgainWhenBusy<Result>(
  context: Pick<BrowserContext, "cookies">,
  attempt: () => Promise<Result>,
  { askEveryMs, busyMs }: SecondTryTimes = defaultTimes,
): Promise<Result> {
  let askedMs: number | undefined;
  let longestMs = 0;
  const measureWait = (): number => Math.max(longestMs, askedMs === undefined ? 0 : performance.now() - askedMs);
  const noteAnswer = (): void => {
    longestMs = measureWait();
    askedMs = undefined;
  };
  const asking = setInterval(() => {
    if (askedMs !== undefined) return;
    askedMs = performance.now();
    // Something that the browser answers without any page.
    context.cookies("http://nobody.invalid/").then(noteAnswer, noteAnswer);
  }, askEveryMs).unref();
  try {
    return await attempt();
  } catch (error) {
    const isPageFault = error instanceof PageContentError && error.code === "page-failed";
    if (!isPageFault || measureWait() < busyMs) throw error;
  } finally {
    clearInterval(asking);
  }
  return attempt();
}
