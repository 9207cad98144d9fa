/**
 * Attributes of the flattened document beside an element's own: how the browser showed it.
 */
export const flatMarks = {
  /**
   * Reason why it is hidden: `display` (with all descendants), `visibility` (its own text only: descendants are marked
   * itself), `collapsed` (as `display`, but behind a tab or a disclosure that a reader may open).
   */
  hidden: "data-flat-hidden",
  /**
   * `block` or `inline`, where the style says other than the tag; `apart` of a part of a line between which and the words beside it there
   * is room.
   */
  display: "data-flat-display",
  /**
   * Number of code elements in a line, where that is a flex box, a grid or a table: white space between them is not rendered.
   */
  items: "data-flat-items",
  /** `pre` where all white space of its own text is preserved, `lines` where line ends are. */
  space: "data-flat-space",
  /** Size on the page in CSS pixels, as `640x480`; of images only. */
  size: "data-flat-size",
  /** Address of the frame whose content this element holds. */
  frame: "data-flat-frame",
  /** Address of its background image; only when images are requested. */
  background: "data-flat-background",
  /** `inline` or `display`: its text is TeX. */
  math: "data-flat-math",
} as const;

/** Returns whether a node is an element. */
export function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}

/** Returns whether an element is marked as one that is not shown with all that is in it. */
export function isHidden(element: Pick<Element, "getAttribute">): boolean {
  return element.getAttribute(flatMarks.hidden) === "display";
}
