/** The functions of a module that runs in the page, without their first parameter: the functions that they use. */
export type InPage<Module> = {
  readonly [Name in keyof Module]: Module[Name] extends (page: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** Reads what a page shows. */
export interface PageView extends InPage<typeof viewFunctions> {
  /** Lines that were read of an element. */
  readonly lines: Map<Element, readonly string[]>;
}

/** Returns whether an element is visible to people: not hidden, not moved out of the page, and not `aria-hidden`. Runs in the page. */
function isDrawn(_: object, element: Element): boolean {
  if (element.closest("[aria-hidden=true], [inert]") !== null) return false;
  if (!element.checkVisibility({ visibilityProperty: true }))
    return getComputedStyle(element).display === "contents" && element.checkVisibility !== undefined;
  const { right, bottom, width, height } = element.getBoundingClientRect();
  return width * height === 0 || (right + scrollX > 0 && bottom + scrollY > 0);
}

/** Returns whether a text is struck through, as old prices are. Runs in the page. */
function isStruck(_: object, element: Element): boolean {
  return (
    element.matches("s, del, strike") ||
    getComputedStyle(element).textDecorationLine.split(" ").includes("line-through")
  );
}

/** Returns the lines of text that an element shows, without struck-through text, footnote marks and values of fields. Runs in the page. */
function readLines(page: PageView, element: Element): readonly string[] {
  const cached = page.lines.get(element);
  if (cached) return cached;
  const left = "script, style, noscript, template, svg, select, textarea, option, datalist";
  const isNote = (one: Element): boolean =>
    one.localName === "sup" && /^\[[^\]]{1,12}\]$/.test((one.textContent ?? "").trim());
  let text = "";
  const walk = (node: Node): void => {
    if (node.nodeType === Node.TEXT_NODE) text += (node.textContent ?? "").replace(/\s+/g, " ");
    if (!(node instanceof Element) || node.matches(left) || isNote(node)) return;
    if (node !== element && (!page.isDrawn(node) || page.isStruck(node))) return;
    const isBlock = node.localName === "br" || !/^(?:inline|contents|ruby)/.test(getComputedStyle(node).display);
    if (isBlock) text += "\n";
    const assigned = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
    for (const child of assigned.length > 0 ? assigned : (node.shadowRoot ?? node).childNodes) walk(child);
    if (isBlock) text += "\n";
  };
  walk(element);
  const lines = text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
  page.lines.set(element, lines);
  return lines;
}

/** Returns the text that an element shows, in one line. Runs in the page. */
function readText(page: PageView, element: Element): string {
  return page.readLines(element).join(" ");
}

/** Returns the text of an element; its accessible name if it shows only signs or a picture. Runs in the page. */
function readTextOrName(page: PageView, element: Element): string {
  const text = page.readText(element);
  if (/[\p{L}\p{N}]/u.test(text)) return text;
  const source = element.matches("[aria-label], [alt], [title]")
    ? element
    : element.querySelector("[aria-label], img[alt], [title]");
  const name = source?.getAttribute("aria-label") ?? source?.getAttribute("alt") ?? source?.getAttribute("title") ?? "";
  return name.replace(/\s+/g, " ").trim() || text;
}

/** Returns the words of each class and each test id of an element: `product-card__price` is product, card, price. Runs in the page. */
function listClassWords(_: object, element: Element): readonly (readonly string[])[] {
  const names = [...element.classList];
  for (const attribute of ["data-testid", "data-test", "data-qa"]) {
    const name = element.getAttribute(attribute);
    if (name !== null) names.push(name);
  }
  return names.map((name) =>
    name
      .replace(/([a-z])([A-Z])/g, "$1-$2")
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .filter((word) => word !== ""),
  );
}

/** Selects shown elements in an element, and in the open shadow roots in it. Runs in the page. */
function select(page: PageView, root: Element | ShadowRoot, selector: string): Element[] {
  const hosts = [...root.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
  return [
    ...[...root.querySelectorAll(selector)].filter((element) => page.isDrawn(element)),
    ...hosts.flatMap((shadow) => page.select(shadow, selector)),
  ];
}

/** The functions of this module, which run in the page. */
export const viewFunctions = { isDrawn, isStruck, readLines, readText, readTextOrName, listClassWords, select };
