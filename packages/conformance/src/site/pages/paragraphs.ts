import { entryWords } from "./almanac.ts";
import { markers } from "./markers.ts";

/** A paragraph in the main part of a page of the fixture site that holds nothing but text. */
export interface Paragraph {
  /** A word of it that occurs nowhere else on the page. */
  readonly word: string;
  /** Its text as a browser renders it: white space is one space. */
  readonly text: string;
}

const words: ReadonlySet<string> = new Set([
  ...Object.values(markers).flatMap((group) => Object.values<string>(group)),
  ...entryWords,
]);

/**
 * Returns the paragraphs in the main part of a page that have no other element inside, in their order.
 *
 * @param source - The document, as the fixture site writes it: no other HTML is understood.
 */
export function paragraphsIn(source: string): readonly Paragraph[] {
  const main = source.slice(source.indexOf("<main>"), source.indexOf("</main>"));
  return [...main.matchAll(/<p>([^<]+)<\/p>/g)].flatMap(({ 1: inside = "" }) => {
    const text = inside.replace(/\s+/g, " ").trim();
    const word = text.match(/[a-z]+/g)?.find((own) => words.has(own));
    return word === undefined ? [] : [{ word, text }];
  });
}
