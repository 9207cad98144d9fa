const longestReference = 80;

/**
 * Tells whether an element only refers to notes: what is raised in it and what leads to a place in a page are the same.
 * `<sup>[<a href="#1">1</a>]</sup>` is one, `<a href="#1"><sup>1</sup></a>` too.
 */
export function isNoteReference(element: Element): boolean {
  if (/^a$/i.test(element.nodeName)) return leadsToPlace(element) && isAllIn(element, "sup");
  return (
    /^sup$/i.test(element.nodeName) &&
    isAllIn(element, "a[href]") &&
    [...element.querySelectorAll("a[href]")].every(leadsToPlace)
  );
}

function leadsToPlace(link: Element): boolean {
  return /#./.test(link.getAttribute("href") ?? "");
}

/** Tells whether all words of an element are in such ones within it. */
function isAllIn(element: Element, selector: string): boolean {
  const text = element.textContent ?? "";
  if (text.length > longestReference) return false;
  const within = [...element.querySelectorAll(selector)].map(({ textContent }) => textContent ?? "");
  const rest = within.reduce((left, each) => left.replace(each, ""), text);
  return within.length > 0 && /^[\s()[\],;*–-]*$/.test(rest);
}
