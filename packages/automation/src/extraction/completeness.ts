import type { Page } from "playwright-core";
import { awaitWithin } from "../async.ts";
import type { ExtractionKind, Step } from "../task/step.ts";
import { toSingularNoun } from "../task/element-nouns.ts";
import { toPlural } from "../task/plurals.ts";
import { nameThings } from "./things/compile-ask.ts";
import type { StatedTotal } from "./things/page-ask.ts";
import { findFurther } from "./find-further.ts";
import { writeNumbersAsDigits } from "./number-words.ts";
import { findStatedPart } from "./stated-part.ts";

/** Reason why reading ended. */
export type ReadingEnd =
  | { readonly reason: "all" }
  | { readonly reason: "limit"; readonly limit: number; readonly control?: string }
  | { readonly reason: "shape"; readonly control: string | undefined }
  | { readonly reason: "failed"; readonly why: string };

/** Completeness of an extracted value. */
export interface Completeness {
  /** One sentence; empty for a value without parts. */
  readonly sentence: string;
  /** True when the page has more. */
  readonly isPart: boolean;
}

/** Longest wait for the page, in milliseconds. */
const timeoutMs = 2000;

/** Measures how complete an extracted value is: all, or a part, with the total if the page declares it. */
export async function measureCompleteness(
  page: Page,
  { what, nextPage }: Extract<Step, { readonly action: "extract" }>,
  value: unknown,
  {
    pages,
    end,
    total: statedTotal,
    isListed: isListedThings = true,
  }: {
    readonly pages: number;
    readonly end: ReadingEnd | undefined;
    readonly total?: StatedTotal | undefined;
    readonly isListed?: boolean;
  },
): Promise<Completeness> {
  const of = pages === 1 ? "the page" : `${pages} pages`;
  const part = (words: string): Completeness => ({ sentence: `This is a part: ${words}`, isPart: true });
  if (!Array.isArray(value)) {
    const isPart = end !== undefined && end.reason !== "all";
    return { sentence: nextPage ? `This is ${isPart ? "a part: what is on" : "all of"} ${of}.` : "", isPart };
  }
  const one = nameUnit(what);
  // What a page counts, or has more of, are the things that it lists.
  const isListed = what.kind !== "links" && what.kind !== "elements" && (what.kind !== "things" || isListedThings);
  const several = toPlural(one);
  const total = statedTotal ?? (isListed ? await findDeclaredTotal(page, what.kind) : undefined);
  const count = value.length;
  const units = `${count} ${count === 1 ? one : several}`;
  if (total && total.total > count) {
    const those = total.isRough ? `${units} of ${of}` : `${count} of ${total.total} ${several}`;
    return part(`${those} (the page says ${JSON.stringify(total.words)}).`);
  }
  if (end?.reason === "failed") return part(`${units} of ${of}; more could not be read: ${end.why}`);
  if (end?.reason === "limit")
    return {
      ...part(`${units} of ${of}, up to the limit (${end.limit}).`),
      isPart: end.control !== undefined || pages === 1,
    };
  if (end?.reason === "shape") return part(`${units} of ${of}; the next page has another kind of content.`);
  const numbered = await awaitWithin(timeoutMs, page.evaluate(readPageNumber));
  if (numbered && Math.max(numbered.current, pages) < numbered.last)
    return part(`${units} of ${of} (the page says ${JSON.stringify(numbered.words)}).`);
  if (count >= maxItems) return part(`the limit of ${maxItems} ${several} of a page is reached.`);
  const isCounted = total !== undefined && total.isRough !== true;
  const further = nextPage || isCounted || !isListed ? undefined : (await findFurther(page, 1))?.name;
  if (further !== undefined) return part(`${units} of this page; there is more (${JSON.stringify(further)}).`);
  const statedPart = isCounted || !isListed ? undefined : await findStatedPart(page, value, [one, several], pages);
  if (statedPart !== undefined) return part(`${units} of ${of} (the page says ${JSON.stringify(statedPart)}).`);
  const single = nextPage && pages === 1 ? "; no next page was found" : "";
  const all = count === 0 ? `There is no ${one}` : `These are all ${units}`;
  return { sentence: `${count === 1 ? `This is the only ${one}` : all} of ${of}${single}.`, isPart: false };
}

/** Returns the word for one of what an extraction reads: "row", "product". */
export function nameUnit(what: ExtractionKind): string {
  if (what.kind === "elements") return toSingularNoun(what.of);
  if (what.kind === "things") return nameThings(what.question).one;
  return { table: "row", list: "item", links: "link", text: "part", data: "value" }[what.kind];
}

/** Most rows or items that are read of one page. */
const maxItems = 5000;

/** Returns how many rows or items a page says there are: "1–10 of 237", `aria-rowcount`, `aria-setsize`; undefined if it does not. */
async function findDeclaredTotal(page: Page, kind: string): Promise<StatedTotal | undefined> {
  const stated = await awaitWithin(timeoutMs, page.evaluate(readTotal, kind));
  if (stated === undefined) return undefined;
  return "total" in stated ? stated : findTotal(stated);
}

/**
 * Runs in the page: reads the number of the current page and of the last one, where the page says both: "Page 1 of 7", or "1 / 7" in a
 * pager.
 */
