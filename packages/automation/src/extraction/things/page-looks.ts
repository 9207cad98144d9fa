import type { PageField } from "./page-ask.ts";
import type { PageGroups, PageItem } from "./page-groups.ts";
import type { InPage } from "./page-view.ts";

/** A value of a property, and its element. */
export interface FieldValue {
  readonly text: string;
  readonly element?: Element;
}

/** Finds values by their form. */
export interface PageLooks extends PageGroups, InPage<typeof looksFunctions> {}

/** Selects shown elements of an item, itself included. Runs in the page. */
function selectWithin(page: PageLooks, { elements }: PageItem, selector: string): Element[] {
  return elements.flatMap((element) => [
    ...(element.matches(selector) ? [element] : []),
    ...page.select(element, selector),
  ]);
}

/** Finds the name of an item: its heading, summary, only link or only bold text. Runs in the page. */
function findByName(page: PageLooks, item: PageItem): FieldValue[] {
  const readValues = (selector: string): FieldValue[] => {
    const candidates = page
      .selectWithin(item, selector)
      .map((element) => ({ element, text: page.readTextOrName(element) }));
    return [...new Map(candidates.filter(({ text }) => text !== "").map((one) => [one.text, one])).values()];
  };
  for (const level of ["h1", "h2", "h3", "h4", "h5", "h6", "[role=heading]", "summary"]) {
    const headings = readValues(level);
    if (headings.length > 0) return headings;
  }
  const inner = new Set(page.selectWithin(item, "ul a, ol a, li li").map((one) => one.textContent));
  const links = readValues("a[href]").filter(
    ({ text, element }) =>
      /\p{L}/u.test(text) &&
      !(inner.has(element?.textContent ?? "") && !item.elements.includes(element?.parentElement ?? document.body)),
  );
  if (links.length === 1) return links;
  const strong = links.length === 0 ? readValues("b, strong, dt") : [];
  if (strong.length === 1) return strong;
  return [];
}

/** Finds the text of an item that is a single plain line. Runs in the page. */
function findByText(page: PageLooks, item: PageItem, { kind }: PageField): FieldValue[] {
  const [only, another] = item.elements;
  const isPlain =
    kind === "name" &&
    only &&
    !another &&
    page.readLines(only).length === 1 &&
    only.querySelector("a, b, strong, ul, ol, div, p, button") === null;
  return isPlain ? [{ element: only, text: page.readText(only) }] : [];
}

/** Finds the amounts of money that an item shows. Runs in the page. */
function findByPrice(page: PageLooks, item: PageItem): FieldValue[] {
  const sign = String.raw`(?:[€$£¥₹₽₩₺₴₫฿₪]|(?:US|CA|AU?|HK|NZ|R)\$|\b(?:EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CZK|AUD|CAD|INR|HUF|RON|Rs|Fr|kr|zł|Kč|Ft|lei)\b\.?)`;
  const digits = String.raw`\d[\d.,'’]*(?:\s\d{3}(?!\d))*(?:[.,]-)?`;
  const money = new RegExp(
    `(?:${sign}\\s?${digits}|${digits}\\s?(?:${sign}|(?:zł|Kč)))(?!\\s?%)(?!\\s?(?:/|per\\b))`,
    "giu",
  );
  const other =
    /^(?:salary|wage|pay|shipping|delivery|postage|deposit|tax|vat|fee|discount|saving|savings|save|coupon|old|was|regular|original|before|rrp|msrp|compare|strike)$/;
  const about =
    /\b(?:salary|wage|shipping|delivery|postage|deposit|tax|fee|discount|sav(?:e|ings?)|you save|rrp|was|instead of|statt|uvp)\b[^€$£]*$/i;
  const amounts: FieldValue[] = [];
  for (const root of item.elements) {
    const leaves = [root, ...page.select(root, "*")].filter((one) => {
      const texts = page.readText(one).match(money);
      return (
        texts !== null &&
        ![...one.children].some((child) => page.isDrawn(child) && page.readText(child).match(money) !== null)
      );
    });
    for (const element of leaves) {
      let around: Element | null = element;
      while (
        around &&
        around !== root.parentElement &&
        !page
          .listClassWords(around)
          .flat()
          .some((word) => other.test(word))
      )
        around = around.parentElement;
      if (around && around !== root.parentElement) continue;
      for (const line of page.readLines(element)) {
        const matches = [...line.matchAll(money)];
        const rest = line
          .replace(money, "")
          .replace(/[\s–—-]+/g, " ")
          .trim();
        const isWhole =
          matches.length > 0 &&
          /^(?:from|ab|only|now|to|each|from to|starting at|starts at|desde|à partir de|vanaf|från|incl\.? \S+)?$/i.test(
            rest,
          );
        if (isWhole) amounts.push({ element, text: line });
        else
          for (const match of matches)
            if (!about.test(line.slice(0, match.index))) amounts.push({ element, text: match[0].trim() });
      }
    }
  }
  return amounts;
}

