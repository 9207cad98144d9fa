import type { Locator, Page } from "playwright-core";
import { orElse } from "../targets/selector-text.ts";
import type { Target } from "../task/step.ts";

/** Names of links to the next page: "Next", "Go to next page »", "Older posts", "›". "Next steps" leads elsewhere. */
const called =
  /^(?:[›»→>]+|(?:[›»→>]+\s*)?(?:go\sto\s(?:the\s)?)?(?:next|older|more)(?:\s(?:page|results?|posts?|entries|items|articles|comments|stories|products|rows))?(?:\s*[›»→>]+)?)$/iu;

const numberOf = (element: string): string => `number(normalize-space(${element}))`;
const isMarked = ["@aria-current"]
  .concat(["current", "active"].map((name) => `contains(concat(' ', @class, ' '), ' ${name} ')`))
  .join(" or ");
/** The number of the page that is shown, among numbers of others. */
const current = `(//*[${isMarked}][${numberOf(".")} > 0])[1]`;
const among = `ancestor::*[count(.//*[self::a or self::button or ${isMarked}][${numberOf(".")} > 0]) > 1][1]`;
/** The number behind it, in the same place. */
const following = `${current}/${among}//*[self::a or self::button][${numberOf(".")} = 1 + ${numberOf(current)}]`;

/**
 * Whatever leads to the next page, the number of that page too: for a list where nothing is called so, or nothing yet, because it has
 * one page when the task is done.
 */
export const anyWayToNextPage: Target = {
  selectors: [
    ["a[rel~=next i]"]
      .concat(["link", "button"].map((role) => orElse(`internal:role=${role}[name=${String(called)}]`)))
      .concat(orElse(`xpath=${following}`), "visible=true", "nth=0")
      .join(" >> "),
  ],
  label: "the way to the next page",
};

/**
 * The way from one page of a list to the next one: what declares itself so, or what is called so. Undefined when none is shown.
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
