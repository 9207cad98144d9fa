import type { BrowserContext, Page } from "playwright-core";

/**
 * Tracks the active page of a session: the page opened or brought to the front last; when it closes, the one before it.
 *
 * @example
 * ```ts from=examples/api/browsers/active-page.ts
 * import { ActivePage, BrowserPool } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * const activePage = new ActivePage(context);
 * const first = await context.newPage();
 * const second = await context.newPage();
 * console.log(activePage.current === second); // true
 * activePage.bringToFront(first);
 * console.log(activePage.current === first); // true
 * await pool.close();
 * ```
 */
export class ActivePage {
  readonly #order: Page[] = [];
  readonly #listeners = new Set<(page: Page | undefined) => void>();

  /** Tracks the pages of a context, existing ones included. */
  constructor(context: BrowserContext) {
    for (const page of context.pages()) this.#add(page);
    context.on("page", (page) => this.#add(page));
  }

  /** The active page; undefined while the session has none. */
  get current(): Page | undefined {
    return this.#order.at(-1);
  }

  /** Makes a page of the session the active one. */
  bringToFront(page: Page): void {
    const index = this.#order.indexOf(page);
    if (index < 0 || page === this.current) return;
    this.#order.splice(index, 1);
    this.#order.push(page);
    this.#notify();
  }

  /** Calls back on each change, not with the current page; returns a function that removes the listener. */
  onChange(listener: (page: Page | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #add(page: Page): void {
    if (this.#order.includes(page)) return;
    this.#order.push(page);
    page.once("close", () => {
      const wasCurrent = page === this.current;
      this.#order.splice(this.#order.indexOf(page), 1);
      if (wasCurrent) this.#notify();
    });
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener(this.current);
  }
}
