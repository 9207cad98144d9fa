import { nodeAfter, type FlatElement, type FlatNode } from "./flat-tree.ts";
import { hasLineEndWithin } from "./line-ends.ts";
import { hasTag, tagOf } from "./live-dom.ts";
import { isBehindNumber, isRaised } from "./raised-number.ts";
import { isSettled, markRendering, type ShownExtent } from "./rendered-style.ts";

/** Number of child elements from which on an element is copied at once. */
const minChildren = 20;
const large = new Set(["dl", "ol", "p", "ul"]);
/** Elements whose visibility depends on their style alone. */
const plain = new Set(
  "a abbr acronym b bdi bdo big br caption cite code dd del dfn div dt em font i ins kbd label li mark p q s samp small span strong sub sup tbody td tfoot th thead time tr tt u var".split(
    " ",
  ),
);

/** Tags among them that can have a shadow root. */
const shadowHostTags = new Set(["div", "p", "span"]);

/** Returns whether an element is large enough to be copied at once. */
export function isLarge(element: Element): boolean {
  if (hasTag(element, "table")) return element.rows.length >= minChildren;
  return large.has(tagOf(element)) && element.childElementCount >= minChildren;
}

/**
 * Counts nodes and characters in an element that contains only text, tables, lists and links.
 *
 * @returns Undefined if it contains anything else.
 */
export function measurePlainPart(
  tree: FlatElement,
): { readonly nodes: number; readonly characters: number } | undefined {
  let [nodes, characters] = [0, 0];
  for (let node = nodeAfter(tree, tree); node !== null; node = nodeAfter(node, tree)) {
    nodes += 1;
    if (node.nodeType === 1) {
      if (!plain.has(node.localName) || node.hasAttribute("itemid")) return undefined;
    } else if (node.nodeType === 3) {
      if (hasLineEndWithin(node.nodeValue)) return undefined;
      characters += node.nodeValue.length;
    }
  }
  return { nodes, characters };
}

/**
 * Marks the copies in a plain element with the rendering of the originals, and makes URLs absolute.
 * Only reads the originals that it has to.
 *
 * @param shown - Known visibility of its surroundings.
 * @returns False if something in it has a shadow root, so that it has to be read node by node.
 */
export function markPlain(
  original: Element,
  tree: FlatElement,
  shown: ShownExtent,
  closedRoots: ReadonlyMap<Element, ShadowRoot>,
): boolean {
  const originals = original.getElementsByTagName("*");
  const addresses = new Map<string, string>();
  let index = -1;
  let unseenUntil: FlatNode | null | undefined;
  for (let node = nodeAfter(tree, tree); node !== null; node = nodeAfter(node, tree)) {
    if (node === unseenUntil) unseenUntil = undefined;
    if (node.nodeType !== 1) continue;
    index += 1;
    const name = node.localName;
    const unseen = unseenUntil !== undefined;
    const settled = unseen || (node.firstChild !== null && isSettled(name, shown));
    const unresolved = name === "a" && !isResolved(node, addresses);
    const behindNumber = settled && !unseen && isBehindNumber(node, name);
    if (settled && !unresolved && !behindNumber && !shadowHostTags.has(name)) continue;
    const one = originals[index];
    if (one === undefined || tagOf(one) !== name || one.shadowRoot !== null || closedRoots.has(one)) return false;
    if (unresolved && hasTag(one, "a")) resolve(one, node, addresses);
    if (behindNumber && isRaised(one)) node.localName = "sup";
    if (!settled && markRendering(one, node, name, shown)) unseenUntil = nodeAfterSubtree(node, tree);
  }
  return true;
}

/**
 * Resolves the address of a link, if the same one was resolved before in this document. Returns true also for a link without an address.
 */
function isResolved(copy: FlatElement, addresses: ReadonlyMap<string, string>): boolean {
  const written = copy.getAttribute("href");
  if (written === null) return true;
  const address = addresses.get(written);
  if (address === undefined) return false;
  copy.setAttribute("href", address);
  return true;
}

function resolve(link: HTMLAnchorElement, copy: FlatElement, addresses: Map<string, string>): void {
  const { href } = link;
  addresses.set(copy.getAttribute("href") ?? "", href);
  copy.setAttribute("href", href);
}

/** The node after all that is in an element. */
function nodeAfterSubtree(element: FlatElement, root: FlatElement): FlatNode | null {
  for (let at = element; at !== root && at.parent !== null; at = at.parent)
    if (at.nextSibling !== null) return at.nextSibling;
  return null;
}
