import type { ElementNoun } from "../task/element-nouns.ts";
import type { Instruction } from "./instruction.ts";

/** Words for elements of a page, in the plural, by their kind. */
const elementNouns: ReadonlyMap<string, ElementNoun> = new Map([
  ["headings", "headings"],
  ["headers", "headings"],
  ["section titles", "headings"],
  ["subheadings", "headings"],
  ["buttons", "buttons"],
  ["paragraphs", "paragraphs"],
  ["quotes", "quotes"],
  ["quotations", "quotes"],
  ["blockquotes", "quotes"],
  ["code blocks", "code blocks"],
  ["code samples", "code blocks"],
  ["labels", "labels"],
  ["options", "options"],
  ["tabs", "tabs"],
  ["menu items", "menu items"],
  ["alerts", "alerts"],
  ["captions", "captions"],
]);
/** The words, as an alternative of a pattern. */
export const elementWords = [...elementNouns.keys()].join("|");

/** Reads a clause that asks for all elements of a kind, on so many pages. */
export function readElementsClause(noun = "", pages?: string): Instruction | undefined {
  const of = elementNouns.get(noun.toLowerCase());
  return of && { verb: "extract-elements", of, ...(pages === undefined ? {} : { pages: Number(pages) }) };
}
