import type { Locator } from "playwright-core";

/** A link of a page. */
export interface PageLink {
  /** Its text, or its name when it has none. */
  readonly text: string;
  /** Its absolute address. */
  readonly url: string;
}

/** Texts of the items of a list: the part itself, or the largest list in it outside of navigation. */
export async function readListAt(part: Locator): Promise<string[]> {
  return part.evaluate(readList);
}

/** The links in a part of a page, each once, in their order. */
export async function readLinksAt(part: Locator): Promise<PageLink[]> {
  return part.evaluate(readLinks);
}

/** Runs in the page. */
function readList(root: Element): string[] {
  const most = 5000;
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const isShown = (element: Element): boolean => element.getClientRects().length > 0;
  const getText = (element: Element): string =>
    oneLine(element instanceof HTMLElement ? element.innerText : element.textContent);
  const lists = "ul, ol, dl, menu, [role=list], [role=listbox], [role=feed]";
  const items = "li, dt, [role=listitem], [role=option], [role=article]";
  const selectInside = (within: Element | ShadowRoot, selector: string): Element[] => [
    ...within.querySelectorAll(selector),
    ...[...within.querySelectorAll("*")].flatMap((element) =>
      element.shadowRoot ? selectInside(element.shadowRoot, selector) : [],
    ),
  ];
  const listItems = (list: Element): Element[] =>
    selectInside(list, items).filter((item) => isShown(item) && item.parentElement?.closest(lists) === list);
  const readItem = (item: Element): string => {
    const definition = item.localName === "dt" ? item.nextElementSibling : null;
    return definition?.localName === "dd" ? `${getText(item)}: ${getText(definition)}` : getText(item);
  };
  const isInNavigation = (list: Element): boolean => list.closest("nav, header, footer, [role=navigation]") !== null;
  const candidates = root.matches(lists) ? [root] : selectInside(root, lists).filter(isShown);
  const better = candidates.filter((list) => !isInNavigation(list));
  const weigh = (list: Element): number => listItems(list).length * 1000 + getText(list).length / 1000;
  const largest = (better.length > 0 ? better : candidates).reduce<Element | undefined>(
    (one, other) => (one === undefined || weigh(other) > weigh(one) ? other : one),
    undefined,
  );
  const texts = largest
    ? listItems(largest).map(readItem)
    : root === document.documentElement
      ? []
      : [...root.children].filter(isShown).map(getText);
  return texts.filter((text) => text !== "").slice(0, most);
}

/** Runs in the page. */
function readLinks(root: Element): PageLink[] {
  const most = 5000;
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const selectInside = (within: Element | ShadowRoot): Element[] => [
    ...within.querySelectorAll("a[href], area[href]"),
    ...[...within.querySelectorAll("*")].flatMap((element) =>
      element.shadowRoot ? selectInside(element.shadowRoot) : [],
    ),
  ];
  const links = new Map<string, PageLink>();
  for (const link of root.matches("a[href]") ? [root] : selectInside(root)) {
    const url = link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement ? link.href : "";
    if (!/^(?:https?|mailto|tel|ftp):/i.test(url) || link.getClientRects().length === 0) continue;
    const own = link instanceof HTMLElement ? link.innerText : link.textContent;
    const text =
      oneLine(own) ||
      oneLine(
        link.getAttribute("aria-label") ?? link.querySelector("img")?.getAttribute("alt") ?? link.getAttribute("title"),
      );
    links.set(`${text} ${url}`, { text, url });
    if (links.size >= most) break;
  }
  return [...links.values()];
}
