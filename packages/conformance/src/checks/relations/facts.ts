import type { Exchange } from "../../http/exchange.ts";
import { imageMarkers, linkMarkers, markers } from "../../site/pages/markers.ts";
import { findScrape } from "../pages/scraped.ts";

/** Content of an answer about the article, in a form that neither Markdown dialects nor ways to list images change. */
export interface Facts {
  /** Words of its text. */
  readonly words: readonly string[];
  /** Words of the addresses of its links. */
  readonly links: readonly string[];
  /** Words of the addresses of its images in the Markdown and in the list, and whether images are listed. */
  readonly images: readonly string[];
}

/** The kinds of facts: an option may change some of them and not others. */
export const kindsOfFacts = ["words", "links", "images"] as const;

const articleWords = [
  markers.content,
  markers.rendered,
  markers.chosen,
  markers.table,
  markers.aside,
  markers.navigation,
  markers.footer,
].flatMap((words) => Object.values<string>(words));

const cache = new WeakMap<Exchange, Facts>();

/** Returns the facts in an answer; undefined when it is not a successful scrape. */
export function findFacts(exchange: Exchange | undefined): Facts | undefined {
  const known = exchange && cache.get(exchange);
  const facts = known ?? readFacts(exchange);
  if (exchange && facts) cache.set(exchange, facts);
  return facts;
}

function readFacts(exchange: Exchange | undefined): Facts | undefined {
  const seen = exchange && findScrape(exchange);
  if (!seen || "reason" in seen) return undefined;
  const isIn = (word: string): boolean => seen.text.includes(word);
  const urls = seen.images.map(({ url }) => (typeof url === "string" ? url.toLowerCase() : ""));
  const imageWords = Object.values(imageMarkers).filter((word) => urls.some((url) => url.includes(word)));
  return {
    words: articleWords.filter(isIn),
    links: Object.values(linkMarkers).filter(isIn),
    images: [
      ...Object.values(imageMarkers).filter(isIn),
      ...imageWords.map((word) => `${word} in the list`),
      ...(urls.length > 0 ? ["a list of images"] : []),
    ],
  };
}

/** Returns the first kind of facts in which two answers differ, with the missing and the added ones; undefined when they agree. */
export function findDifference(
  one: Facts,
  other: Facts,
): { readonly kind: (typeof kindsOfFacts)[number]; readonly missing: string[]; readonly added: string[] } | undefined {
  return kindsOfFacts
    .map((kind) => ({
      kind,
      missing: one[kind].filter((word) => !other[kind].includes(word)),
      added: other[kind].filter((word) => !one[kind].includes(word)),
    }))
    .find(({ missing, added }) => missing.length + added.length > 0);
}
