import type { BrowserContext, Page } from "playwright-core";
import pTimeout from "p-timeout";

/** Timeout for a page that is opening, or does not report its target id, in milliseconds: a busy machine takes seconds. */
const openTimeoutMs = 5_000;

/** Timeout for a page that is closing, in milliseconds. */
const closeTimeoutMs = 2_000;

/**
 * Maps the target ids of CDP to the pages of a browser context.
 *
 * @example
 * ```ts from=examples/api/browsers/page-targets.ts
 * import { BrowserPool, PageTargets } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * const targets = new PageTargets(context);
 * const page = await context.newPage();
 * const devtools = await context.newCDPSession(page);
 * const { targetInfo } = await devtools.send("Target.getTargetInfo");
 * console.log((await targets.findPage(targetInfo.targetId)) === page); // true
 * await pool.close();
 * ```
 */
export class PageTargets {
  readonly #context: BrowserContext;
  /** Target ids, requested as soon as a page opens: a page that hangs later does not respond any more. */
  readonly #ids = new WeakMap<Page, Promise<string | undefined>>();

  /** Tracks the pages of a context, existing ones included. */
  constructor(context: BrowserContext) {
    this.#context = context;
    for (const page of context.pages()) void this.#findId(page);
    context.on("page", (page) => void this.#findId(page));
  }

  /**
   * Finds the page with a target id, also one that is just opening. Resolves with undefined if it does not appear within five seconds, or
   * if it does not respond.
   */
  async findPage(targetId: string): Promise<Page | undefined> {
    const { promise, resolve } = Promise.withResolvers<Page>();
    const check = (page: Page): void =>
      void this.#findId(page).then((id) => {
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
    const page = await this.findPage(targetId);
    if (!page || page.isClosed()) return;
    await page.waitForEvent("close", { timeout: closeTimeoutMs }).catch(() => undefined);
  }

  #findId(page: Page): Promise<string | undefined> {
    const known = this.#ids.get(page) ?? requestTargetId(page);
    this.#ids.set(page, known);
    return known;
  }
}

/** Requests the target id of a page; resolves with undefined if the page is closing. */
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
