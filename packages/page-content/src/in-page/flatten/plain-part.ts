import { nodeAfter, type FlatElement, type FlatNode } from "./flat-tree.ts";
import { hasLineEndWithin } from "./line-ends.ts";
import { hasTag, tagOf } from "./live-dom.ts";
import { isBehindNumber, isRaised } from "./raised-number.ts";
import { isSettled, markRendering, type Shown } from "./rendered-style.ts";

/** Elements with so many others right within them are worth it to be taken at once. */
const many = 20;
const large = new Set(["dl", "ol", "p", "ul"]);
/** Elements whose visibility can be told from their style alone. */
const plain = new Set(
  "a abbr acronym b bdi bdo big br caption cite code dd del dfn div dt em font i ins kbd label li mark p q s samp small span strong sub sup tbody td tfoot th thead time tr tt u var".split(
    " ",
  ),
);

/** Which of these can have a shadow root. */
const mayHost = new Set(["div", "p", "span"]);

/** Tells whether an element holds so many others that it may be worth it to take them at once. */
export function isLarge(element: Element): boolean {
  if (hasTag(element, "table")) return element.rows.length >= many;
  return large.has(tagOf(element)) && element.childElementCount >= many;
}

/**
 * How many nodes and characters are within an element that holds nothing but text, tables, lists and links.
 *
 * @returns Undefined when it holds something else.
 */
export function plainSizeOf(tree: FlatElement): { readonly nodes: number; readonly characters: number } | undefined {
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
 * Marks on the copies of all that is in a plain element how the browser shows the originals, and makes addresses absolute.
 * Of the originals only those are touched that need a look.
 *
 * @param shown - What is known of the part that it is in.
 * @returns False when something in it has a shadow root, so that more has to be read.
 */
export function markPlain(
  original: Element,
  tree: FlatElement,
  shown: Shown,
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
    if (settled && !unresolved && !behindNumber && !mayHost.has(name)) continue;
    const one = originals[index];
    if (one === undefined || tagOf(one) !== name || one.shadowRoot !== null || closedRoots.has(one)) return false;
    if (unresolved && hasTag(one, "a")) resolve(one, node, addresses);
    if (behindNumber && isRaised(one)) node.localName = "sup";
    if (!settled && markRendering(one, node, name, shown)) unseenUntil = nodeBeyond(node, tree);
  }
  return true;
}

/** Makes the address of a link absolute, if the same one was asked for before: in one document it is the same. True of one without, too. */
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
function nodeBeyond(element: FlatElement, root: FlatElement): FlatNode | null {
  for (let at = element; at !== root && at.parent !== null; at = at.parent)
    if (at.nextSibling !== null) return at.nextSibling;
  return null;
}
