/** A node of a flat tree. */
export type FlatNode = FlatElement | FlatText;

/** A text of a flat tree, or a comment. */
export class FlatText {
  /** 3 of a text, 8 of a comment. */
  readonly nodeType: 3 | 8;
  /** Text of the node. */
  readonly nodeValue: string;
  /** Its parent element. */
  parent: FlatElement | null = null;
  /** The node before it. */
  previousSibling: FlatNode | null = null;
  /** The node after it. */
  nextSibling: FlatNode | null = null;

  constructor(text: string, nodeType: 3 | 8 = 3) {
    this.nodeType = nodeType;
    this.nodeValue = text;
  }

  /** Removes it from its parent. */
  remove(): void {
    unlink(this);
  }
}

const none: readonly string[] = [];

/**
 * Element of a flat tree. Its members have the names of those of a browser's element, which costs several times as much to create and to
 * read.
 */
export class FlatElement {
  readonly nodeType = 1;
  /** Its tag; `sup` of a number that its style alone raises behind another. */
  localName: string;
  /** Its attributes: a name, its value, the next name. The same array for all that have none. */
  attributes: readonly string[];
  /** Its parent element. */
  parent: FlatElement | null = null;
  /** Its first child. */
  firstChild: FlatNode | null = null;
  /** Its last child. */
  lastChild: FlatNode | null = null;
  /** The node before it. */
  previousSibling: FlatNode | null = null;
  /** The node after it. */
  nextSibling: FlatNode | null = null;

  constructor(name: string, attributes: readonly string[] = none) {
    this.localName = name;
    this.attributes = attributes;
  }

  /** Appends a new node. */
  append<Node extends FlatNode>(node: Node): Node {
    node.parent = this;
    node.previousSibling = this.lastChild;
    if (this.lastChild === null) this.firstChild = node;
    else this.lastChild.nextSibling = node;
    this.lastChild = node;
    return node;
  }

  /** Appends all children of another element. */
  adoptChildren(other: FlatElement): void {
    for (let child = other.firstChild; child !== null; child = other.firstChild) {
      child.remove();
      this.append(child);
    }
  }

  /** Removes a child and everything after it. */
  cut(from: FlatNode): void {
    for (let last = this.lastChild; last !== null && last !== from; last = this.lastChild) last.remove();
    from.remove();
  }

  /** Removes all children. */
  empty(): void {
    this.firstChild = null;
    this.lastChild = null;
  }

  /** Removes it from its parent. */
  remove(): void {
    unlink(this);
  }

  /** Replaces it by another element. */
  replaceWith(other: FlatElement): void {
    link(other, this);
    unlink(this);
  }

  /** Replaces it by its children. */
  unwrap(): void {
    for (let child = this.firstChild; child !== null; child = this.firstChild) {
      child.remove();
      link(child, this);
    }
    unlink(this);
  }

  /** Sets the value of an attribute. */
  setAttribute(name: string, value: string): void {
    const at = this.#findPlace(name);
    this.attributes = at < 0 ? [...this.attributes, name, value] : this.attributes.with(at + 1, value);
  }

  /** Removes an attribute. */
  removeAttribute(name: string): void {
    const at = this.#findPlace(name);
    if (at >= 0) this.attributes = this.attributes.toSpliced(at, 2);
  }

  /** Sets an attribute without a value, or removes it. */
  toggleAttribute(name: string, force: boolean): void {
    if (!force) this.removeAttribute(name);
    else if (!this.hasAttribute(name)) this.setAttribute(name, "");
  }

  /** The value of an attribute; null without it. */
  getAttribute(name: string): string | null {
    const at = this.#findPlace(name);
    return at < 0 ? null : (this.attributes[at + 1] ?? "");
  }

  /** Returns whether it has an attribute. */
  hasAttribute(name: string): boolean {
    return this.#findPlace(name) >= 0;
  }

