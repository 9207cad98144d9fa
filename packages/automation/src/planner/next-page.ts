import type { Locator, Page } from "playwright-core";
import { orElse } from "../targets/selector-text.ts";
import type { Target } from "../task/step.ts";

/** Names of links to the next page: "Next", "Go to next page »", "Older posts", "›". "Next steps" leads elsewhere. */
const nextPageName =
  /^(?:[›»→>]+|(?:[›»→>]+\s*)?(?:go\sto\s(?:the\s)?)?(?:next|older|more)(?:\s(?:page|results?|posts?|entries|items|articles|comments|stories|products|rows))?(?:\s*[›»→>]+)?)$/iu;

const numberOf = (element: string): string => `number(normalize-space(${element}))`;
const isMarked = ["@aria-current"]
  .concat(["current", "active"].map((name) => `contains(concat(' ', @class, ' '), ' ${name} ')`))
  .join(" or ");
/** Number of the current page in a pagination. */
const current = `(//*[${isMarked}][${numberOf(".")} > 0])[1]`;
const among = `ancestor::*[count(.//*[self::a or self::button or ${isMarked}][${numberOf(".")} > 0]) > 1][1]`;
/** The next number in the same pagination. */
const following = `${current}/${among}//*[self::a or self::button][${numberOf(".")} = 1 + ${numberOf(current)}]`;

/**
 * Matches any link to the next page, also by its number: for a list that has no link named so, or none yet, because it has
 * only one page when the task is recorded.
 */
export const anyNextPageTarget: Target = {
  selectors: [
    ["a[rel~=next i]"]
      .concat(["link", "button"].map((role) => orElse(`internal:role=${role}[name=${String(nextPageName)}]`)))
      .concat(orElse(`xpath=${following}`), "visible=true", "nth=0")
      .join(" >> "),
  ],
  label: "the link to the next page",
};

/**
 * Finds the link to the next page of a list: by `rel=next`, or by its name. Undefined if none is visible.
 */
export async function nextPageLink(page: Page): Promise<Locator | undefined> {
  const ways = [
    page.locator("a[rel~=next i]"),
    page.getByRole("link", { name: nextPageName }),
    page.getByRole("button", { name: nextPageName }),
  ];
  for (const way of ways) {
    const shown = way.filter({ visible: true });
    if ((await shown.count()) > 0) return shown.first();
  }
  return undefined;
}
