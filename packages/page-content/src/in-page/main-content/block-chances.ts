import { forEachFeatureRow } from "./block-features.ts";
import { blockTrees } from "./block-trees.ts";
import { predictChance, type Trees, decodeTrees } from "./decision-trees.ts";
import type { PageFacts } from "./page-facts.ts";

/** Approximate number of blocks with the same ancestors that are evaluated; the others get the probability of the one before them. */
const lookedAtPerPath = 400;

let trees: Trees | undefined;

/** Returns the probability of each block to be main content. */
export function blockChances(facts: PageFacts, kind: readonly number[]): Float64Array {
  const ofBlock = (trees ??= decodeTrees(blockTrees));
  const { blocks } = facts.outline;
  const chances = new Float64Array(blocks.length);
  const met = new Map<number, { count: number; latest: number }>();
  forEachFeatureRow(
    facts,
    kind,
    (block, at) => {
      const path = facts.paths[block.holder] ?? 0;
      const step = Math.ceil((facts.pathSums.get(path)?.blocks ?? 0) / lookedAtPerPath);
      let group = met.get(path);
      if (group === undefined) met.set(path, (group = { count: 0, latest: at }));
      group.count += 1;
      if ((group.count - 1) % step === 0) {
        group.latest = at;
        return true;
      }
      chances[at] = chances[group.latest] ?? 0;
      return false;
    },
    (row, at) => {
      chances[at] = predictChance(ofBlock(row.values));
    },
  );
  return chances;
}
