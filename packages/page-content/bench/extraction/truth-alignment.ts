import { listWords } from "./score.ts";

/** Words from which on a block is placed by what it says alone; a shorter one also by its neighbours. */
const longBlock = 6;
const shortestRun = 4;

/**
 * How much of each block (0 to 1) is in the known text. Each word of the known text is given to one block: to long blocks
 * first, then to short ones near to where their neighbours were found.
 */
export function getCoverage(blocks: readonly string[], truth: string): Float64Array {
  const truthWords = listWords(truth);
  const claims = new Uint8Array(truthWords.length);
  const words = blocks.map((text) => listWords(text));
  const covered = new Float64Array(blocks.length);
  const starts = new Int32Array(blocks.length).fill(-1);
  const ends = new Int32Array(blocks.length).fill(-1);
  const byTriple = new Map<string, number[]>();
  const byWord = new Map<string, number[]>();
  truthWords.forEach((word, at) => {
    add(byWord, word, at);
    if (at + 2 < truthWords.length) add(byTriple, truthWords.slice(at, at + 3).join(" "), at);
  });
  const claim = (block: number, from: number, length: number): void => {
    claims.fill(1, from, from + length);
    covered[block] = (covered[block] ?? 0) + length / Math.max(1, words[block]?.length ?? 1);
    if (starts[block] === -1) starts[block] = from;
    ends[block] = from + length;
  };
  const runAt = (own: string[], at: number, from: number): number => {
    let length = 0;
    while (at + length < own.length && own[at + length] === truthWords[from + length] && claims[from + length] === 0)
      length += 1;
    return length;
  };

  let last = 0;
  words.forEach((own, block) => {
    if (own.length < longBlock) return;
    for (let at = 0; at + 2 < own.length;) {
      let best = 0;
      let bestFrom = 0;
      for (const from of byTriple.get(own.slice(at, at + 3).join(" ")) ?? []) {
        const length = runAt(own, at, from);
        const nearer = Math.abs(from - last) < Math.abs(bestFrom - last);
        if (length > best || (length === best && nearer)) [best, bestFrom] = [length, from];
      }
      if (best >= shortestRun) {
        claim(block, bestFrom, best);
        last = bestFrom + best;
      }
      at += Math.max(1, best);
    }
  });

  for (const [limit, fewest] of [
    [4, 1],
    [12, 1],
    [40, 1],
    [200, 1],
    [Infinity, 2],
  ] as const) {
    for (let pass = 0; pass < 3; pass += 1) {
      const after = new Int32Array(blocks.length);
      for (let block = 0, previous = -1; block < blocks.length; block += 1) {
        after[block] = previous;
        if ((ends[block] ?? -1) >= 0) previous = ends[block] ?? -1;
      }
      const offers: { block: number; from: number; cost: number }[] = [];
      for (let block = blocks.length - 1, next = -1; block >= 0; block -= 1) {
        const own = words[block] ?? [];
        if ((starts[block] ?? -1) >= 0) next = starts[block] ?? -1;
        else if (own.length >= fewest) {
          for (const from of byWord.get(own[0] ?? "") ?? []) {
            if (runAt(own, 0, from) < own.length) continue;
            const behind = after[block] ?? -1;
            const toPrevious = behind < 0 ? (pass === 2 ? from : Infinity) : Math.abs(from - behind);
            const toNext = next < 0 ? Infinity : Math.abs(next - own.length - from);
            const cost = Math.min(toPrevious, toNext);
            if (cost <= limit) offers.push({ block, from, cost });
          }
        }
      }
      for (const { block, from } of offers.sort((a, b) => a.cost - b.cost)) {
        const own = words[block] ?? [];
        if ((starts[block] ?? -1) < 0 && runAt(own, 0, from) === own.length) claim(block, from, own.length);
      }
    }
  }
  return covered;
}

function add(index: Map<string, number[]>, key: string, at: number): void {
  const positions = index.get(key);
  if (positions === undefined) index.set(key, [at]);
  else if (positions.length < 500) positions.push(at);
}
