import { addressOf, firstOf, hasTag, findInner, isElement, nextOf } from "./live-dom.ts";

/** Returns whether an object shows its fallback content: only then that is laid out. */
export function showsFallback(object: HTMLObjectElement): boolean {
  for (let node = firstOf(object); node !== null; node = nextOf(node)) if (hasPlace(node)) return true;
  return false;
}

/**
 * Returns whether an object of the page may still show its fallback: browsers load an object only once it is laid out,
 * and remove it after a failure. The load event waits for neither.
 */
export function hasUndecidedObject(): boolean {
  for (const object of Document.prototype.querySelectorAll.call(document, "object:not([type^='image/'])"))
    if (hasTag(object, "object") && isUndecided(object)) return true;
  return false;
}

function isUndecided(object: HTMLObjectElement): boolean {
  if (firstOf(object) === null || !object.checkVisibility() || showsFallback(object)) return false;
  const inner = findInner(object);
  return inner === null || addressOf(inner) === "about:blank";
}

function hasPlace(node: Node): boolean {
  if (isElement(node)) return node.checkVisibility();
  const range = new Range();
  range.selectNode(node);
  return range.getClientRects().length > 0;
}
