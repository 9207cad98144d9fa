/** As much of the DOM as the tests use; the library's own types need those of a browser. */
import { parseHTML } from "linkedom";

export interface DomNode {
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly childNodes: Iterable<DomNode>;
}

export interface DomElement extends DomNode {
  readonly tagName: string;
  innerHTML: string;
  readonly children: Iterable<DomElement>;
  getAttribute(name: string): string | null;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  cloneNode(deep: boolean): DomElement;
  remove(): void;
}

export interface DomDocument extends Pick<DomElement, "querySelector" | "querySelectorAll"> {
  readonly body: DomElement;
  readonly documentElement: DomElement & { readonly outerHTML: string };
}

/** Reads a page. */
export function parsePage(source: string): DomDocument {
  const parsed: { document: unknown } = parseHTML(source);
  return parsed.document as DomDocument; // oxlint-disable-line typescript/no-unsafe-type-assertion -- it is a DOM
}

/** Returns whether a node is an element. */
export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1;
}