/** Finds values of a property by their form: dates, e-mail addresses, ratings, links. Runs in the page. */
function findByLook(page: PageLooks, item: PageItem, { kind }: PageField): FieldValue[] {
  const readValues = (
    selector: string,
    read = (element: Element): string => page.readTextOrName(element),
  ): FieldValue[] =>
    page
      .selectWithin(item, selector)
      .map((element) => ({ element, text: read(element) }))
      .filter(({ text }) => text !== "");
  const findMatches = (pattern: RegExp): FieldValue[] =>
    item.elements
      .flatMap((element) => page.readLines(element))
      .flatMap((line) => [...line.matchAll(pattern)].map(([text]) => ({ text })));
  switch (kind) {
    case "price":
      return page.findByPrice(item);
    case "name":
      return page.findByName(item);
    case "date":
      return readValues("time");
    case "email":
      return findMatches(/[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu);
    case "phone":
      return readValues("a[href^='tel:']");
    case "rating":
      return readValues(
        "[aria-label], [title], img[alt]",
        (one) => one.getAttribute("aria-label") ?? one.getAttribute("alt") ?? one.getAttribute("title") ?? "",
      )
        .filter(({ text }) => /\d(?:[.,]\d+)?\s?(?:(?:out of|of|\/|von|sur|de|su)\s?\d|stars?|sterne)/i.test(text))
        .concat(findMatches(/\b\d(?:[.,]\d+)?\s?(?:out of|\/)\s?(?:5|10)\b/gi));
    case "author": {
      const marked = readValues("[rel~=author], address");
      if (marked.length > 0) return marked;
      const lines = item.elements.flatMap((element) => page.readLines(element));
      return lines.flatMap(
        (line) =>
          /^(?:by|von|par|por|di|door|av)\s(\p{L}[^\d|·]{1,60})$/iu
            .exec(line)
            ?.slice(1)
            .map((text) => ({ text })) ?? [],
      );
    }
    case "term":
      return readValues("dt");
    case "definition":
      return readValues("dd");
    case "text":
      return readValues("p, blockquote");
    case "link": {
      const [name, another] = page.findByName(item);
      const links = page.selectWithin(item, "a[href]");
      const nameLinks =
        another || !name
          ? []
          : links.filter((one) => name.element?.contains(one) || one.contains(name.element ?? null));
      return (nameLinks.length > 0 ? nameLinks : links).map((element) => ({
        element,
        text: element instanceof HTMLAnchorElement ? element.href : "",
      }));
    }
    case "image":
      return page
        .selectWithin(item, "img")
        .map((element) => ({ element, text: element instanceof HTMLImageElement ? element.src : "" }));
    case undefined:
      return [];
  }
}

/** The functions of this module, which run in the page. */
export const looksFunctions = { selectWithin, findByName, findByText, findByPrice, findByLook };
