import { Readability } from "@mozilla/readability";

import { isElement } from "../flatten/flat-marks.ts";
import { type PageOutline, wordCount } from "./page-outline.ts";

const mark = "data-outline";
const maxElements = 12_000;
const deepest = 400;

/**
 * Returns the share of each block (0 to 1) that Readability extracts; -1 everywhere when it was not run or failed.
 *
 * Readability works on a copy of the document, and is not run on very large or very deep pages.
 */
export function readabilityShares(document: Document, outline: PageOutline): Float64Array {
  const shares = new Float64Array(outline.blocks.length).fill(-1);
  const root = outline.elements[0];
  if (root === undefined || outline.elements.length > maxElements) return shares;
  if (outline.elements.some((entry) => entry.depth > deepest)) return shares;
  try {
    const copy = document.cloneNode(true);
    if (!isDocument(copy)) return shares;
    markCopies(document, copy, outline);
    const parsed = new Readability<Node>(copy, { serializer: (node) => node, disableJSONLD: true }).parse();
    const keptCharacters = new Float64Array(outline.elements.length);
    if (parsed?.content != null) countKept(parsed.content, keptCharacters);
    const own = new Float64Array(outline.elements.length);
    for (const { parent, words } of outline.leaves) own[parent] = (own[parent] ?? 0) + words;
    shares.fill(0);
    for (const { block, parent, words } of outline.leaves) {
      const total = outline.blocks[block]?.words ?? 0;
      if (block < 0 || total === 0 || words === 0) continue;
      shares[block] =
        (shares[block] ?? 0) + (words / total) * Math.min(1, (keptCharacters[parent] ?? 0) / (own[parent] ?? 1));
    }
  } catch {
    shares.fill(-1);
  }
  return shares;
}

function markCopies(document: Document, copy: Document, outline: PageOutline): void {
  const originals = document.querySelectorAll("*");
  const copies = copy.querySelectorAll("*");
  if (originals.length !== copies.length) throw new Error("the copy differs from the document");
  let next = 0;
  for (let at = 0; at < originals.length; at += 1) {
    if (originals[at] !== outline.elements[next]?.element) continue;
    copies[at]?.setAttribute(mark, String(next));
    next += 1;
  }
}

function isDocument(node: Node): node is Document {
  return node.nodeType === 9;
}

function countKept(content: Node, keptCharacters: Float64Array): void {
  const marks: number[] = [];
  let node: Node | null = content;
  let inside = -1;
  for (;;) {
    if (node.nodeType === 3 && inside >= 0)
      keptCharacters[inside] = (keptCharacters[inside] ?? 0) + wordCount(node.nodeValue ?? "");
    if (isElement(node)) {
      const own = node.getAttribute(mark);
      if (node.firstChild !== null) {
        marks.push(inside);
        if (own !== null) inside = Number(own);
        node = node.firstChild;
        continue;
      }
    }
    while (node !== content && node?.nextSibling === null) {
      node = node.parentNode;
      inside = marks.pop() ?? -1;
    }
    if (node === content || node === null) return;
    node = node.nextSibling;
    if (node === null) return;
  }
}
