import type { FlatElement } from "./flat-tree.ts";
import { parseFlat } from "./flat-tree-of.ts";
import { htmlOf, mediaTypeOf, ownerOf, parentOf, textOf } from "./live-dom.ts";

/** Deepest nesting that is surely taken at once, and by how much it may be exceeded: a browser needs room on its stack for each level. */
const maxDepth = 100;

/**
 * The flat tree of a live element and of all that is in it, as the browser writes it: that takes a tenth of the time that it
 * takes node by node.
 *
 * @returns Undefined when there is too much in it, or what the browser writes can't be relied upon.
 */
export function treeAtOnce(source: Element, maxElements: number): FlatElement | undefined {
  const of = ownerOf(source);
  if (of === null || mediaTypeOf(of) !== "text/html") return undefined;
  const all = Element.prototype.getElementsByTagName.call(source, "*");
  const { length } = all;
  if (length > maxElements || isDeep(all, source)) return undefined;
  const { tree, elements, characters } = parseFlat(htmlOf(source));
  // What scripts make can be written in a way that reads as something else: a comment with an end in it.
  return elements === length && characters === textOf(source)?.length ? tree : undefined;
}

/**
 * Returns whether elements are nested twice as deep as allowed, possibly also for less. Samples elements at that distance: whatever is
 * nested so deep lies in as many consecutive elements that are too deep themselves.
 */
function isDeep(all: HTMLCollectionOf<Element>, root: Element): boolean {
  for (let index = maxDepth; index < all.length; index += maxDepth) {
    let depth = 0;
    for (let at: Node | null = all[index] ?? null; at !== null && at !== root; at = parentOf(at)) {
      depth += 1;
      if (depth > maxDepth) return true;
    }
  }
  return false;
}
