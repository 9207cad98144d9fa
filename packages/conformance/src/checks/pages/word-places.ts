import { pageWords } from "../../site/pages/texts.ts";

/** A text, and the places of the words of the fixture site in it: each word with the indices at which it begins, in rising order. */
export interface SearchableText {
  /** The text. */
  readonly text: string;
  /** The places, by the word; a word that is not there has none. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

const anyWord = new RegExp([...pageWords].join("|"), "g");

/** Finds every word of the fixture site in a text, in one pass: a long page has hundreds of them. */
export function findWords(text: string): SearchableText {
  const places = new Map<string, number[]>();
  for (const { 0: word, index } of text.matchAll(anyWord)) {
    const indices = places.get(word);
    if (indices) indices.push(index);
    else places.set(word, [index]);
  }
  return { text, places };
}

/** Returns the first place of a word at an index or after it. */
export function findFirstFrom(at: number, { places }: SearchableText, word: string): number | undefined {
  return places.get(word)?.find((place) => place >= at);
}

/**
 * Counts how often a passage is in a text. Passages that overlap count once.
 *
 * @param word - A word of the fixture site that is in the passage once.
 */
export function countTimes(passage: string, word: string, { text, places }: SearchableText): number {
  const before = passage.indexOf(word);
  let times = 0;
  let end = 0;
  for (const place of places.get(word) ?? []) {
    const start = place - before;
    if (start < end || !text.startsWith(passage, start)) continue;
    times += 1;
    end = start + passage.length;
  }
  return times;
}

/** Normalizes a text for comparison: Unicode form C, one kind of space, no invisible characters. */
export function normalizeText(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\u00ad|\u200b|\u200e|\u200f|\u2060|[\u2066-\u2069]|\ufe0e|\ufe0f|\ufeff/g, "")
    .replace(/\s+/g, " ");
}
