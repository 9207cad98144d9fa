import { isElement } from "../flatten/flat-marks.ts";
import type { OutlineLeaf, PageOutline } from "./page-outline.ts";

const deepCopied = new Set(["picture", "video", "audio", "svg", "math"]);
const cellTags = new Set(["td", "th"]);
/** An image stays where at least this share of the words around it stays. */
const shareAroundImages = 0.5;

/**
 * A copy of a page with only the chosen blocks, what holds them, and the images and line breaks among them. Its root is a
 * `div` in place of the page's root and body.
 */
export function contentCopy(document: Document, outline: PageOutline, chosen: Uint8Array): Element {
  const { elements, leaves } = outline;
  const stays = new Uint8Array(elements.length);
  const wordsKept = new Float64Array(elements.length);
  const isKept = (leaf: OutlineLeaf): boolean => leaf.block >= 0 && chosen[leaf.block] === 1;
  for (const leaf of leaves) if (isKept(leaf)) wordsKept[leaf.parent] = (wordsKept[leaf.parent] ?? 0) + leaf.words;
  for (let index = elements.length - 1; index > 0; index -= 1) {
    const parent = elements[index]?.parent ?? 0;
    wordsKept[parent] = (wordsKept[parent] ?? 0) + (wordsKept[index] ?? 0);
  }
  const worded = new Int32Array(elements.length);
  elements.forEach((entry, index) => {
    worded[index] = entry.words > 0 || index === 0 ? index : (worded[entry.parent] ?? 0);
  });
  const isAmongKept = (leaf: OutlineLeaf): boolean => {
    const around = worded[leaf.parent] ?? 0;
    return (wordsKept[around] ?? 0) >= (elements[around]?.words ?? 0) * shareAroundImages;
  };
  const keptLeaves = leaves.filter((leaf) => (leaf.block >= 0 ? isKept(leaf) : isAmongKept(leaf) && isShown(leaf)));
  for (const { parent } of keptLeaves) {
    for (let index = parent; index >= 0 && stays[index] === 0; index = elements[index]?.parent ?? -1) stays[index] = 1;
  }
  // A row keeps its empty cells, else columns would move.
  elements.forEach((entry, index) => {
    if (cellTags.has(entry.tag) && stays[entry.parent] === 1) stays[index] = 1;
  });

  const root = document.createElement("div");
  const copies: (Node | undefined)[] = [];
  let next = 0;
  const copyLeavesBefore = (index: number): void => {
    for (; next < keptLeaves.length; next += 1) {
      const leaf = keptLeaves[next];
      if (leaf === undefined || leaf.before > index) return;
      copies[leaf.parent]?.appendChild(leaf.node.cloneNode(deepCopied.has(leaf.node.nodeName.toLowerCase())));
    }
  };
  elements.forEach((entry, index) => {
    copyLeavesBefore(index);
    if (stays[index] === 0) return;
    const above = copies[entry.parent];
    if (above === undefined || entry.tag === "body") {
      copies[index] = root;
      return;
    }
    copies[index] = above.appendChild(entry.element.cloneNode(false));
  });
  copyLeavesBefore(elements.length);
  return root;
}

function isShown(leaf: OutlineLeaf): boolean {
  if (!isElement(leaf.node) || leaf.node.nodeName.toLowerCase() !== "input") return true;
  return leaf.node.getAttribute("type") === "checkbox";
}
