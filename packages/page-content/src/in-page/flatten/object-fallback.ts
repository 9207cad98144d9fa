import { addressOf, firstOf, hasTag, innerOf, isElement, nextOf } from "./live-dom.ts";

/** Tells whether an object shows what is within it, having nothing else to show: only then that has a place on the page. */
export function showsFallback(object: HTMLObjectElement): boolean {
  for (let node = firstOf(object); node !== null; node = nextOf(node)) if (hasPlace(node)) return true;
  return false;
}

/**
 * Tells whether an object of the page may yet show what is within it: browsers ask for what an object names only once it has a place,
 * and take away what they did not get a moment later. Neither keeps the page from counting as loaded.
 */
export function hasUndecidedObject(): boolean {
  for (const object of Document.prototype.querySelectorAll.call(document, "object:not([type^='image/'])"))
    if (hasTag(object, "object") && isUndecided(object)) return true;
  return false;
}

function isUndecided(object: HTMLObjectElement): boolean {
  if (firstOf(object) === null || !object.checkVisibility() || showsFallback(object)) return false;
  const inner = innerOf(object);
  return inner === null || addressOf(inner) === "about:blank";
}

function hasPlace(node: Node): boolean {
  if (isElement(node)) return node.checkVisibility();
  const range = new Range();
  range.selectNode(node);
  return range.getClientRects().length > 0;
}
