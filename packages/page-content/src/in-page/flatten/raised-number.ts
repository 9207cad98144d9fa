import type { FlatElement, FlatNode } from "./flat-tree.ts";
import { isElement } from "./flat-marks.ts";

/** Elements that say nothing of their place: their style does. */
const placeless = new Set("b big em font i small span strong".split(" "));
/** Cents, a power, a note. */
const number = /^\d{1,3}$/;
/** The point that parts cents from the rest is there in many pages, and hidden. */
const numberEnd = /\d[.,]?$/;

/**
 * Returns whether an element is a number right behind another, so that the two are one unless a style parts them.
 *
 * @param element - Its copy, where that is in its place; else itself.
 */
export function isBehindNumber(element: Element | FlatElement, name: string): boolean {
  if (!placeless.has(name)) return false;
  const { firstChild: text } = element;
  if (text?.nodeType !== 3 || text.nextSibling !== null || !number.test(readWords(text))) return false;
  const before = nodeBefore(element);
  return before !== null && numberEnd.test(readWords(before));
}

/**
 * Returns whether a number after another is smaller and raised: 19 with a small 99 above is not 1999.
 */
export function isRaised(element: Element, style = getComputedStyle(element)): boolean {
  const { verticalAlign, position } = style;
  const stands =
    /^(?:super|top|text-top)$/.test(verticalAlign) ||
    Number.parseFloat(verticalAlign) > 0 ||
    (position === "relative" && Number.parseFloat(style.top) < 0);
  if (!stands) return false;
  const before = nodeBefore(element);
  const beside = before !== null && isElement(before) ? before : element.parentElement;
  return beside !== null && Number.parseFloat(style.fontSize) < Number.parseFloat(getComputedStyle(beside).fontSize);
}

/** Returns the previous node that is not a comment: some pages have comments between texts. */
function nodeBefore<Of extends Node | FlatNode>(node: Of): Of["previousSibling"] {
  let before = node.previousSibling;
  while (before?.nodeType === 8) before = before.previousSibling;
  return before;
}

function readWords(node: Node | FlatNode): string {
  return ("textContent" in node ? node.textContent : node.nodeValue) ?? "";
}
