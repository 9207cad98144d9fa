/** Precision, recall and their harmonic mean. */
export interface Score {
  precision: number;
  recall: number;
  f1: number;
}

/** Words as the score counts them: runs of letters and digits. */
export function listWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Compares two texts as bags of runs of `length` words. */
export function getScore(text: string, truth: string, length: number): Score {
  const foundBag = getBag(listWords(text), length);
  const truthBag = getBag(listWords(truth), length);
  let common = 0;
  for (const [run, count] of foundBag.runs) common += Math.min(count, truthBag.runs.get(run) ?? 0);
  if (foundBag.size === 0 && truthBag.size === 0) return { precision: 1, recall: 1, f1: 1 };
  const precision = foundBag.size === 0 ? 0 : common / foundBag.size;
  const recall = truthBag.size === 0 ? 0 : common / truthBag.size;
  return { precision, recall, f1: common === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

/** How many words a run has in the score of a set. */
export function computeRunLength(set: "articles" | "mixed"): number {
  return set === "articles" ? 4 : 1;
}

function getBag(words: string[], length: number): { runs: Map<string, number>; size: number } {
  const runs = new Map<string, number>();
  const size = words.length === 0 ? 0 : Math.max(1, words.length - length + 1);
  for (let at = 0; at < size; at += 1) {
    const run = words.slice(at, at + length).join(" ");
    runs.set(run, (runs.get(run) ?? 0) + 1);
  }
  return { runs, size };
}
