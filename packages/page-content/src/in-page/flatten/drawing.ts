import { resolveAttribute } from "./element-copy.ts";
import { flatMarks } from "./flat-marks.ts";
import type { FlatElement } from "./flat-tree.ts";
import { flattenTree } from "./flat-tree-of.ts";
import { baseOf } from "./live-dom.ts";

/** Maximum number of elements of a drawing that is copied as a whole. */
const maxElements = 200;

/**
 * Fills the copy of a drawing: with all of a small one, with the words of a large one.
 *
 * @returns How many elements are in the drawing.
 */
export function copyDrawing(drawing: Element, copy: FlatElement): number {
  const box = drawing.getBoundingClientRect();
  copy.setAttribute(flatMarks.size, `${Math.round(box.width)}x${Math.round(box.height)}`);
  const { length } = drawing.getElementsByTagName("*");
  copy.empty();
  if (length <= maxElements) copy.adoptChildren(flattenTree(drawing.outerHTML));
  else {
    copy.setAttribute("data-flat-words-only", "");
    for (const words of drawing.querySelectorAll(":scope > title, :scope > desc, text"))
      copy.append(flattenTree(words.outerHTML));
  }
  for (const unwanted of copy.findAll(({ localName }) => localName === "style" || localName === "script"))
    unwanted.remove();
  for (const link of copy.findAll(({ localName }) => localName === "a"))
    resolveAttribute(link, "href", baseOf(drawing));
  return length;
}
