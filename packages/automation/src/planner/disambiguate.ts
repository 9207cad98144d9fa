/* oxlint-disable unicorn/consistent-function-scoping -- what runs in the page holds all that it uses */
import type { Locator } from "playwright-core";

/**
 * Of several parts that a name fits, the one that is meant: one of an open dialog rather than one behind it, one that can be used rather
 * than one that can't, any one of those that do the same.
 *
 * @returns Undefined when that leaves several: taking the wrong one is worse than taking none.
 */
export async function oneOfSeveral(parts: Locator): Promise<Locator | undefined> {
  const index = await parts.evaluateAll(indexOfMeant).catch(() => -1); // the page goes elsewhere just now
  return index < 0 ? undefined : parts.nth(index);
}

/** Runs in the page. */
function indexOfMeant(elements: readonly Element[]): number {
  const dialogs = 'dialog[open], [role="dialog"], [role="alertdialog"], [aria-modal="true"]';
  const preferred = (some: readonly Element[], isBetter: (element: Element) => boolean): readonly Element[] => {
    const better = some.filter(isBetter);
    return better.length > 0 ? better : some;
  };
  const isUsable = (element: Element): boolean =>
    !element.matches(":disabled") && element.getAttribute("aria-disabled") !== "true";
  const [first, ...others] = preferred(
    preferred(elements, (element) => element.closest(dialogs) !== null),
    isUsable,
  );
  const addressOf = (element: Element | undefined): string | undefined => {
    const address = element?.closest<HTMLAnchorElement>("a[href]")?.href ?? "";
    return /^https?:.*[^#]$/.test(address) ? address : undefined;
  };
  const address = addressOf(first);
  const areSame = others.every((other) => address !== undefined && addressOf(other) === address);
  return first !== undefined && areSame ? elements.indexOf(first) : -1;
}
