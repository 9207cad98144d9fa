import type { FeatureRow } from "./feature-row.ts";
import type { OutlineBlock } from "./page-outline.ts";

const price = /[$€£¥₹]\s?\d|\d\s?(?:€|£|kr\b|zł|USD|EUR)/;
const dateLike = /\b(?:19|20)\d\d\b|\b\d{1,2}:\d\d\b|\b\d{1,4}\s(?:minute|hour|day|week|month|year)s?\sago\b/i;
const rightsReserved = /©|\(c\)\s?\d{4}|copyright|all rights reserved/i;
const sentenceEnd = /[.!?…。！？؟:]["'”’»)\]]{0,4}$/;
const surroundingWords =
  /\b(?:cookies?|subscribe|newsletter|sign (?:in|up)|log ?in|register|share|follow us|read more|learn more|related|privacy|terms|advertisement|sponsored|click here|contact us|add to cart|shop now|skip to|menu|search|comments?|reply|leave a|e-?mail|download|next|previous|home|load more|view all|see all|show more|back to top|sort by|filter|about us|help|faq|quick view|wishlist|rights|published|updated|posted|author|min(?:ute)?s? read|by)\b/gi;
/** Characters of a block that are searched for words. */
const headLength = 400;
/** Approximate limit of words in that many characters. */
const headWords = 70;

/** Returns whether a block reads like sentences. */
export function isProse(block: OutlineBlock): boolean {
  return block.words >= 12 && block.marks >= 1 && block.linkWords * 3 < block.words;
}

/** Returns whether a block names a price. */
export function hasPrice(block: OutlineBlock): boolean {
  return price.test(block.text.slice(0, headLength));
}

/** Returns the share of a part in a whole; 0 when the whole is 0. */
export function measureShare(part: number, whole: number): number {
  return whole <= 0 ? 0 : part / whole;
}

/** Adds the features of a block's own text. */
export function putTextFeatures(
  row: FeatureRow,
  block: OutlineBlock,
  title: ReadonlySet<string>,
  description: ReadonlySet<string>,
): void {
  const head = block.text.slice(0, headLength);
  const few = Math.min(block.words, headWords);
  const countMatches = (pattern: RegExp): number => head.match(pattern)?.length ?? 0;
  row.put("words", block.words);
  row.put("chars", block.text.length / Math.max(1, block.words));
  row.put("links", block.links);
  row.put("linkShare", measureShare(block.linkWords, block.words));
  row.put("controlShare", measureShare(block.controlWords, block.words));
  row.put("strongShare", measureShare(block.strongWords, block.words));
  row.put("marks", block.marks);
  row.put("marksPerWord", measureShare(block.marks, block.words));
  row.put("ends", sentenceEnd.test(block.text.slice(-8)) ? 1 : 0);
  row.put("startsUpper", /^\p{Lu}/u.test(head) ? 1 : /^\p{Ll}/u.test(head) ? 0 : 0.5);
  row.put("upperShare", measureShare(countMatches(/\p{Lu}/gu), head.length));
  row.put("digitShare", measureShare(countMatches(/\d/g), head.length));
  row.put("shortWords", measureShare(countMatches(/(?<![\p{L}\p{N}])\p{Ll}{1,3}(?![\p{L}\p{N}])/gu), few));
  row.put("price", price.test(head) ? 1 : 0);
  row.put("date", dateLike.test(head) ? 1 : 0);
  row.put("rights", rightsReserved.test(head) ? 1 : 0);
  row.put("surroundingWords", measureShare(countMatches(surroundingWords), few));
  const words = new Set(head.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const inTitle = countCommon(words, title);
  row.put("title", measureShare(inTitle, Math.max(1, few)));
  row.put("titleBack", measureShare(inTitle, title.size));
  row.put("description", measureShare(countCommon(words, description), Math.max(1, few)));
}

function countCommon(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (others.size === 0) return 0;
  let common = 0;
  for (const word of words) if (others.has(word)) common += 1;
  return common;
}