function readPageNumber(): { readonly current: number; readonly last: number; readonly words: string } | null {
  const words =
    "(?:page|seite|página|pàgina|pagina|strona|strana|stranica|страница|сторінка|σελίδα|sida|side|sivu|oldal|sayfa|trang|halaman|หน้า|صفحة|صفحه|עמוד|第)";
  const of = "(?:of|out of|von|de|di|sur|van|z|ze|из|з|av|af|od|από|trên|dari|จาก|من|از|מתוך|[/／|])";
  const pattern = new RegExp(
    String.raw`^(${words}?):?\s*(\d{1,5})\s*(?:ページ|页|頁)?\s*${of}\s*(\d{1,5})\s*(?:ページ|页|頁|pages|seiten)?\.?$`,
    "iu",
  );
  for (const element of [...document.querySelectorAll("body *")].slice(0, 20_000)) {
    if (element.childElementCount > 4 || element.closest("script, style, td, option") || !element.checkVisibility())
      continue;
    const text = (element.textContent ?? "").replace(/\s+/g, " ").trim();
    const [, word, current, last] = text.length <= 40 ? (pattern.exec(text) ?? []) : [];
    const isPager = element.closest("[class*=pag i], [aria-label*=pag i], nav") !== null;
    if (last !== undefined && (word !== "" || isPager))
      return { current: Number(current), last: Number(last), words: text };
  }
  return null;
}

const number = String.raw`(\d{1,3}(?:[.,'\u00A0\u202F ]\d{3})+|\d+)`;
const about = String.raw`((?:more than|over|about|around|approx(?:imately|\.)?|almost|nearly|at least|ca\.?|circa|mehr als|über|etwa|rund|plus de|environ|más de|cerca de|mais de|più di|oltre|meer dan|ongeveer|[~≈>≥])\s?)`;
const plus = String.raw`(\s?\+)?`;
const of = "(?:of|out of|von|de|sur|di|van)";
const units = String.raw`(?:results?|items?|rows?|entries|records|products|ergebnisse\p{L}*|einträge\p{L}*|résultats?|resultados?|risultati|resultaten)`;

/** Patterns of texts that state how many there are; the surest first. */
const totals = [
  String.raw`(?<![\d.,:/-])\d[\d.,]*\s?(?:[-–—]|to|bis|à|a|tot|al|до)\s?\d[\d.,]*\s(?:of|out of|von|de|sur|di|van|av|af|z|из|з)\s${about}?${number}${plus}(?![\d-])`,
  String.raw`(?:showing|displaying|shown|viewing|viewed|angezeigt|affichage|mostrando|weergegeven)\D{0,20}\d[\d.,]*\s${of}\s${about}?${number}${plus}`,
  String.raw`^\d[\d.,]*\s${of}\s${about}?${number}${plus}\s${units}(?!\p{L})`,
  String.raw`^(?:total:?\s|all\s|found\s)?${about}?${number}${plus}\s(?:results?|items?|rows?|entries|records|hits|matches|ergebnisse|treffer|einträge|résultats|resultados|risultati|resultaten)(?: found| in total| gefunden)?\.?$`,
].map((pattern) => new RegExp(pattern, "iu"));

/** Returns how many the first text states that states it, by the surest pattern. */
function findTotal(texts: readonly string[]): StatedTotal | undefined {
  const lines = texts.map((text) => ({ text, digits: writeNumbersAsDigits(text) }));
  for (const pattern of totals) {
    for (const line of lines) {
      const [words = "", prefix, digits, more] = pattern.exec(line.digits) ?? [];
      if (digits === undefined) continue;
      const isRough = prefix !== undefined || more !== undefined;
      const shownWords = line.text === line.digits ? words : line.text;
      return { total: Number(digits.replace(/\D/g, "")), words: shownWords, ...(isRough && { isRough }) };
    }
  }
  return undefined;
}

/** Runs in the page: reads the total that its elements declare; without one, the texts that may state it. */
function readTotal(kind: string): StatedTotal | readonly string[] {
  const grid = kind === "table" ? document.querySelector("[aria-rowcount]") : null;
  const rows = Number(grid?.getAttribute("aria-rowcount") ?? 0);
  if (grid && rows > 0) {
    const heads = [...grid.querySelectorAll("tr, [role=row]")].filter((row) =>
      row.querySelector("th:not([scope=row]), [role=columnheader]"),
    ).length;
    return { total: rows - heads, words: `aria-rowcount ${rows}` };
  }
  const item = kind === "list" ? document.querySelector("[aria-setsize]") : null;
  const size = Number(item?.getAttribute("aria-setsize") ?? 0);
  if (size > 0) return { total: size, words: `aria-setsize ${size}` };
  const texts: string[] = [];
  for (const element of document.querySelectorAll("body *")) {
    if (texts.length > 3000) break;
    if (element.children.length > 6 || element.closest("script, style, td, li, option") || !element.checkVisibility())
      continue;
    const text = (element.textContent ?? "").replace(/\s+/g, " ").trim();
    if (text.length <= 80 && text !== "") texts.push(text);
  }
  return texts;
}
