/** Maximum number of elements of a selector that are read. */
const maxElements = 10_000;

/** The elements that a selector found, while they come in from outside of this world. */
export class SelectedElements {
  #found = new Set<Element>();
  #stop: () => void = () => undefined;

  /** Listens for the selected elements: each is reported by an event with a secret type, in their order. */
  listen(type: string): void {
    this.end();
    const listener = (event: Event): void => {
      event.stopImmediatePropagation();
      const [target] = event.composedPath();
      if (target instanceof Element && this.#found.size < maxElements) this.#found.add(target);
    };
    window.addEventListener(type, listener, true);
    this.#stop = () => window.removeEventListener(type, listener, true);
  }

  /** Number of elements found so far. */
  get size(): number {
    return this.#found.size;
  }

  /** Stops, and returns the elements: in order, each once, without those within another. */
  end(): Element[] {
    this.#stop();
    this.#stop = () => undefined;
    const found = this.#found;
    this.#found = new Set();
    const outer = [...found].filter((element) => !isWithin(element, found));
    return outer.every((element) => element.getRootNode() === document) ? outer : outer.sort(byPlace);
  }
}

function isWithin(element: Element, others: ReadonlySet<Element>): boolean {
  for (let node = findParent(element); node !== null; node = findParent(node)) {
    if (node instanceof Element && others.has(node)) return true;
  }
  return false;
}

/** Compares positions in the page: elements of a shadow root are at the position of its host. */
function byPlace(one: Element, other: Element): number {
  for (let first: Node | null = one; first !== null; first = findHost(first)) {
    for (let second: Node | null = other; second !== null; second = findHost(second)) {
      if (first.getRootNode() !== second.getRootNode()) continue;
      return first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    }
  }
  return 0;
}

function findHost(node: Node): Node | null {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

function findParent(node: Node): Node | null {
  return node.parentNode ?? (node instanceof ShadowRoot ? node.host : null);
}
