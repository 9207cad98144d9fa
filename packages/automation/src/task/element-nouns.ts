/** Playwright selectors of kinds of elements, by their plural. */
export const elementSelectors = {
  headings: "internal:role=heading",
  buttons: "internal:role=button",
  paragraphs: "internal:role=paragraph",
  quotes: "blockquote",
  "code blocks": "pre",
  labels: "label, legend",
  options: "internal:role=option",
  tabs: "internal:role=tab",
  "menu items": "internal:role=menuitem",
  alerts: "internal:role=alert",
  captions: "caption, figcaption",
} as const;

/** A kind of elements, in the plural. */
export type ElementNoun = keyof typeof elementSelectors;

/** Returns whether a word is a kind of elements. */
export function isElementNoun(word: string): word is ElementNoun {
  return Object.hasOwn(elementSelectors, word);
}

/** Returns the singular of a kind. */
export function toSingularNoun(noun: ElementNoun): string {
  return noun.replace(/s$/, "");
}
