import type { FlatElement } from "./flatten/flat-tree.ts";

/** Elements whose content has its own namespace. */
const namespaces: Readonly<Record<string, string>> = {
  math: "http://www.w3.org/1998/Math/MathML",
  svg: "http://www.w3.org/2000/svg",
};
const htmlNamespace = "http://www.w3.org/1999/xhtml";

/**
 * Converts a flat tree to an inert document, for selectors and third-party code. Nothing in it loads or runs.
 */
export function buildPlainDocument(tree: FlatElement): Document {
  const document = new DOMParser().parseFromString("<!doctype html>", "text/html");
  fill(document.documentElement, tree, htmlNamespace, document, { head: document.head, body: document.body });
  return document;
}

function fill(
  element: Element,
  tree: FlatElement,
  namespace: string,
  document: Document,
  known?: Readonly<Record<string, Element>>,
): void {
  const { attributes } = tree;
  for (let at = 0; at < attributes.length; at += 2)
    setAttribute(element, attributes[at] ?? "", attributes[at + 1] ?? "");
  const within = tree.localName === "foreignObject" ? htmlNamespace : namespace;
  for (let child = tree.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === 3) element.appendChild(document.createTextNode(child.nodeValue));
    else if (child.nodeType === 8) element.appendChild(document.createComment(child.nodeValue));
    if (child.nodeType !== 1) continue;
    const own = namespaces[child.localName] ?? within;
    const there = known?.[child.localName];
    const inner = there ?? element.appendChild(createElement(document, own, child.localName));
    fill(inner, child, own, document);
  }
}

/** A parser takes more for the name of an element than what one may be made with. */
function createElement(of: Document, namespace: string, name: string): Element {
  try {
    return namespace === htmlNamespace ? of.createElement(name) : of.createElementNS(namespace, name);
  } catch {
    return of.createElement("div");
  }
}

/** A parser takes more for the name of an attribute than what one may be set with. */
function setAttribute(element: Element, name: string, value: string): void {
  try {
    element.setAttribute(name, value);
  } catch {
    // Such a name means nothing.
  }
}
