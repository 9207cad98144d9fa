import { isProse } from "./block-text-features.ts";
import { type DeclaredFacts, readDeclaredData } from "./declared-data.ts";
import { lowerWords } from "./lower-words.ts";
import type { OutlineElement, PageOutline } from "./page-outline.ts";
import { largerAncestors, likeSiblings, encodePaths, type Surroundings, describeSurroundings } from "./surroundings.ts";

/** Sums over all blocks whose lines of ancestors look the same. */
export interface PathSums {
  /** Number of blocks. */
  blocks: number;
  /** Their words. */
  words: number;
  /** Their words in links. */
  linkWords: number;
  /** Their punctuation. */
  marks: number;
  /** Their words that Readability takes. */
  readabilityWords: number;
}

/** Features of a page, computed once before those of its blocks. Arrays of sums have the sum before block `i` at `i`. */
export interface PageFacts {
  /** The page's lists. */
  outline: PageOutline;
  /** The share of each block that Readability takes, -1 when unknown. */
  readabilityShares: Float64Array;
  /** Words in lower case of the title that the page declares. */
  title: ReadonlySet<string>;
  /** Words in lower case of the description that the page declares. */
  description: ReadonlySet<string>;
  /** Its type as declared by Open Graph, in lower case. */
  kind: string;
  /** Facts of its JSON-LD. */
  declared: DeclaredFacts;
  /** Words before each block. */
  wordsBefore: Float64Array;
  /** Words in links before each block. */
  linkWordsBefore: Float64Array;
  /** Punctuation before each block. */
  marksBefore: Float64Array;
  /** Words in sentences before each block. */
  proseBefore: Float64Array;
  /** Words that Readability takes before each block. */
  takenBefore: Float64Array;
  /** By element. */
  surroundings: Surroundings[];
  /** By element. */
  siblings: Float64Array;
  /** By element. */
  larger: Int32Array;
  /** By element. */
  paths: Int32Array;
  /** By path. */
  pathSums: Map<number, PathSums>;
  /** Number of blocks with each text. */
  counts: Map<string, number>;
  /** The first block of the first heading of level one; -1 for none. */
  firstHeading: number;
  /** The block with the most words in sentences. */
  largestProse: number;
  /** The smallest element that holds most of the sentences. */
  proseHolder: OutlineElement | undefined;
  /** The first block that Readability takes; -1 for none. */
  firstTaken: number;
  /** The last one. */
  lastTaken: number;
  /** Number of elements of each tag. */
  tags: Map<string, number>;
  /** Number of landmarks of main content. */
  mains: number;
}

const maxOfProse = 0.6;

/** Reads the facts of a page. */
export function collectPageFacts(document: Document, outline: PageOutline, readabilityShares: Float64Array): PageFacts {
  const { elements, blocks } = outline;
  const siblings = likeSiblings(elements);
  const paths = encodePaths(elements);
  const facts: PageFacts = {
    outline,
    readabilityShares: readabilityShares,
    title: new Set(lowerWords(document.querySelector("title")?.textContent ?? "")),
    description: new Set(lowerWords(readMeta(document, 'meta[name="description"]'))),
    kind: readMeta(document, 'meta[property="og:type"]').toLowerCase(),
    declared: readDeclaredData(document),
    wordsBefore: new Float64Array(blocks.length + 1),
    linkWordsBefore: new Float64Array(blocks.length + 1),
    marksBefore: new Float64Array(blocks.length + 1),
    proseBefore: new Float64Array(blocks.length + 1),
    takenBefore: new Float64Array(blocks.length + 1),
    surroundings: describeSurroundings(elements, siblings),
    siblings,
    larger: largerAncestors(elements),
    paths,
    pathSums: new Map(),
    counts: new Map(),
    firstHeading: elements.find((entry) => entry.tag === "h1" && entry.words > 0)?.firstBlock ?? -1,
    largestProse: 0,
    proseHolder: undefined,
    firstTaken: -1,
    lastTaken: -1,
    tags: new Map(),
    mains: 0,
  };
  for (const { tag, role } of elements) {
    facts.tags.set(tag, (facts.tags.get(tag) ?? 0) + 1);
    if (tag === "main" || role === "main") facts.mains += 1;
  }
  sumBlocks(facts);
  facts.proseHolder = findProseHolder(facts);
  return facts;
}

function readMeta(document: Document, selector: string): string {
  return document.querySelector(selector)?.getAttribute("content") ?? "";
}

function sumBlocks(facts: PageFacts): void {
  const { outline, wordsBefore, linkWordsBefore, marksBefore, proseBefore, takenBefore } = facts;
  let largest = 0;
  outline.blocks.forEach((block, at) => {
    const prose = isProse(block) ? block.words : 0;
    const share = Math.max(0, facts.readabilityShares[at] ?? 0);
    wordsBefore[at + 1] = (wordsBefore[at] ?? 0) + block.words;
    linkWordsBefore[at + 1] = (linkWordsBefore[at] ?? 0) + block.linkWords;
    marksBefore[at + 1] = (marksBefore[at] ?? 0) + block.marks;
    proseBefore[at + 1] = (proseBefore[at] ?? 0) + prose;
    takenBefore[at + 1] = (takenBefore[at] ?? 0) + share * block.words;
    facts.counts.set(block.text, (facts.counts.get(block.text) ?? 0) + 1);
    if (prose > largest) {
      largest = prose;
      facts.largestProse = at;
    }
    if (share > 0.5) {
      if (facts.firstTaken < 0) facts.firstTaken = at;
      facts.lastTaken = at;
    }
    const path = facts.paths[block.holder] ?? 0;
    let sums = facts.pathSums.get(path);
    if (sums === undefined)
      facts.pathSums.set(path, (sums = { blocks: 0, words: 0, linkWords: 0, marks: 0, readabilityWords: 0 }));
    sums.blocks += 1;
    sums.words += block.words;
    sums.linkWords += block.linkWords;
    sums.marks += block.marks;
    sums.readabilityWords += share * block.words;
  });
}

function findProseHolder({ outline, proseBefore }: PageFacts): OutlineElement | undefined {
  const enough = (proseBefore[outline.blocks.length] ?? 0) * maxOfProse;
  let best: OutlineElement | undefined;
  for (const entry of outline.elements) {
    const prose = (proseBefore[entry.endBlock] ?? 0) - (proseBefore[entry.firstBlock] ?? 0);
    const isSmaller = best === undefined || entry.endBlock - entry.firstBlock <= best.endBlock - best.firstBlock;
    if (prose >= enough && isSmaller) best = entry;
  }
  return best;
}
