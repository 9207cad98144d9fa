import type { BrowserContext, Page } from "playwright-core";

/**
 * The page that a session is on: the one opened or brought to the front last; when that closes, the one before it.
 */
export class ActivePage {
  readonly #order: Page[] = [];
  readonly #listeners = new Set<(page: Page | undefined) => void>();

  /** Follows the pages of a context, those that it has already too. */
  constructor(context: BrowserContext) {
    for (const page of context.pages()) this.#follow(page);
    context.on("page", (page) => this.#follow(page));
  }

  /** The page, or undefined while the session has none. */
  get current(): Page | undefined {
    return this.#order.at(-1);
  }

  /** Makes a page of the session the active one. */
  bringToFront(page: Page): void {
    const index = this.#order.indexOf(page);
    if (index < 0 || page === this.current) return;
    this.#order.splice(index, 1);
    this.#order.push(page);
    this.#tell();
  }

  /** Tells of each change, not of what is; returns a function that ends it. */
  onChange(listener: (page: Page | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #follow(page: Page): void {
    if (this.#order.includes(page)) return;
    this.#order.push(page);
    page.once("close", () => {
      const wasCurrent = page === this.current;
      this.#order.splice(this.#order.indexOf(page), 1);
      if (wasCurrent) this.#tell();
    });
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener(this.current);
  }
}
