import type { PageOutline } from "./page-outline.ts";

/** Exponents that sharpen probabilities, for a page that is certainly an article, and for one that certainly is not. */
const sharpness = { article: 1.6, other: 0.6 };
/** Tables whose cells have more words than this on average are not taken to hold data. */
const cellWords = 15;

/**
 * Chooses the blocks that maximize the expected F1, by the probability of each to be content. On pages other than articles probabilities
 * are flattened first, so that more uncertain blocks stay.
 */
export function chooseBlocks(outline: PageOutline, chances: Float64Array, articleChance: number): Uint8Array {
  const { blocks } = outline;
  const power = sharpness.other * (sharpness.article / sharpness.other) ** articleChance;
  const sharpened = evenTables(outline, chances).map(
    (chance) => chance ** power / (chance ** power + (1 - chance) ** power),
  );
  const order = Uint32Array.from(blocks, (_, at) => at).sort(
    (a, b) => (sharpened[b] ?? 0) - (sharpened[a] ?? 0) || a - b,
  );
  const countWords = (at: number): number => blocks[at]?.words ?? 0;
  let expected = 0;
  for (const at of order) expected += (sharpened[at] ?? 0) * countWords(at);
  let right = 0;
  let chosenWords = 0;
  let best = 0;
  let threshold = 1;
  for (const at of order) {
    right += (sharpened[at] ?? 0) * countWords(at);
    chosenWords += countWords(at);
    const score = chosenWords === 0 ? 0 : (2 * right) / (chosenWords + expected);
    if (score > best) {
      best = score;
      threshold = sharpened[at] ?? 0;
    }
  }
  return Uint8Array.from(sharpened, (chance) => (chance >= threshold ? 1 : 0));
}

/** Sets all blocks of a data table to the same probability, so that it is kept or left out as a whole. */
function evenTables({ elements, blocks }: PageOutline, chances: Float64Array): Float64Array {
  const even = chances.slice();
  const holdsTable = new Uint8Array(elements.length);
  for (let index = elements.length - 1; index > 0; index -= 1) {
    const entry = elements[index];
    if (entry === undefined) continue;
    const isTable = entry.tag === "table";
    if (holdsTable[index] === 1 || isTable) holdsTable[entry.parent] = 1;
    const count = entry.endBlock - entry.firstBlock;
    if (!isTable || holdsTable[index] === 1 || count < 4 || entry.words > count * cellWords) continue;
    let sum = 0;
    for (let at = entry.firstBlock; at < entry.endBlock; at += 1) sum += (chances[at] ?? 0) * (blocks[at]?.words ?? 0);
    even.fill(sum / Math.max(1, entry.words), entry.firstBlock, entry.endBlock);
  }
  return even;
}
