import type { ElementNoun } from "../task/element-nouns.ts";
import type { Instruction } from "./instruction.ts";

/** Words for several elements of a page, and how they are called here. */
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

/** Reads what is named by one of the words, on so many pages. */
export function readElementsClause(noun = "", pages?: string): Instruction | undefined {
  const of = elementNouns.get(noun.toLowerCase());
  return of && { verb: "extract-elements", of, ...(pages === undefined ? {} : { pages: Number(pages) }) };
}
