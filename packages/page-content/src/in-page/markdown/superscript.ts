import type { FlatElement, FlatNode } from "../flatten/flat-tree.ts";
import type { Walk } from "./walk.ts";

/**
 * Writes a superscript. A power gets a caret (10 to the sixth is not 106), the cents of a price a decimal separator, and a fraction a space
 * before it.
 */
export function writeSuperscript(element: FlatElement, walk: Walk): void {
  const raised = element.textContent.trim();
  const { ending } = walk.run;
  const isNote = element.parent?.localName === "a" || element.find(({ localName }) => localName === "a") !== undefined;
  if (isNote || !/[\p{L}\p{N})\]]$/u.test(ending)) return walk.children(element);
  if (/^\d+$/.test(raised) && /\d$/.test(ending) && isFraction(element)) walk.run.space();
  else if (/^\d\d$/.test(raised) && isPrice(ending, element.nextSibling))
    walk.run.text(/\.\d{3}$/.test(ending) ? "," : ".");
  else if (/^[+\-−–]?(?:\d{1,6}|[a-z])$/i.test(raised)) walk.run.text("^");
  else if (/^[+\-−–]?[\da-z]{1,3}(?:[+\-−–*/][\da-z]{1,3})+$/i.test(raised)) return walk.run.text(`^(${raised})`);
  walk.children(element);
}

/** Returns whether a slash and a subscript follow a superscript. */
function isFraction({ nextSibling: stroke }: FlatElement): boolean {
  if (stroke?.nodeType !== 3 || !/^\s*[/\u2044]\s*$/.test(stroke.nodeValue)) return false;
  return stroke.nextSibling?.nodeType === 1 && stroke.nextSibling.localName === "sub";
}

const moneyBefore = /(?:\p{Sc}|\b(?:CHF|EUR|USD|kr|Rs)\.?)\s*\d[\d.,\s]*$/u;
const moneyAfter = /^\s*(?:\p{Sc}(?!\s?\d)|(?:CHF|EUR|Ft|Kč|PLN|USD|kr|lei|zł|руб)(?!\p{L}))/u;

/** Returns whether a number is an amount of money, by the currency before or after it. */
function isPrice(ending: string, after: FlatNode | null): boolean {
  return moneyBefore.test(ending) || moneyAfter.test(wordsFrom(after));
}

/** Returns the text of the next node that is not blank. */
function wordsFrom(node: FlatNode | null): string {
  for (let at = node; at !== null; at = at.nextSibling) {
    const words = at.nodeType === 1 ? at.textContent : at.nodeType === 3 ? at.nodeValue : "";
    if (/\S/.test(words)) return words;
  }
  return "";
}
