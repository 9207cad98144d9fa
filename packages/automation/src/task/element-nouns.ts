/** What pages are made of, by the word for several of it: where it is, as a selector of Playwright. */
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

/** Elements of one kind, in the plural. */
export type ElementNoun = keyof typeof elementSelectors;

/** Returns the word for one of several elements. */
export function toSingularNoun(noun: ElementNoun): string {
  return noun.replace(/s$/, "");
}
