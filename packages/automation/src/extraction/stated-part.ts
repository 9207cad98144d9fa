import type { Page } from "playwright-core";
import { awaitWithin } from "../async.ts";
import { writeNumbersAsDigits } from "./number-words.ts";
import { saysMore } from "./says-more.ts";

/** A short text of a page. */
interface PageLine {
  readonly text: string;
  /** True for a row or an item that says nothing else. */
  readonly isItem: boolean;
  /** True if it stands beside what was read. */
  readonly isNear: boolean;
}

/** Longest wait for the page, in milliseconds. */
const timeoutMs = 2000;

const number = String.raw`(\d{1,3}(?:[.,'\u00A0\u202F ]\d{3})+|\d+)`;
const shown = "shown|displayed|listed|visible|included|loaded|here|below|above";
const ends = "first|top|latest|last|newest|oldest|best|most recent|recent";

/** Returns the number of which a text says that only so many are shown: "Only the first 20 entries are shown", "Showing the top ten". */
export function readShownLimit(text: string): number | undefined {
  const line = writeNumbersAsDigits(text.trim());
  const words = String.raw`(?:\p{L}+\s){0,3}?`;
  const patterns = [
    String.raw`(?:only|just)\s(?:the\s)?(?:(?:${ends})\s)?${number}\s(?:of\s(?:the|these|them|all)\s)?${words}(?:(?:are|is|were|can be)\s)?(?:${shown})(?!\p{L})`,
    String.raw`(?:${ends})\s${number}\s${words}(?:(?:are|is|were)\s)?(?:${shown})(?!\p{L})`,
    String.raw`${number}\s(?:${ends})\s${words}(?:(?:are|is|were)\s)?(?:${shown})(?!\p{L})`,
    String.raw`(?:showing|displaying|listing|viewing|shows|displays|lists|you (?:see|are seeing|are viewing)|preview of|preview:)\s(?:you\s)?(?:(?:only|just)\s(?:the\s)?(?:(?:${ends})\s)?|(?:the\s)?(?:${ends})\s)${number}(?!\d|\s?(?:[-–—]|to|of)\s?\d)`,
    String.raw`(?:showing|displaying|listing|shown|displayed|this list is|this table is|results? (?:are|is)|limited|restricted|truncated|cut off|capped)\s(?:limited\s|restricted\s|truncated\s|cut off\s|capped\s)?(?:to|at|after)\s(?:the\s)?(?:(?:${ends})\s)?${number}\s(?:\p{L}+)`,
    String.raw`(?:nur|lediglich)\s(?:die\s)?(?:ersten\s|letzten\s|neuesten\s)?${number}\s${words}(?:werden\s|sind\s)?(?:angezeigt|gezeigt|dargestellt|aufgeführt)`,
    String.raw`(?:seul(?:e)?s?|uniquement)\s(?:les\s)?${number}\s${words}(?:sont\s)?(?:affichée?s|montrée?s)`,
    String.raw`(?:s[oó]lo|solamente|solo|somente|apenas)\s(?:se muestran\s|são mostrad[ao]s\s|vengono mostrat[ei]\s)?(?:l[ao]s\s|[aoi]\s|le\s)?(?:primer[ao]s\s|prim[ie]\s|primeir[ao]s\s)?${number}`,
  ];
  for (const pattern of patterns) {
    const digits = new RegExp(String.raw`(?<![\p{L}\d])${pattern}`, "iu").exec(line)?.[1];
    if (digits !== undefined) return Number(digits.replace(/\D/g, ""));
  }
  return undefined;
}

/**
 * Returns whether a text offers more than a number of things: "See all 97 members", "Show all 40", "Sign in to see the rest", "Page one of
 * five".
 *
 * @param pages - Number of pages that were read.
 */
export function offersMore(text: string, count: number, pages: number): boolean {
  const line = writeNumbersAsDigits(text.trim());
  const all = String.raw`\b(?:see|show|view|load|browse|display|read)\s(?:all|the (?:full|complete) list of)\s(?:of\s)?(?:the\s)?${number}(?![\d%])`;
  const [, digits] = new RegExp(all, "iu").exec(line) ?? [];
  if (digits !== undefined) return Number(digits.replace(/\D/g, "")) > count;
  const [, current, last] = /^page:?\s(\d{1,5})\s(?:of|out of)\s(\d{1,5})\.?$/i.exec(line) ?? [];
  if (last !== undefined) return Math.max(Number(current), pages) < Number(last);
  return /^(?:please )?(?:sign in|log in|sign up|subscribe|register|join|upgrade)\b.{0,30}\bto (?:see|view|read|show|get)\s(?:all|more|the (?:rest|others|full|remaining))(?!\p{L})/iu.test(
    line,
  );
}

/**
 * Finds a text of the page that says that it shows only a part of what was read: that there is more, or that only the first are shown.
 *
 * @param value - What was read, of all pages.
 * @param units - Words for what was read, singular and plural.
 * @param pages - Number of pages that were read.
 * @returns The words of the page; undefined if it says no such thing.
 */
export async function findStatedPart(
  page: Page,
  value: readonly unknown[],
  units: readonly string[],
  pages: number,
): Promise<string | undefined> {
  const lines = (await awaitWithin(timeoutMs, page.evaluate(listLines, chooseSample(value)))) ?? [];
  const read = JSON.stringify(value);
  const isLimit = (text: string): boolean => {
    const limit = readShownLimit(text);
    return limit !== undefined && value.length <= limit && value.length * 2 > limit;
  };
  return lines.find(({ text, isItem, isNear }) => {
    if (read.includes(JSON.stringify(text).slice(1, -1))) return false; // a part of an item
    const rest = text.length <= 60 ? saysMore(text, units) : undefined;
    return rest ? rest.hasNoun || isItem || isNear : isLimit(text) || offersMore(text, value.length, pages);
  })?.text;
}

/** Returns a text of the last one that was read. */
function chooseSample(value: readonly unknown[]): string {
  const last = value.at(-1);
  const content = typeof last === "object" && last !== null && "value" in last ? last.value : last;
  const texts = typeof content === "object" && content !== null ? Object.values(content) : [content];
  const strings = texts.filter((text) => typeof text === "string");
  return strings.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}

/** Runs in the page: lists short texts that tell of numbers or of more, without those of menus, forms and filters. */
function listLines(sample: string): PageLine[] {
  const bare = (text: string | null): string => (text ?? "").replace(/\s+/g, "");
  const left =
    "script, style, option, textarea, nav, form, fieldset, aside, header nav, footer, [class*=filter i], [class*=facet i]";
  const words =
    /\d|more|others?|all|page|rest|weitere|autres|más|altr[ie]|mais|meer|first|only|top|latest|shown|hidden|omitted/i;
  const start = bare(sample).slice(0, 60);
  const isNear = (element: Element): boolean => {
    let around = element.parentElement;
    for (let level = 0; level < 3 && around !== null; level += 1, around = around.parentElement)
      if (start !== "" && bare(around.textContent).includes(start)) return true;
    return false;
  };
  const lines: PageLine[] = [];
  for (const element of [...document.querySelectorAll("body *")].slice(0, 20_000)) {
    if (lines.length >= 2000) break;
    if (element.childElementCount > 2 || !element.checkVisibility()) continue;
    const text = (element.textContent ?? "").replace(/\s+/g, " ").trim();
    if (text === "" || text.length > 160 || !words.test(text) || element.closest(left)) continue;
    const isItem = element.matches("tr, tr > td:only-child, li, [role=row], [role=listitem]");
    lines.push({ text, isItem, isNear: isNear(element) });
  }
  return lines;
}
