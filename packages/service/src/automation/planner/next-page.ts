import type { Locator, Page } from "playwright-core";

/** What the way to the next page is called: "Next", "Go to next page »", "Older posts", "›". "Next steps" leads elsewhere. */
const called =
  /^(?:[›»→>]+|(?:[›»→>]+\s*)?(?:go\sto\s(?:the\s)?)?(?:next|older|more)(?:\s(?:page|results?|posts?|entries|items|articles|comments|stories|products|rows))?(?:\s*[›»→>]+)?)$/iu;

/**
 * The way from one page of a list to the next one: what declares itself so, or what is called so. Undefined when none is shown.
 *
 * Source: ours.
 */
export async function wayToNextPage(page: Page): Promise<Locator | undefined> {
  const ways = [
    page.locator("a[rel~=next i]"),
    page.getByRole("link", { name: called }),
    page.getByRole("button", { name: called }),
  ];
  for (const way of ways) {
    const shown = way.filter({ visible: true });
    if ((await shown.count()) > 0) return shown.first();
  }
  return undefined;
}
