/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { Locator } from "playwright-core";

/**
 * Picks one of several elements with the same name: one in an open dialog before one behind it, an enabled one before a
 * disabled one, any one of those with the same link.
 *
 * @returns Undefined when several are left: a wrong element is worse than none.
 */
export async function disambiguate(parts: Locator): Promise<Locator | undefined> {
  const index = await parts.evaluateAll(indexOfPreferred).catch(() => -1); // the page is navigating
  return index < 0 ? undefined : parts.nth(index);
}

/** Runs in the page. */
function indexOfPreferred(elements: readonly Element[]): number {
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