  /** Returns whether it has a class. */
  hasClass(name: string): boolean {
    return this.hasAttribute("class") && (this.getAttribute("class") ?? "").split(/[\t\n\f\r ]+/).includes(name);
  }

  /** Its first child element. */
  get firstElementChild(): FlatElement | null {
    return elementFrom(this.firstChild);
  }

  /** The element after it. */
  get nextElementSibling(): FlatElement | null {
    return elementFrom(this.nextSibling);
  }

  /** The element before it. */
  get previousElementSibling(): FlatElement | null {
    for (let at = this.previousSibling; at !== null; at = at.previousSibling) if (at.nodeType === 1) return at;
    return null;
  }

  /** Its child elements. */
  get children(): FlatElement[] {
    const children: FlatElement[] = [];
    for (let child = this.firstElementChild; child !== null; child = child.nextElementSibling) children.push(child);
    return children;
  }

  /** All text within it. */
  get textContent(): string {
    const { firstChild } = this;
    if (firstChild === null) return "";
    if (firstChild.nextSibling === null && firstChild.nodeType === 3) return firstChild.nodeValue;
    let text = "";
    for (let node = nodeAfter(this, this); node !== null; node = nodeAfter(node, this))
      if (node.nodeType === 3) text += node.nodeValue;
    return text;
  }

  #findPlace(name: string): number {
    const { attributes } = this;
    for (let at = 0; at < attributes.length; at += 2) if (attributes[at] === name) return at;
    return -1;
  }

  /** Returns the first descendant that passes a test. */
  find(test: (element: FlatElement) => boolean): FlatElement | undefined {
    for (let node = nodeAfter(this, this); node !== null; node = nodeAfter(node, this))
      if (node.nodeType === 1 && test(node)) return node;
    return undefined;
  }

  /** Returns all descendants that pass a test, in document order. */
  findAll(test: (element: FlatElement) => boolean): FlatElement[] {
    const found: FlatElement[] = [];
    for (let node = nodeAfter(this, this); node !== null; node = nodeAfter(node, this))
      if (node.nodeType === 1 && test(node)) found.push(node);
    return found;
  }
}

/** Inserts a detached node before another one. */
function link(node: FlatNode, before: FlatNode): void {
  const { parent, previousSibling } = before;
  node.parent = parent;
  node.previousSibling = previousSibling;
  node.nextSibling = before;
  before.previousSibling = node;
  if (previousSibling !== null) previousSibling.nextSibling = node;
  else if (parent !== null) parent.firstChild = node;
}

function unlink(node: FlatNode): void {
  const { parent, previousSibling, nextSibling } = node;
  if (previousSibling !== null) previousSibling.nextSibling = nextSibling;
  else if (parent !== null) parent.firstChild = nextSibling;
  if (nextSibling !== null) nextSibling.previousSibling = previousSibling;
  else if (parent !== null) parent.lastChild = previousSibling;
  node.parent = null;
  node.previousSibling = null;
  node.nextSibling = null;
}

function elementFrom(node: FlatNode | null): FlatElement | null {
  for (let at = node; at !== null; at = at.nextSibling) if (at.nodeType === 1) return at;
  return null;
}

/** Returns the next node in document order; null at the end of the root. */
export function nodeAfter(node: FlatNode, root: FlatElement): FlatNode | null {
  if (node.nodeType === 1 && node.firstChild !== null) return node.firstChild;
  for (let at: FlatNode = node; at !== root;) {
    if (at.nextSibling !== null) return at.nextSibling;
    if (at.parent === null) return null;
    at = at.parent;
  }
  return null;
}

/** Counts the elements and the characters within an element. */
export function measureTree(root: FlatElement): { readonly elements: number; readonly characters: number } {
  let [elements, characters] = [0, 0];
  for (let node = nodeAfter(root, root); node !== null; node = nodeAfter(node, root)) {
    if (node.nodeType === 1) elements += 1;
    else if (node.nodeType === 3) characters += node.nodeValue.length;
  }
  return { elements, characters };
}
