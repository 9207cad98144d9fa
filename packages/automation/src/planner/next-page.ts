import type { Locator, Page } from "playwright-core";
import { findFurther } from "../extraction/find-further.ts";
import { nextNames } from "../extraction/further-names.ts";
import { selectOr } from "../targets/selector-text.ts";
import type { StepTarget } from "../task/step.ts";

const namePattern = `/^[›»→>\\s]*(?:${nextNames})[›»→>\\s]*$/i`;

/**
 * Target that matches any link to the next page, for a list that has only one page when the task is recorded. Other controls (numbers,
 * buttons that load more, scrolling) are found while the pages are read.
 */
export const anyNextPageTarget: StepTarget = {
  selectors: [
    ["a[rel~=next i]"]
      .concat(["link", "button"].map((role) => selectOr(`internal:role=${role}[name=${namePattern}]`)))
      .concat("visible=true", "nth=0")
      .join(" >> "),
  ],
  label: "the link to the next page",
};

/** Finds the link to the next page of a list by `rel=next` or by its name. Undefined if none is visible, or its name is only a number. */
export async function findNextPageLink(page: Page): Promise<Locator | undefined> {
  const further = await findFurther(page, 1);
  if (further?.kind !== "next") return undefined;
  const isDeclared = await further.element.evaluate((one) => one.matches("a[rel~=next i]"));
  if (/^\D*\d+\D*$/.test(further.name) && !isDeclared) return undefined;
  const ways = [page.locator("a[rel~=next i]"), ...(["link", "button"] as const).map((role) => page.getByRole(role))];
  for (const way of ways) {
    const index = await way.evaluateAll(
      (elements, element) => elements.findIndex((one) => one === element),
      further.element,
    );
    if (index >= 0) return way.nth(index);
  }
  return undefined;
}
