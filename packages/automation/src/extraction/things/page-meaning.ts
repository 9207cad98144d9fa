import type { writeNumbersAsDigits } from "../number-words.ts";
import type { PageAsk, PageNoun, StatedTotal } from "./page-ask.ts";
import type { PageGroup } from "./page-groups.ts";
import type { PageTables } from "./page-tables.ts";
import type { InPage } from "./page-view.ts";

/** Names groups, and judges whether a noun fits them. */
export interface PageMeaning extends PageTables, InPage<typeof meaningFunctions> {
  /** Replaces numbers in words by digits. */
  readonly writeNumbersAsDigits: typeof writeNumbersAsDigits;
}

/**
 * Returns whether a title names a kind of thing: "Customer reviews (12)" names reviews, "Countries by population" countries. Runs in the
 * page.
 */
function isCalled(_: object, title: string, { forms }: Pick<PageNoun, "forms">): boolean {
  const head = title
    .toLowerCase()
    .replace(/\([^)]*\)|\[[^\]]*\]|\d[\d.,]*\+?/g, " ")
    .split(/\s(?:by|of|in|for|from|with|at|to|on|near|under|about|this|that|we|you)\s|\s[–—|-]\s|[:：,]/u)[0];
  const words = (head ?? "").replace(/[^\p{L}\p{N}' -]+/gu, " ").trim();
  return forms.some((form) => words === form || words.endsWith(` ${form}`));
}

/** Returns an alternative of a pattern for the forms of a noun. Runs in the page. */
function writeForms(_: object, { forms }: Pick<PageNoun, "forms">): string {
  return forms.map((form) => form.replace(/[^\p{L}\p{N} -]/gu, "")).join("|");
}

/** Returns the name of a group: its caption or label, or the heading before it. Runs in the page. */
function readGroupName(page: PageMeaning, { around, items, within }: PageGroup): string {
  const first = items[0]?.elements[0] ?? around;
  for (
    let part: Element | null = around;
    part !== null && part !== document.body && part !== within;
    part = part.parentElement
  ) {
    const name = page.readPartName(part);
    if (name !== "" && part.matches("table, ul, ol, dl, section, figure, fieldset, [role]")) return name;
    if (part.matches("section, article, main, aside")) break;
  }
  const isInside = (heading: Element): boolean =>
    items.some(({ elements }) => elements.some((one) => one.contains(heading)));
  const before = page
    .listHeadings()
    .findLast(
      (heading) =>
        (heading.compareDocumentPosition(first) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 &&
        !isInside(heading) &&
        (within === undefined || within.contains(heading)),
    );
  return before ? page.readText(before) : "";
}

/** Returns whether the tag, type or class of an element marks a kind of thing. Runs in the page. */
function isMarked(page: PageMeaning, element: Element, { forms }: Pick<PageNoun, "forms">): boolean {
  const besides =
    /^(?:card|item|row|tile|box|entry|teaser|block|wrapper|preview|list|grid|container|element|result|listing|summary|col|cell|table)$/;
  const type = (element.getAttribute("itemtype") ?? "")
    .replace(/^.*[/#]/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase();
  if (element.matches("article, [role=article]") && forms.includes("article")) return true;
  if (type !== "" && forms.some((form) => type === form || type.endsWith(` ${form}`))) return true;
  return page.listClassWords(element).some((words) => {
    const at = words.findLastIndex((_, index) =>
      forms.some(
        (form) =>
          words.slice(0, index + 1).join(" ") === form ||
          words
            .slice(0, index + 1)
            .join(" ")
            .endsWith(` ${form}`),
      ),
    );
    return at >= 0 && words.slice(at + 1).every((word) => besides.test(word));
  });
}

/**
 * Rates how well a noun fits a group: 3 by its own name or structure, 2 by a column, 1 by the title of the page or section, 0 unknown, -1
 * if it is of another kind. Runs in the page.
 */
function rateFit(page: PageMeaning, group: PageGroup, noun: PageNoun, { others }: Pick<PageAsk, "others">): number {
  const name = page.readGroupName(group);
  const [first] = group.items;
  const marked = [first?.elements[0], group.around].some((one) => one !== undefined && page.isMarked(one, noun));
  if (marked || page.isCalled(name, noun)) return 3;
  if (group.headers?.some((sayings) => sayings.some((saying) => noun.forms.includes(saying.toLowerCase().trim()))))
    return 2;
  const titles = [
    document.title,
    ...page
      .listHeadings()
      .filter(
        (one) =>
          one.localName === "h1" ||
          (one.compareDocumentPosition(group.around) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
      )
      .map((one) => page.readText(one)),
  ];
  if (page.rateFitOfWords(group, noun, titles) === 1) return 1;
  const isAnother = new RegExp(`(?:^|\\s)(?:${others})$`, "iu");
  const isOther = (text: string): boolean => isAnother.test(text.replace(/\([^)]*\)|\d[\d.,]*/g, "").trim());
  if (isOther(name)) return -1;
  const words = group.items
    .slice(0, 1)
    .flatMap(({ elements }) => elements.flatMap((element) => page.listClassWords(element)));
  if (words.some((one) => isAnother.test(one[0] ?? ""))) return -1;
  const holds = new RegExp(`(?<!\\p{L})(?:${page.writeForms(noun)})(?!\\p{L})`, "iu");
  return titles.some((title) => holds.test(title)) ? 1 : 0;
}

/** Rates a noun of several words: 1 if each of them fits the group, such as "team members" in a team. Runs in the page. */
function rateFitOfWords(page: PageMeaning, group: PageGroup, noun: PageNoun, titles: readonly string[]): 0 | 1 {
  const words = noun.one.split(" ");
  const last = words.at(-1) ?? "";
  if (words.length < 2 || last === "") return 0;
  const forms = noun.forms.flatMap((form) => (form.includes(" ") ? [form.split(" ").at(-1) ?? ""] : []));
  const [first] = group.items;
  const name = page.readGroupName(group);
  const isLast =
    page.isCalled(name, { forms }) ||
    [first?.elements[0], group.around].some((one) => one !== undefined && page.isMarked(one, { forms }));
  const classes = [group.around, ...(first?.elements ?? [])].flatMap((element) => page.listClassWords(element).flat());
  const context = [...titles, name, classes.join(" ")]
    .join(" ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return isLast && words.slice(0, -1).every((word) => context.includes(word)) ? 1 : 0;
}

/**
 * Finds the totals that a page states for a kind of thing: "128 reviews", "Reviews (128)", "3 of 128 reviews", "No reviews yet"; where it
 * states no exact one, the largest rough one. Runs in the page.
 */
function findStatedTotals(
  page: PageMeaning,
  { forms }: PageNoun,
  isLeft: (element: Element) => boolean,
): readonly StatedTotal[] {
  const noun = page.writeForms({ forms });
  const number = String.raw`(\d{1,3}(?:[.,'\u00A0\u202F ]\d{3})+|\d+)`;
  const about = String.raw`(?:more than|over|above|about|around|approx(?:imately|\.)?|roughly|almost|nearly|at least|some|ca\.?|circa|mehr als|über|etwa|rund|fast|plus de|environ|près de|más de|cerca de|unos|mais de|più di|oltre|meer dan|ongeveer|[~≈>≥+])`;
  const rough = String.raw`(?<about>${about}\s?)?(?<number>\d+(?:[.,'\u00A0\u202F ]\d+)*)\s?(?<unit>k|thousand|tsd\.?|mio\.?|m|million)?(?<plus>\s?\+)?`;
  const patterns = [
    new RegExp(
      `^(?:(?:all|total:?|showing|found|of)\\s)?${number}\\s(?:\\p{L}+\\s){0,2}?(?:${noun})(?:\\s(?:in total|found|in all|available))?[.:]?$`,
      "iu",
    ),
    new RegExp(`^(?:\\p{L}+\\s){0,2}?(?:${noun})\\s?[(\\[:]?\\s?${number}[)\\]]?$`, "iu"),
    new RegExp(`\\b\\d+\\s?[-–—]\\s?\\d+\\s(?:of|von|de|sur)\\s${number}(?:\\s(?:${noun}))?`, "iu"),
    new RegExp(
      `^(?:\\p{L}+\\s){0,2}?\\d+\\s(?:of|out of|von|de|sur)\\s${number}\\s(?:\\p{L}+\\s){0,2}?(?:${noun})[.:]?$`,
      "iu",
    ),
  ];
  const roughly = [
    new RegExp(
      `^(?:\\p{L}+\\s){0,3}?(?:\\d+\\s(?:of|out of|von|de|sur)\\s)?${rough}\\s(?:\\p{L}+\\s){0,2}?(?:${noun})(?:\\s(?:in total|found|in all|available))?[.:!]?$`,
      "iu",
    ),
    new RegExp(`^(?:\\p{L}+\\s){0,2}?(?:${noun})\\s?[(\\[:]?\\s?${rough}[)\\]]?$`, "iu"),
    new RegExp(`\\b\\d+\\s?[-–—]\\s?\\d+\\s(?:of|von|de|sur)\\s${rough}(?:\\s(?:${noun}))?`, "iu"),
  ];
  const units: Readonly<Record<string, number>> = { k: 1e3, t: 1e3, m: 1e6 };
  const readRough = (text: string, isLink: boolean): number | undefined => {
    if (/\bmore\b(?! than)/i.test(text)) return undefined; // a control that adds to what is shown
    for (const pattern of roughly) {
      const { about: prefix, number: digits, unit = "", plus } = pattern.exec(text)?.groups ?? {};
      if (digits === undefined || (prefix === undefined && unit === "" && plus === undefined && !isLink)) continue;
      const factor = units[unit.charAt(0).toLowerCase()];
      return factor === undefined ? Number(digits.replace(/\D/g, "")) : Number(digits.replace(",", ".")) * factor;
    }
    return undefined;
  };
  const none = new RegExp(
    `^(?:there (?:are|is) )?(?:no|0|zero|keine|aucune?) (?:\\p{L}+\\s){0,2}?(?:${noun})(?:\\s(?:yet|found|available|here|so far|to show|at the moment))*[.!]?$`,
    "iu",
  );
  const totals = new Map<number, string>();
  let largest: StatedTotal | undefined;
  for (const element of page.select(document.body, "*").slice(0, 20_000)) {
    if (element.childElementCount > 4 || isLeft(element)) continue;
    const words = page.readText(element);
    if (words.length > 80 || words === "") continue;
    const text = page.writeNumbersAsDigits(words);
    if (none.test(text)) totals.set(0, words);
    if (element.closest("a[href*='page'], nav")) continue;
    const digits = patterns.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
    const roughTotal = readRough(text, element.matches("a, button, [role=link], [role=button]"));
    const isExact = digits !== undefined && (roughTotal === undefined || !/[+~≈>≥]/.test(text));
    if (isExact) totals.set(Number(digits.replace(/\D/g, "")), words);
    else if (roughTotal !== undefined && Number.isFinite(roughTotal) && roughTotal > (largest?.total ?? 0))
      largest = { total: roughTotal, words, isRough: true };
  }
  if (totals.size === 0) return largest ? [largest] : [];
  return [...totals].map(([total, words]) => ({ total, words }));
}

/** The functions of this module, which run in the page. */
export const meaningFunctions = {
  isCalled,
  writeForms,
  readGroupName,
  isMarked,
  rateFit,
  rateFitOfWords,
  findStatedTotals,
};
