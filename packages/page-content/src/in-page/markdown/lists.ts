import type { FlatElement } from "../flatten/flat-tree.ts";
import { isHidden } from "../flatten/flat-marks.ts";
import { readLoosePart } from "./loose-parts.ts";
import type { Walk } from "./walk.ts";

/** Highest number of an item that Markdown knows. */
const maxNumber = 999_999_999;
/** Elements of a list that are not items, or are around some of them. */
const parts = new Set("h1 h2 h3 h4 h5 h6 ul ol menu dir".split(" "));

/** Writes a list, item by item. */
export function writeList(list: FlatElement, walk: Walk): void {
  if (walk.run.breaks !== "line") return walk.children(list);
  const ordered = list.localName === "ol";
  const marker = chooseMarker(ordered, walk.out.closedList);
  let number = readStart(list);
  const step = list.hasAttribute("reversed") ? -1 : 1;
  // A list within an item follows its text; a number other than 1 would be taken for a part of that text.
  if (list.parent?.localName === "li" && !walk.out.atItemStart && (!ordered || number === 1)) walk.out.join();
  let first = true;
  let indent: string | undefined;
  for (let node = list.firstChild; node !== null && !walk.out.full; node = node.nextSibling) {
    const child = readLoosePart(node);
    if (child === undefined || isHidden(child)) continue;
    if (isItem(child)) {
      if (ordered) number = readNumber(child, number);
      if (!first) walk.out.join();
      const lines = walk.out.lines;
      const sign = ordered ? `${Math.min(Math.max(number, 0), maxNumber)}${marker}` : marker;
      writeItem(child, walk, sign);
      if (walk.out.lines !== lines) {
        first = false;
        indent = " ".repeat(sign.length + 1);
      }
      number += step;
    } else {
      const lines = walk.out.lines;
      writeStray(child, walk, first, indent);
      first &&= walk.out.lines === lines;
    }
  }
  if (!first) walk.out.closeList(marker);
}

/** Writes a child of a list that is not an item. Invalid HTML, but common: it belongs to the item before. */
function writeStray(element: FlatElement, walk: Walk, first: boolean, indent: string | undefined): void {
  const isList = element.localName === "ul" || element.localName === "ol";
  const isApart = !isList && (indent === undefined || isPart(element) || element.find(isPart) !== undefined);
  if (!first && (isList || isApart)) walk.out.join();
  const write = (): void => walk.block(() => (isList ? writeList(element, walk) : walk.element(element)));
  if (isApart) write();
  else walk.out.within(indent ?? "  ", write);
}

/** Returns whether an element divides a list rather than being in an item of it. */
function isPart(element: FlatElement): boolean {
  return parts.has(element.localName) || isItem(element);
}

/** Writes one item of a list, or an item without a list. */
export function writeItem(item: FlatElement, walk: Walk, marker: string): void {
  const label = walk.footnotes.findNote(item);
  const write = (): void => walk.block(() => walk.children(item));
  if (walk.run.breaks !== "line") write();
  else if (label === undefined) walk.out.item(marker, write);
  else walk.out.note(label, write);
}

/** Two lists in a row would be one, if their markers were the same. */
function chooseMarker(ordered: boolean, closed: string): string {
  if (ordered) return closed === "." ? ")" : ".";
  return closed === "-" ? "*" : "-";
}

function isItem(element: FlatElement): boolean {
  return element.localName === "li" || element.getAttribute("role") === "listitem";
}

function readStart(list: FlatElement): number {
  const start = Number.parseInt(list.getAttribute("start") ?? "", 10);
  if (Number.isFinite(start)) return start;
  return list.hasAttribute("reversed") ? list.children.length : 1;
}

function readNumber(item: FlatElement, next: number): number {
  const value = Number.parseInt(item.getAttribute("value") ?? "", 10);
  return Number.isFinite(value) ? value : next;
}
