import { isElement, tagOf } from "./live-dom.ts";
import { isInline } from "./rendered-style.ts";

/** Returns whether a line ends within a text, after some of it: then it matters whether the browser shows that. */
export function hasLineEndWithin(text: string): boolean {
  return text.includes("\n") && /\S[^\S\n]*\n/.test(text);
}

/**
 * Returns whether a text may contain a visible line end; white space between blocks only separates them in the source.
 *
 * @param within - Name of the element that it is in.
 */
export function mayEndLine(node: Node, text: string, within: string): boolean {
  if (!text.includes("\n")) return false;
  const { previousSibling } = node;
  const isBeside = previousSibling !== null && isElement(previousSibling) && isInline(tagOf(previousSibling));
  return isBeside || isInline(within) || hasLineEndWithin(text);
}
