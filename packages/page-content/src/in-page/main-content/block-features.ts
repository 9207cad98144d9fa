import {
  putAncestorFeatures,
  putLikeBlocks,
  putNeighbourFeatures,
  putPlace,
  putSurroundings,
} from "./block-place-features.ts";
import { putTextFeatures } from "./block-text-features.ts";
import { FeatureRow } from "./feature-row.ts";
import type { PageFacts } from "./page-facts.ts";
import { pageKinds, pageSums } from "./page-kind.ts";
import type { OutlineBlock, OutlineElement } from "./page-outline.ts";

const tags =
  "p li h1 h2 h3 h4 h5 h6 td th dd dt pre blockquote figcaption div a span button label article section summary address legend caption form".split(
    " ",
  );
const headingTag = /^h[1-6]$/;
const holdersLookedAt = 4;

/** State for all blocks of a page, and the heading above the current one. */
interface Running {
  page: [name: string, value: number][];
  lastHeading: number;
  lastLevel: number;
}

/**
 * Computes a row of features for each block, in order.
 *
 * The row is the same object each time; `names` are complete after the first.
 */
export function forEachFeatureRow(
  facts: PageFacts,
  kind: readonly number[],
  isMatch: (block: OutlineBlock, at: number) => boolean,
  each: (row: FeatureRow, at: number) => void,
): void {
  const row = new FeatureRow();
  const running: Running = {
    page: [...pageSums(facts), ...pageKinds.map((name, at): [string, number] => [`kind-${name}`, kind[at] ?? 0])],
    lastHeading: -1,
    lastLevel: 0,
  };
  facts.outline.blocks.forEach((block, at) => {
    const tag = getTag(facts.outline.elements, block);
    const level = headingTag.test(tag) ? Number(tag[1]) : 0;
    if (isMatch(block, at)) {
      row.restart();
      row.put("tag", tags.indexOf(tag));
      row.put("heading", level);
      row.put("sinceHeading", running.lastHeading < 0 ? -1 : at - running.lastHeading);
      row.put("headingAbove", running.lastLevel);
      putTextFeatures(row, block, facts.title, facts.description);
      putPlace(row, facts, block, at);
      putNeighbourFeatures(row, facts, block, at);
      putAncestorFeatures(row, facts, block, at);
      putSurroundings(row, facts, block);
      putLikeBlocks(row, facts, block, at);
      for (const [name, value] of running.page) row.put(name, value);
      each(row, at);
    }
    if (level > 0) {
      running.lastHeading = at;
      running.lastLevel = level;
    }
  });
}

/** The tag that says most about a block: a heading or control around its first text, else what holds it. */
function getTag(elements: readonly OutlineElement[], block: OutlineBlock): string {
  let index = block.holder;
  for (let step = 0; step < holdersLookedAt && index > 0; step += 1) {
    const entry = elements[index];
    if (entry === undefined) break;
    if (headingTag.test(entry.tag) || entry.tag === "button" || entry.tag === "label" || index === block.parent)
      return entry.tag;
    index = entry.parent;
  }
  return elements[block.parent]?.tag ?? "";
}
