import type { Page } from "playwright-core";

/** Reads the title of a page; null if it has none, is closed, or is navigating. */
export async function readTitle(page: Page): Promise<string | null> {
  const title = await page.title().catch(() => "");
  // Playwright's placeholder for a title that it can't read.
  const isPlaceholder = title.startsWith("Loading ") && URL.canParse(title.slice("Loading ".length));
  return title === "" || isPlaceholder ? null : title;
}
