import type { PagePlace } from "./page-ask.ts";
import type { InPage, PageView } from "./page-view.ts";

/** Finds parts of a page by their names. */
export interface PageParts extends PageView, InPage<typeof scopeFunctions> {}

/** Decides whether an element is in a part of the page. */
export type InPart = (element: Element) => boolean;

/** Returns the headings that a page shows. Runs in the page. */
function listHeadings(page: PageView): Element[] {
  return page
    .select(document.documentElement, "h1, h2, h3, h4, h5, h6, [role=heading]")
    .filter((one) => page.readText(one) !== "");
}

/** Returns the own name of a part: caption, label, legend or summary; empty without one. Runs in the page. */
function readPartName(page: PageView, part: Element): string {
  const by = (part.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter((id) => id !== "");
  const own = [...part.children].find((child) => child.matches("caption, legend, figcaption, summary"));
  const texts = by
    .flatMap((id) => document.getElementById(id) ?? [])
    .map((one) => page.readText(one) || (one.textContent ?? ""));
  const name = own ? page.readText(own) : texts.length > 0 ? texts.join(" ") : (part.getAttribute("aria-label") ?? "");
  return name.replace(/\s+/g, " ").trim();
}

/** Returns the part of the page that a heading begins: up to the next heading of its level or a higher one. Runs in the page. */
function findSection(page: PageParts, heading: Element): InPart {
  const readLevel = (one: Element): number =>
    Number(/^h([1-6])$/.exec(one.localName)?.[1] ?? one.getAttribute("aria-level") ?? 2);
  const all = page.listHeadings();
  const isHigh = (one: Element): boolean => one !== heading && readLevel(one) <= readLevel(heading);
  let around = heading;
  while (around.parentElement && around.parentElement !== document.documentElement) {
    const { parentElement } = around;
    if (all.some((one) => isHigh(one) && parentElement.contains(one))) break;
    around = parentElement;
  }
  const root = around.parentElement && around !== document.body ? around.parentElement : around;
  const follows = (one: Element, other: Element): boolean =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const end = all.find((one) => isHigh(one) && follows(heading, one));
  // A heading with its own section ends with it; one among others ends before the next.
  const own = heading.closest("section, article, aside, main, nav, header, footer, fieldset, li, td, [role=region]");
  const isOwn = own !== null && !all.some((one) => isHigh(one) && own.contains(one) && follows(one, heading));
  return (element) =>
    root.contains(element) &&
    (!isOwn || own.contains(element)) &&
    follows(heading, element) &&
    !heading.contains(element) &&
    (end === undefined || (follows(element, end) && !element.contains(end))) &&
    page.findZone(element) === page.findZone(heading);
}

/** Returns the landmark around an element: header, footer, navigation, sidebar or dialog; empty for the content. Runs in the page. */
function findZone(_: object, element: Element): "header" | "footer" | "nav" | "aside" | "dialog" | "" {
  const nav = "nav, [role=navigation], [role=menu], [role=menubar], [role=toolbar], [role=tablist], [role=search]";
  if (element.closest(nav) !== null) return "nav";
  if (element.closest("aside, [role=complementary]") !== null) return "aside";
  if (element.closest("dialog, [role=dialog], [role=alertdialog]") !== null) return "dialog";
  const edge = element.closest("header, [role=banner], footer, [role=contentinfo]");
  if (edge === null || (edge.role === null && edge.parentElement?.closest("main, article, section, [role=main]")))
    return "";
  return edge.matches("header, [role=banner]") ? "header" : "footer";
}

/** Finds the part of the page that a task names. Runs in the page. */
function findPlace(page: PageParts, { kind, name, names = [] }: PagePlace): InPart | { readonly refused: string } {
  const quote = (text: string): string => JSON.stringify(text.slice(0, 60));
  const selectors = {
    table: "table, [role=table], [role=grid], [role=treegrid]",
    list: "ul, ol, dl, menu, [role=list], [role=listbox], [role=feed]",
    main: "main, [role=main]",
    dialog: "dialog, [role=dialog], [role=alertdialog]",
    form: "form, [role=form]",
    article: "article, [role=article]",
    region:
      "section, article, aside, nav, form, fieldset, details, figure, table, ul, ol, dl, [role], [aria-label], [aria-labelledby]",
  };
  if (kind === "page") return () => true;
  if (kind === "header" || kind === "footer" || kind === "nav" || kind === "aside") {
    const isThere = page.select(document.body, "*").some((element) => page.findZone(element) === kind);
    const words = { header: "header", footer: "footer", nav: "navigation", aside: "sidebar" };
    return isThere ? (element) => page.findZone(element) === kind : { refused: `the page has no ${words[kind]}` };
  }
  const findOutermost = (elements: readonly Element[]): Element[] =>
    elements.filter((one) => !elements.some((other) => other !== one && other.contains(one)));
  const parts = page.select(document.body, selectors[kind]).filter((part) => page.readText(part) !== "");
  if (name === undefined) {
    const visible = findOutermost(
      parts.filter((part) => kind === "main" || kind === "dialog" || page.findZone(part) === ""),
    );
    const inMain = visible.filter((part) => part.closest("main, [role=main]") !== null);
    const [one, ...others] = kind !== "main" && inMain.length > 0 ? inMain : visible;
    if (one && others.length === 0) return (element) => one.contains(element);
    const titles = [one, ...others].flatMap((part) =>
      part
        ? [
            quote(
              page.readPartName(part) ||
                page.readText(
                  page
                    .listHeadings()
                    .findLast(
                      (heading) => (heading.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
                    ) ?? part,
                ),
            ),
          ]
        : [],
    );
    return {
      refused: one
        ? `ambiguous: the page has ${others.length + 1} of "${kind}": ${titles.join(", ")}; name one`
        : `the page has no ${kind}`,
    };
  }
  const all = page.listHeadings();
  for (const source of names) {
    const fits = new RegExp(source, "iu");
    const named = findOutermost(parts.filter((part) => fits.test(page.readPartName(part))));
    const heads = all.filter(
      (heading) => fits.test(page.readText(heading)) && !named.some((part) => part.contains(heading)),
    );
    const sections = heads.map((heading) => page.findSection(heading));
    const [match, ...others] = [
      ...named.map(
        (part): InPart =>
          (element) =>
            part.contains(element),
      ),
      ...sections,
    ];
    if (match && others.length > 0)
      return { refused: `ambiguous: ${others.length + 1} parts of the page are called ${quote(name)}` };
    if (match) return match;
  }
  const available = [
    ...new Set([...all.map((one) => page.readText(one)), ...parts.map((part) => page.readPartName(part))]),
  ].filter((one) => one !== "");
  const listed =
    available.length === 0 ? "it names no parts" : `there is ${available.slice(0, 12).map(quote).join(", ")}`;
  return { refused: `no part of the page is called ${quote(name)}; ${listed}` };
}

/** The functions of this module, which run in the page. */
export const scopeFunctions = { listHeadings, readPartName, findSection, findZone, findPlace };
