import type { Page } from "playwright-core";

/** The title of a page; null when it has none, when it is gone, or while another one is on its way in its place. */
export async function titleOf(page: Page): Promise<string | null> {
  const title = await page.title().catch(() => "");
  // What the driver says in the place of a title that it can't read.
  const isStandIn = title.startsWith("Loading ") && URL.canParse(title.slice("Loading ".length));
  return title === "" || isStandIn ? null : title;
}
