import type { Page } from "playwright-core";

/**
 * Reads the title of a page; null if it has none, is closed, or is navigating.
 *
 * @example
 * ```ts from=examples/api/browsers/read-title.ts
 * import { BrowserPool, titleOf } from "@cloud-browser/browsers";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * const page = await context.newPage();
 * console.log(await titleOf(page)); // null
 * await page.setContent("<title>Ferries</title>");
 * console.log(await titleOf(page)); // Ferries
 * await pool.close();
 * ```
 */
export async function readTitle(page: Page): Promise<string | null> {
  const title = await page.title().catch(() => "");
  // Playwright's placeholder for a title that it can't read.
  const isPlaceholder = title.startsWith("Loading ") && URL.canParse(title.slice("Loading ".length));
  return title === "" || isPlaceholder ? null : title;
}
