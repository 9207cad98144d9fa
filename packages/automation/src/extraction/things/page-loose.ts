import type { PageAsk, PageField, PageReading, PageThing } from "./page-ask.ts";
import type { PageCandidates } from "./page-candidates.ts";
import type { PageGroup } from "./page-groups.ts";
import type { InPart } from "./page-scope.ts";
import type { InPage } from "./page-view.ts";

/** Reads elements and values outside of groups. */
export interface PageLoose extends PageCandidates, InPage<typeof looseFunctions> {}

/** Reads elements of a kind: each link once. Runs in the page. */
function readElements(page: PageLoose, selector: string, inPart: InPart): readonly PageThing[] {
  const elements = page.select(document.body, selector).filter((element) => inPart(element));
  const things = elements.flatMap((element): PageThing[] => {
    const own = element instanceof HTMLInputElement ? element.value : "";
    const text =
      element.localName === "pre" && element instanceof HTMLElement
        ? element.innerText.trim()
        : page.readTextOrName(element) || own;
    const url =
      element instanceof HTMLAnchorElement
        ? element.href
        : element instanceof HTMLImageElement
          ? element.src
          : undefined;
    if (url !== undefined && element.localName === "a") {
      const value = { text, url };
      return /^(?:https?|mailto|tel|ftp):/i.test(url) ? [{ id: JSON.stringify(value), value }] : [];
    }
    const isEmpty = text === "" && !element.matches("img, input, table, ul, ol, form, video, iframe, [role]");
    return isEmpty ? [] : [{ id: `${text} ${url ?? ""}`, value: url === undefined ? text : { text, url } }];
  });
  return selector.startsWith("a[") ? [...new Map(things.map((one) => [one.id, one])).values()] : things;
}

/** Reads the e-mail addresses of a part of the page, each once. Runs in the page. */
function readEmails(page: PageLoose, inPart: InPart): readonly PageThing[] {
  const pattern = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
  const things = new Map<string, PageThing>();
  for (const element of page
    .select(document.body, "*")
    .filter((one) => inPart(one) && !one.matches("script, style, template, noscript"))) {
    const own = [...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map(({ textContent }) => textContent ?? "")
      .join(" ");
    const address = element.matches("a[href^='mailto:']")
      ? decodeURIComponent((element.getAttribute("href") ?? "").slice(7).replace(/\?.*$/, ""))
      : "";
    for (const [email] of `${own} ${address}`.matchAll(pattern))
      if (!things.has(email.toLowerCase())) things.set(email.toLowerCase(), { id: email, value: email });
  }
  return [...things.values()];
}

/** Reads a property that occurs once in a part of the page, outside of groups. Runs in the page. */
function readAlone(
  page: PageLoose,
  { fields, as, of, isGeneral }: PageAsk,
  inPart: InPart,
  groups: readonly PageGroup[],
): PageReading | undefined {
  const [field] = fields;
  if (
    !field ||
    fields.length > 1 ||
    as === "records" ||
    field.kind === "name" ||
    field.kind === "text" ||
    (of && !isGeneral)
  )
    return undefined;
  const visible = page.select(document.body, "*").filter((one) => inPart(one));
  const outer = visible.filter(
    (one) => !one.parentElement || !inPart(one.parentElement) || one.parentElement === document.body,
  );
  const item = { elements: outer.filter((one) => !outer.some((other) => other !== one && other.contains(one))) };
  for (const [way, read] of [
    ["property", page.findByProperty],
    ["label", page.findByLabel],
    ["class", page.findByClass],
    ["look", page.findByLook],
  ] as const) {
    const values = page
      .narrow(read(item, field), field)
      .filter(
        ({ element }) =>
          !element ||
          !groups.some(({ items }) =>
            items.some(
              ({ elements }) =>
                items.length > 1 && elements.some((one) => one.contains(element)) && element.matches("li"),
            ),
          ),
      );
    const [value, another] = values;
    if (value && another)
      return {
        refused: `several ${field.several} are on the page, in no list: ${values
          .slice(0, 4)
          .map(({ text }) => JSON.stringify(text.slice(0, 40)))
          .join(", ")}`,
        isNone: false,
      };
    if (value)
      return {
        things: [{ id: value.text, value: value.text, ...(field.kind === "price" ? { price: value.text } : {}) }],
        shape: `alone by ${way}`,
        notes: [],
      };
  }
  return undefined;
}

/**
 * Finds a value of a property outside of groups: the price of the page's own product, beside those of the products that it lists. Runs in
 * the page.
 */
function findBeside(
  page: PageLoose,
  field: PageField,
  groups: readonly PageGroup[],
  inPart: InPart,
): string | undefined {
  const inGroups = new Set(
    groups.flatMap(({ items, ads = [], around, kind }) =>
      kind === "runs" ? [] : kind === "table" ? [around] : [...items, ...ads].flatMap(({ elements }) => elements),
    ),
  );
  const isInGroup = (element: Element): boolean => {
    let at: Element | null = element.parentElement;
    while (at && !inGroups.has(at)) at = at.parentElement;
    return at !== null;
  };
  const money = /^(?:[€$£¥₹]\s?\d[\d.,]*|\d[\d.,]*\s?[€$£¥₹])$/u;
  const other = /total|shipping|delivery|tax|vat|discount|deposit|fee|summe|versand|livraison|envío/iu;
  const isValue = (element: Element): boolean => {
    const isMarked =
      (element.getAttribute("itemprop") ?? "").split(/\s+/).some((name) => field.marks.includes(name.toLowerCase())) ||
      page.listClassWords(element).some((words) => field.marks.includes(words.at(-1) ?? ""));
    const text = page.readText(element);
    if (field.kind === "price" && !/\d/.test(text)) return false;
    if (field.kind === "price" && other.test(element.parentElement?.textContent ?? "")) return false;
    return text !== "" && (isMarked || (field.kind === "price" && element.childElementCount === 0 && money.test(text)));
  };
  if (field.kind === "name" || field.kind === "text" || field.kind === undefined) return undefined;
  const all = page.select(document.body, "*").filter((element) => inPart(element) && !isInGroup(element));
  const value = all.find(
    (element) =>
      !inGroups.has(element) &&
      isValue(element) &&
      !groups.some(
        ({ items }) => items.length > 1 && items.some(({ elements }) => elements.some((one) => element.contains(one))),
      ),
  );
  return value && page.readText(value);
}

/** The functions of this module, which run in the page. */
export const looseFunctions = { readElements, readEmails, readAlone, findBeside };
