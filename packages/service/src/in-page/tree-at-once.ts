import { sizeOf, type FlatElement } from "./flat-tree.ts";
import { flatTreeOf } from "./flat-tree-of.ts";
import { htmlOf, mediaTypeOf, ownerOf, textOf } from "./live-dom.ts";

/** Deepest nesting that is taken at once: a browser needs room on its stack for each level. */
const maxDepth = 100;

/**
 * The flat tree of a live element and of all that is in it, as the browser writes it: that takes a tenth of the time that it
 * takes node by node.
 *
 * @returns Undefined when there is too much in it, or what the browser writes can't be relied upon.
 *
 * Source: ours.
 */
export function treeAtOnce(source: Element, maxElements: number): FlatElement | undefined {
  const of = ownerOf(source);
  if (of === null || mediaTypeOf(of) !== "text/html") return undefined;
  const { length } = Element.prototype.getElementsByTagName.call(source, "*");
  if (length > maxElements || isDeep(source)) return undefined;
  const tree = flatTreeOf(htmlOf(source));
  const { elements, characters } = sizeOf(tree);
  // What scripts make can be written in a way that reads as something else: a comment with an end in it.
  return elements === length && characters === textOf(source)?.length ? tree : undefined;
}

function isDeep(root: Element): boolean {
  return Element.prototype.querySelector.call(root, `:scope${" > *".repeat(maxDepth)}`) !== null;
}
