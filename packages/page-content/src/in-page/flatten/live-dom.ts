/**
 * Reads properties of live nodes from their prototypes, which a page can't shadow: `<img name="body">` replaces `document.body`, and
 * `<input name="nextSibling">` that of its form, in every world.
 */
function reader<Of extends Node, Name extends keyof Of & string>(prototype: Of, name: Name): (of: Of) => Of[Name] {
  // oxlint-disable-next-line typescript/unbound-method -- called on the node that is given
  const { get } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
  if (get === undefined) throw new TypeError(`this browser has no ${name}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the getter of that property
  return (of) => Reflect.apply(get, of, []) as Of[Name];
}

/** Returns whether a node is an element. */
export function isElement(node: Node): node is Element {
  return typeOf(node) === 1;
}

/** Returns whether an element is one of HTML with a tag. Unlike `instanceof`, knows those of other frames. */
export function hasTag<Tag extends keyof HTMLElementTagNameMap>(
  element: Element,
  tag: Tag,
): element is HTMLElementTagNameMap[Tag] {
  return tagOf(element) === tag && element.namespaceURI === "http://www.w3.org/1999/xhtml";
}

/** Returns whether an element is a frame; one of a frame set has what matters of an `iframe`. */
export function isFrame(element: Element): element is HTMLIFrameElement {
  const tag = tagOf(element);
  return tag === "iframe" || tag === "frame";
}

/** The next node beside it. */
export const nextOf = reader(Node.prototype, "nextSibling");
/** Its first child. */
export const firstOf = reader(Node.prototype, "firstChild");
/** The node that it is in. */
export const parentOf = reader(Node.prototype, "parentNode");
/** Its kind. */
export const typeOf = reader(Node.prototype, "nodeType");
/** Its tag, in lower case. */
export const tagOf = reader(Element.prototype, "localName");
/** Base URL. */
export const baseOf = reader(Node.prototype, "baseURI");
/** Its document. */
export const ownerOf = reader(Node.prototype, "ownerDocument");
/** Element as HTML, without its shadow root. */
export const htmlOf = reader(Element.prototype, "outerHTML");
/** All text within it. */
export const textOf = reader(Node.prototype, "textContent");
/** The body of a document. */
export const bodyOf = reader(Document.prototype, "body");
/** The head of a document. */
export const headOf = reader(Document.prototype, "head");
/** The outermost element of a document. */
export const rootOf = reader(Document.prototype, "documentElement");
/** The title of a document. */
export const titleOf = reader(Document.prototype, "title");
/** The address of a document. */
export const addressOf = reader(Document.prototype, "URL");
/** The media type of a document. */
export const mediaTypeOf = reader(Document.prototype, "contentType");
/** Ready state of a document. */
export const loadingOf = reader(Document.prototype, "readyState");

/** The attributes of an element: a name, its value, the next name. */
export function listAttributes(element: Element): string[] {
  const names = Element.prototype.getAttributeNames.call(element);
  return names.flatMap((name) => [name, Element.prototype.getAttribute.call(element, name) ?? ""]);
}

/** Returns the document of a frame or an object; null if it is cross-origin or missing. */
export function findInner(frame: HTMLIFrameElement | HTMLObjectElement): Document | null {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
}
