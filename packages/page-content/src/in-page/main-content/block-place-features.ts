import { isProse, measureShare } from "./block-text-features.ts";
import { classGroupCount } from "./class-words.ts";
import { declaredShare } from "./declared-data.ts";
import type { FeatureRow } from "./feature-row.ts";
import type { PageFacts } from "./page-facts.ts";
import type { OutlineBlock, OutlineElement } from "./page-outline.ts";
import { landmarkNames } from "./surroundings.ts";

const far = 40;
const neighbours = [-2, -1, 1, 2] as const;
const reaches = [4, 12, 40] as const;
const levels = 6;

/** Adds the features of the blocks before and after. */
export function putNeighbourFeatures(row: FeatureRow, facts: PageFacts, block: OutlineBlock, at: number): void {
  const { blocks, elements } = facts.outline;
  const { wordsBefore, linkWordsBefore, marksBefore, proseBefore, readabilityShares: shares } = facts;
  const signature = elements[block.parent]?.signature;
  for (const offset of neighbours) {
    const near = blocks[at + offset];
    row.put(`words${offset}`, near?.words ?? -1);
    row.put(`linkShare${offset}`, near === undefined ? -1 : measureShare(near.linkWords, near.words));
    row.put(`marks${offset}`, near?.marks ?? -1);
    const isLike = near !== undefined && elements[near.parent]?.signature === signature;
    row.put(`sameParent${offset}`, near === undefined ? -1 : near.parent === block.parent ? 2 : isLike ? 1 : 0);
    row.put(`taken${offset}`, shares[at + offset] ?? -1);
  }
  for (const reach of reaches) {
    const from = Math.max(0, at - reach);
    const to = Math.min(blocks.length, at + reach + 1);
    const words = between(wordsBefore, from, to);
    row.put(`window${reach}words`, words / (to - from));
    row.put(`window${reach}links`, measureShare(between(linkWordsBefore, from, to), words));
    row.put(`window${reach}marks`, measureShare(between(marksBefore, from, to), words));
    row.put(`window${reach}prose`, measureShare(between(proseBefore, from, to), words));
    row.put(`after${reach}prose`, between(proseBefore, at + 1, to));
    row.put(`before${reach}prose`, between(proseBefore, from, at));
  }
}

/** Adds the features of a block's ancestors, nearest first, those with the same words skipped. */
export function putAncestorFeatures(row: FeatureRow, facts: PageFacts, block: OutlineBlock, at: number): void {
  const { elements, blocks } = facts.outline;
  const totalWords = elements[0]?.words ?? 0;
  const totalProse = facts.proseBefore[blocks.length] ?? 0;
  let index = block.parent;
  for (let level = 0; level < levels; level += 1) {
    const entry = index < 0 ? undefined : elements[index];
    const words = entry?.words ?? 0;
    const first = entry?.firstBlock ?? 0;
    const end = entry?.endBlock ?? 0;
    const prose = between(facts.proseBefore, first, end);
    const known = (value: number): number => (entry === undefined ? -1 : value);
    row.put(`up${level}words`, known(words));
    row.put(`up${level}share`, known(measureShare(words, totalWords)));
    row.put(`up${level}links`, known(measureShare(entry?.linkWords ?? 0, words)));
    row.put(`up${level}marks`, known(measureShare(entry?.marks ?? 0, words)));
    row.put(`up${level}blockWords`, known(measureShare(words, end - first)));
    row.put(`up${level}prose`, known(measureShare(prose, words)));
    row.put(`up${level}proseShare`, known(measureShare(prose, totalProse)));
    row.put(`up${level}siblings`, known(facts.siblings[index] ?? 0));
    row.put(`up${level}taken`, known(measureShare(between(facts.takenBefore, first, end), words)));
    row.put(`up${level}at`, known((at - first) / Math.max(1, end - first)));
    index = index < 0 ? -1 : (facts.larger[index] ?? -1);
  }
}

