import { FlatElement, FlatText, type FlatNode } from "../flatten/flat-tree.ts";

/**
 * Returns a child of a list or a table as an element: a text that stands there by itself becomes one. Undefined for a comment and for white
 * space.
 */
export function readLoosePart(node: FlatNode): FlatElement | undefined {
  if (node.nodeType === 1) return node;
  if (node.nodeType !== 3 || node.nodeValue.trim() === "") return undefined;
  const element = new FlatElement("p");
  element.append(new FlatText(node.nodeValue));
  return element;
}
