import { readOutline } from "./outline.ts";

/** A passage of a page, and where it is. */
export interface Passage {
  /** Number and text of the heading above it; empty before the first heading. */
  readonly under: string;
  /** The passage. */
  readonly text: string;
}

/** Longest passage, in characters: a longer paragraph is cut around the match. */
const longest = 1_500;
/** Words that count in a query: the first ones. */
const mostWords = 20;

/**
 * Finds the paragraphs of Markdown that have words of a query, those with the most of the rarest words first, for as many characters as given. A
 * paragraph that has all words as they are given comes before others.
 */
export function findPassages(markdown: string, query: string, size: number): readonly Passage[] {
  const words = [...new Set(splitWords(query))].slice(0, mostWords);
  if (words.length === 0) return [];
  const paragraphs = splitParagraphs(markdown);
  const lowered = paragraphs.map(({ text }) => text.toLowerCase());
  const weights = words.map((word) => {
    const having = lowered.filter((text) => text.includes(word)).length;
    return having === 0 ? 0 : Math.log(1 + paragraphs.length / having);
  });
  const phrase = query.trim().toLowerCase();
  const scored = lowered.flatMap((text, index) => {
    const score = words.reduce((sum, word, at) => sum + (text.includes(word) ? (weights[at] ?? 0) : 0), 0);
    return score === 0 ? [] : [{ index, score: text.includes(phrase) ? score * 2 + 1 : score }];
  });
  const outline = readOutline(markdown);
  let left = size;
  const passages: Passage[] = [];
  for (const { index } of scored.toSorted((a, b) => b.score - a.score || a.index - b.index)) {
    const { text = "", start = 0 } = paragraphs[index] ?? {};
    const shown = around(text, words);
    const heading = outline.findLast((one) => one.start <= start);
    left -= shown.length + 50;
    if (left < 0 && passages.length > 0) break;
    passages.push({ under: heading === undefined ? "" : `${heading.number} ${heading.title}`, text: shown });
  }
  return passages;
}

function splitWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,@'’-][\p{L}\p{N}]+)*/gu) ?? [];
}

function splitParagraphs(markdown: string): readonly { text: string; start: number }[] {
  const paragraphs: { text: string; start: number }[] = [];
  const blank = /\n[ \t]*\n/gu;
  let start = 0;
  for (;;) {
    const end = blank.exec(markdown)?.index ?? markdown.length;
    const text = markdown.slice(start, end).trim();
    if (text !== "") paragraphs.push({ text, start });
    if (end === markdown.length) return paragraphs;
    start = blank.lastIndex;
  }
}

/** Returns a paragraph, or the part of it around the first word that was found. */
function around(text: string, words: readonly string[]): string {
  if (text.length <= longest) return text;
  const lowered = text.toLowerCase();
  const found = words.map((word) => lowered.indexOf(word)).filter((at) => at !== -1);
  const from = Math.max(0, Math.min(...found) - longest / 2);
  const part = text.slice(from, from + longest);
  return `${from > 0 ? "… " : ""}${part}${from + longest < text.length ? " …" : ""}`;
}
