import { entryWords } from "./almanac.ts";
import { markers } from "./markers.ts";

/** The text of one element of a page of the fixture site that holds nothing but text. */
export interface PageText {
  /** Name of the element in lower case: `p`, `li`, `h2`, `td`. */
  readonly tag: string;
  /** A word of it that occurs nowhere else on the page. */
  readonly word: string;
  /** Its text as a browser renders it: white space is one space. */
  readonly text: string;
}

/** Words of the fixture site that occur on one page, once; none is part of another. */
export const pageWords: ReadonlySet<string> = new Set([
  ...Object.values(markers).flatMap((group) => Object.values<string>(group)),
  ...entryWords,
]);

/** Elements that hold nothing but text. Those with an id change. */
const textElement = /<(p|li|h[1-6]|th|td|code)(?: class="[^"]*")?>([^<]+)<\/\1>/g;

/**
 * Returns the texts of a page with a word of their own: its paragraphs, headings, items of lists, cells and code, in the order of the source.
 *
 * @param source - The document, as the fixture site writes it: no other HTML is understood.
 */
export function textsIn(source: string): readonly PageText[] {
  return [...source.matchAll(textElement)].flatMap(([, tag = "", inside = ""]) => {
    const text = inside.replace(/\s+/g, " ").trim();
    const word = text.match(/[a-z]+/g)?.find((own) => pageWords.has(own));
    return word === undefined ? [] : [{ tag, word, text }];
  });
}
