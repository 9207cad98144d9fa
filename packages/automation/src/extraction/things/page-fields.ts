import type { PageField } from "./page-ask.ts";
import type { PageItem } from "./page-groups.ts";
import type { FieldValue, PageLooks } from "./page-looks.ts";
import type { InPage } from "./page-view.ts";

/** Values of a property, one for each item. */
export interface FieldValues {
  /** The values; undefined for an item without one. */
  readonly values: readonly (FieldValue | undefined)[];
  /** The way in which they were found. */
  readonly way: string;
}

/** Reads properties of the items of a group. */
export interface PageFields extends PageLooks, InPage<typeof fieldsFunctions> {}

/** Returns a text without the label of a property before it. Runs in the page. */
function dropLabel(_: object, text: string, { label, kind }: PageField): string {
  if (kind === "author") return text.replace(/^(?:by|von|par|por|di|door|av)\s+/iu, "");
  const [, before = "", after = ""] = /^([^:：]{1,60})[:：]\s*(\S.*)$/u.exec(text) ?? [];
  return before !== "" && new RegExp(label, "iu").test(before) ? after : text;
}

/** Finds values that microdata marks as the property: those of the thing itself rather than of things in it. Runs in the page. */
function findByProperty(page: PageFields, item: PageItem, { marks }: PageField): FieldValue[] {
  const countScopes = (element: Element): number => {
    let count = 0;
    for (let at = element.parentElement?.closest("[itemscope]"); at; at = at.parentElement?.closest("[itemscope]"))
      count += 1;
    return count;
  };
  const elements = page.selectWithin(item, "[itemprop]").filter((one) =>
    (one.getAttribute("itemprop") ?? "")
      .toLowerCase()
      .split(/\s+/)
      .some((name) => marks.includes(name)),
  );
  const least = Math.min(...elements.map(countScopes));
  return elements
    .filter((one) => countScopes(one) === least && page.isDrawn(one))
    .map((element) => ({ element, text: page.readTextOrName(element) || (element.getAttribute("content") ?? "") }))
    .filter(({ text }) => text !== "");
}

/** Finds values beside the label of the property: "Price: 4", a term and its definition, "4 points". Runs in the page. */
function findByLabel(page: PageFields, item: PageItem, field: PageField): FieldValue[] {
  const isLabel = new RegExp(field.label, "iu");
  const lines = item.elements.flatMap((element) => page.readLines(element));
  const inLines = lines.flatMap((line) => {
    const [, label = "", text = ""] = /^([^:：]{1,60})[:：]\s*(\S.*)$/u.exec(line) ?? [];
    return label !== "" && isLabel.test(label) ? [{ text }] : [];
  });
  if (inLines.length > 0) return inLines;
  const small = page
    .selectWithin(item, "span, b, strong, em, div, p, small, li, dd, td")
    .filter((one) => one.childElementCount === 0);
  const inParts = small.flatMap((element) => {
    const [, label = "", text = ""] = /^([^:：]{1,60})[:：]\s*(\S.*)$/u.exec(page.readText(element)) ?? [];
    return label !== "" && isLabel.test(label) ? [{ element, text }] : [];
  });
  if (inParts.length > 0) return inParts;
  const leaves = page
    .selectWithin(item, "dt, th, span, b, strong, em, label, div, p, small")
    .filter(
      (one) =>
        one.childElementCount === 0 &&
        isLabel.test(page.readText(one)) &&
        (one.closest("table, [role=table]") === null || one.closest("tr")?.childElementCount === 2),
    );
  const beside = leaves.flatMap((leaf) => {
    const next = leaf.nextElementSibling;
    const isValue = next !== null && page.isDrawn(next) && !next.matches("h1, h2, h3, h4, dt, ul, ol, table");
    const isTerm =
      leaf.matches("dt, th") || /[:：]\s*$/.test(page.readText(leaf)) || leaf.parentElement?.childElementCount === 2;
    return isValue && isTerm && page.readText(next) !== "" ? [{ element: next, text: page.readText(next) }] : [];
  });
  if (beside.length > 0) return beside;
  return lines.flatMap((line) =>
    line.split(/\s[·•|]\s|,\s/).flatMap((part) => {
      const [, text = "", words = ""] = /^(\d[\d.,]*\s?[kKmM]?)\s(\D+)$/.exec(part) ?? [];
      return words !== "" && isLabel.test(words) ? [{ text }] : [];
    }),
  );
}

