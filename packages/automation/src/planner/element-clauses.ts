import { elementSelectors, isElementNoun, type ElementNoun } from "../task/element-nouns.ts";
import type { Instruction } from "./instruction.ts";

/** Other words for the kinds. */
const synonyms: ReadonlyMap<string, ElementNoun> = new Map([
  ["headers", "headings"],
  ["section titles", "headings"],
  ["subheadings", "headings"],
  ["quotations", "quotes"],
  ["blockquotes", "quotes"],
  ["code samples", "code blocks"],
]);
/** All words for the kinds, as an alternative of a pattern. */
export const elementWords = [...Object.keys(elementSelectors), ...synonyms.keys()].join("|");

/** Reads a clause that asks for all elements of a kind, on so many pages. */
export function readElementsClause(noun = "", pages?: string): Instruction | undefined {
  const word = noun.toLowerCase();
  const of = isElementNoun(word) ? word : synonyms.get(word);
  return of && { verb: "extract-elements", of, ...(pages === undefined ? {} : { pages: Number(pages) }) };
}
