import type { PagePattern } from "./shown-names.ts";

/** Finds the tables or lists of the section that a heading begins: up to the next heading of its level. Runs in the page. */
export function findUnderHeadings(elements: readonly Element[], { source, flags }: PagePattern): number[] {
  const pattern = new RegExp(source, flags);
  const readLevel = (heading: Element): number =>
    Number(/^h([1-6])$/.exec(heading.localName)?.[1] ?? heading.getAttribute("aria-level") ?? 2);
  const isBefore = (one: Element, other: Element): boolean =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")].filter(
    (heading) => heading.getClientRects().length > 0,
  );
  return elements.flatMap((element, index) => {
    if (elements.some((other) => other !== element && other.contains(element))) return [];
    let level = 7;
    // From the nearest heading outwards: each of a higher level than those between.
    for (const heading of headings.filter((one) => isBefore(one, element) && !element.contains(one)).toReversed()) {
      if (readLevel(heading) >= level) continue;
      level = readLevel(heading);
      if (pattern.test((heading.textContent ?? "").replace(/\s+/g, " ").trim())) return [index];
    }
    return [];
  });
}