/** Finds values that a class marks as the property. Runs in the page. */
function findByClass(page: PageFields, item: PageItem, field: PageField): FieldValue[] {
  const besides =
    /^(?:new|current|now|sale|final|value|amount|text|main|old|was|regular|list|before|original|primary|large|big|bold|inner|link|wrapper|box)$/;
  const isMark = (words: readonly string[]): boolean => {
    const at = words.findLastIndex((word) => field.marks.includes(word));
    return (
      at >= 0 &&
      words.slice(at + 1).every((word) => besides.test(word)) &&
      !/^(?:no|has|is|with)$/.test(words[at - 1] ?? "")
    );
  };
  const own = new Set(item.elements);
  const elements = page
    .selectWithin(item, "[class], [data-testid], [data-test], [data-qa]")
    .filter((one) => !own.has(one) && page.listClassWords(one).some(isMark));
  const outer = elements.filter((one) => !elements.some((other) => other !== one && other.contains(one)));
  return outer
    .map((element) => ({ element, text: page.dropLabel(page.readTextOrName(element), field) }))
    .filter(({ text }) => text !== "");
}

/** Removes repeated values and, for prices, old ones and those without a number. Runs in the page. */
function narrow(page: PageFields, candidates: readonly FieldValue[], { kind }: PageField): readonly FieldValue[] {
  const dropEqual = (values: readonly FieldValue[]): FieldValue[] => [
    ...new Map(values.map((one) => [one.text, one])).values(),
  ];
  const all = dropEqual(candidates);
  if (all.length < 2 || kind !== "price") return all;
  const old = /^(?:old|was|regular|list|before|original|rrp|msrp|compare|strike|crossed|previous|uvp)$/;
  const isOld = ({ element }: FieldValue): boolean =>
    element !== undefined &&
    (page
      .listClassWords(element)
      .flat()
      .some((word) => old.test(word)) ||
      page.isStruck(element));
  const rest = all.filter((one) => !isOld(one));
  const numbers = rest.filter(({ text }) => /\d/.test(text));
  return numbers.length > 0 ? numbers : rest;
}

/**
 * Reads a property of items in the first way in which most of them have it exactly once. Runs in the page.
 *
 * @returns Undefined if they don't have it; `several` where one has more than one.
 */
function readField(
  page: PageFields,
  items: readonly PageItem[],
  field: PageField,
): FieldValues | { readonly several: string } | undefined {
  const ways: readonly (readonly [way: string, read: (item: PageItem) => FieldValue[]])[] = [
    ["property", (item) => page.findByProperty(item, field)],
    ["label", (item) => page.findByLabel(item, field)],
    ["class", (item) => page.findByClass(item, field)],
    ["look", (item) => page.findByLook(item, field)],
    ["text", (item) => page.findByText(item, field)],
  ];
  for (const [way, read] of ways) {
    const valuesOfItems = items.map((item) => page.narrow(read(item), field));
    const some = valuesOfItems.filter(({ length }) => length > 0);
    if (some.length * 2 < items.length || some.length === 0 || (items.length > 2 && some.length < 2)) continue;
    const splitPrices = (text: string): FieldValue[] => {
      const prices = field.kind === "price" ? [...text.matchAll(/[€$£]\s?\d[\d.,]*|\d[\d.,]*\s?€/g)] : [];
      return prices.length > 1 && !/[-–—]|\bto\b|\bbis\b/.test(text) ? prices.map(([each]) => ({ text: each })) : [];
    };
    const several = valuesOfItems
      .map((values) => (values.length > 1 ? values : splitPrices(values[0]?.text ?? "")))
      .find(({ length }) => length > 1);
    if (several)
      return {
        several: several
          .slice(0, 3)
          .map(({ text }) => JSON.stringify(text.slice(0, 40)))
          .join(", "),
      };
    return { values: valuesOfItems.map(([value]) => value), way };
  }
  return undefined;
}

/** The functions of this module, which run in the page. */
export const fieldsFunctions = { dropLabel, findByProperty, findByLabel, findByClass, narrow, readField };
