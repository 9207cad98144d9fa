import type { BrowserContext, Page } from "playwright-core";
import pTimeout from "p-timeout";

/** How long a page is waited for that does not tell its target id, or is about to open, in milliseconds: a busy machine takes seconds. */
const openTimeoutMs = 5_000;

/** How long a page is waited for that is closing, in milliseconds. */
const closeTimeoutMs = 2_000;

/** Maps the target ids of CDP to the pages of a browser context. */
export class PageTargets {
  readonly #context: BrowserContext;
  /** Target ids, asked for as soon as a page opens: a page that hangs later does not answer any more. */
  readonly #ids = new WeakMap<Page, Promise<string | undefined>>();

  /** Follows the pages that a context has, and those that open later. */
  constructor(context: BrowserContext) {
    this.#context = context;
    for (const page of context.pages()) void this.#idOf(page);
    context.on("page", (page) => void this.#idOf(page));
  }

  /**
   * Finds the page with a target id, also one that is just opening. Resolves with undefined when there is none within five seconds, or
   * when it does not answer.
   */
  async pageOf(targetId: string): Promise<Page | undefined> {
    const { promise, resolve } = Promise.withResolvers<Page>();
    const check = (page: Page): void =>
      void this.#idOf(page).then((id) => {
        if (id === targetId) resolve(page);
      });
    this.#context.on("page", check);
    this.#context.pages().forEach(check);
    try {
      return await pTimeout(promise, { milliseconds: openTimeoutMs, fallback: () => undefined });
    } finally {
      this.#context.off("page", check);
    }
  }

  /** Waits until the page with a target id has closed, for two seconds at most: a page may refuse to close. */
  async waitForClose(targetId: string): Promise<void> {
    const page = await this.pageOf(targetId);
    if (!page || page.isClosed()) return;
    await page.waitForEvent("close", { timeout: closeTimeoutMs }).catch(() => undefined);
  }

  #idOf(page: Page): Promise<string | undefined> {
    const known = this.#ids.get(page) ?? requestTargetId(page);
    this.#ids.set(page, known);
    return known;
  }
}

/** Asks the browser for the target id of a page; resolves with undefined when the page is closing. */
async function requestTargetId(page: Page): Promise<string | undefined> {
  try {
    const devtools = await page.context().newCDPSession(page);
    const { targetInfo } = await devtools.send("Target.getTargetInfo");
    devtools.detach().catch(() => undefined);
    return targetInfo.targetId;
  } catch {
    return undefined;
  }
}
