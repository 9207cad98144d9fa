import { firstElementOf, nextElementOf } from "./live-dom.ts";

/** Deepest nesting that is copied at once: the browser takes a time for each node that grows with its depth. */
const maxDepthAtOnce = 100;

/** Whether a copy of all that is in an element, made by the browser, takes time in proportion to it. Source: ours. */
export function canCopyAtOnce(root: Element, maxElements: number): boolean {
  const parents = [root];
  let elements = 0;
  let element = firstElementOf(root);
  for (;;) {
    while (element === null) {
      const parent = parents.pop();
      if (parent === undefined || parent === root) return true;
      element = nextElementOf(parent);
    }
    elements += 1;
    if (elements > maxElements || parents.length > maxDepthAtOnce) return false;
    const within = firstElementOf(element);
    if (within === null) element = nextElementOf(element);
    else {
      parents.push(element);
      element = within;
    }
  }
}