/** Adds the features of a block's surroundings: landmarks, names of classes, items of lists. */
export function putSurroundings(row: FeatureRow, facts: PageFacts, block: OutlineBlock): void {
  const { elements } = facts.outline;
  const around = facts.surroundings[block.holder];
  const depth = elements[block.holder]?.depth ?? 0;
  const up = (level: number | undefined): number =>
    level === undefined || level < 0 ? far : Math.min(far, depth - level);
  row.put("depth", depth);
  for (const [bit, name] of landmarkNames.entries()) row.put(`in-${name}`, up(around?.landmarks[bit]));
  for (let group = 0; group < classGroupCount; group += 1) row.put(`class-${group}`, up(around?.groups[group]));
  row.put("hidden", up(around?.hidden));
  row.put("property", around?.property ?? 0);
  putItem(row, facts, "item", around?.item ?? -1);
  putItem(row, facts, "outer", around?.outerItem ?? -1);
}

/** Adds what Readability takes around a block, and the features of blocks whose ancestors look the same. */
export function putLikeBlocks(row: FeatureRow, facts: PageFacts, block: OutlineBlock, at: number): void {
  const total = facts.outline.elements[0]?.words ?? 0;
  const path = facts.pathSums.get(facts.paths[block.holder] ?? 0);
  row.put("taken", facts.readabilityShares[at] ?? -1);
  row.put("fromFirstTaken", at - facts.firstTaken);
  row.put("fromLastTaken", at - facts.lastTaken);
  row.put("pathTaken", measureShare(path?.readabilityWords ?? 0, path?.words ?? 0));
  row.put("pathBlocks", path?.blocks ?? 0);
  row.put("pathWords", measureShare(path?.words ?? 0, path?.blocks ?? 0));
  row.put("pathLinks", measureShare(path?.linkWords ?? 0, path?.words ?? 0));
  row.put("pathMarks", measureShare(path?.marks ?? 0, path?.words ?? 0));
  row.put("pathShare", measureShare(path?.words ?? 0, total));
}

/** Writes the features of the position of a block on the page. */
export function putPlace(row: FeatureRow, facts: PageFacts, block: OutlineBlock, at: number): void {
  const { blocks, elements } = facts.outline;
  const holder = facts.proseHolder;
  row.put("declared", declaredShare(block.text, facts.declared));
  row.put("seen", facts.counts.get(block.text) ?? 1);
  row.put("at", at / blocks.length);
  row.put("fromEnd", blocks.length - at);
  row.put("fromStart", at);
  row.put("wordsAt", measureShare(facts.wordsBefore[at] ?? 0, elements[0]?.words ?? 0));
  row.put("proseAt", measureShare(facts.proseBefore[at] ?? 0, facts.proseBefore[blocks.length] ?? 0));
  row.put("fromHeading1", facts.firstHeading < 0 ? -999 : at - facts.firstHeading);
  row.put("fromLargest", at - facts.largestProse);
  row.put("fromProseHolder", holder === undefined ? 0 : distanceTo(holder, at));
  row.put("isProse", isProse(block) ? 1 : 0);
}

function distanceTo(entry: OutlineElement, at: number): number {
  if (at < entry.firstBlock) return at - entry.firstBlock;
  return at < entry.endBlock ? 0 : at - entry.endBlock + 1;
}

function putItem(row: FeatureRow, facts: PageFacts, name: string, index: number): void {
  const { elements } = facts.outline;
  const entry = index < 0 ? undefined : elements[index];
  const list = entry === undefined ? undefined : elements[entry.parent];
  const known = (value: number): number => (entry === undefined ? -1 : value);
  row.put(`${name}siblings`, known(facts.siblings[index] ?? 0));
  row.put(`${name}words`, known(entry?.words ?? 0));
  row.put(`${name}links`, known(measureShare(entry?.linkWords ?? 0, entry?.words ?? 0)));
  row.put(`${name}marks`, known(measureShare(entry?.marks ?? 0, entry?.words ?? 0)));
  row.put(`${name}listShare`, known(measureShare(list?.words ?? 0, elements[0]?.words ?? 0)));
  row.put(`${name}listLinks`, known(measureShare(list?.linkWords ?? 0, list?.words ?? 0)));
  row.put(
    `${name}listBlockWords`,
    known(measureShare(list?.words ?? 0, (list?.endBlock ?? 0) - (list?.firstBlock ?? 0))),
  );
}

function between(before: Float64Array, from: number, to: number): number {
  return (before[to] ?? 0) - (before[from] ?? 0);
}
