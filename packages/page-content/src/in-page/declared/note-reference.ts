const maxReferenceLength = 80;

/**
 * Returns whether an element is only a footnote reference: all its text is superscript, and links to a fragment.
 * `<sup>[<a href="#1">1</a>]</sup>` is one, `<a href="#1"><sup>1</sup></a>` too.
 */
export function isNoteReference(element: Element): boolean {
  if (/^a$/i.test(element.nodeName)) return hasFragment(element) && isAllTextIn(element, "sup");
  return (
    /^sup$/i.test(element.nodeName) &&
    isAllTextIn(element, "a[href]") &&
    [...element.querySelectorAll("a[href]")].every(hasFragment)
  );
}

function hasFragment(link: Element): boolean {
  return /#./.test(link.getAttribute("href") ?? "");
}

/** Returns whether all words of an element are in descendants that match a selector. */
function isAllTextIn(element: Element, selector: string): boolean {
  const text = element.textContent ?? "";
  if (text.length > maxReferenceLength) return false;
  const within = [...element.querySelectorAll(selector)].map(({ textContent }) => textContent ?? "");
  const rest = within.reduce((left, each) => left.replace(each, ""), text);
  return within.length > 0 && /^[\s()[\],;*–-]*$/.test(rest);
}
