import type { Random } from "./random.ts";

/** One choice for each factor: the number of the value, from 0. */
export type Row = readonly number[];

/** Number of rows that are drafted before the best of them is chosen. */
const drafts = 12;

/** Key of a pair of values of two factors. */
function findWord(factor: number, value: number, other: number, otherValue: number): string {
  return factor < other ? `${factor}=${value} ${other}=${otherValue}` : `${other}=${otherValue} ${factor}=${value}`;
}

/**
 * Generates pairwise (all-pairs) test rows: every two values of two factors occur together at least once. The greedy algorithm gives as few
 * rows as the packages for this, at a fraction of their size.
 *
 * @param sizes - Number of values of each factor; at least one.
 */
export function pairwise(sizes: readonly number[], random: Random): Row[] {
  const open = new Set<string>();
  for (const [factor, size] of sizes.entries()) {
    for (const [other, otherSize] of sizes.entries()) {
      if (other <= factor) continue;
      for (let value = 0; value < size; value += 1) {
        for (let next = 0; next < otherSize; next += 1) open.add(findWord(factor, value, other, next));
      }
    }
  }
  const rows: Row[] = [];
  while (open.size > 0) {
    const drawn = Array.from({ length: drafts }, () => draft(sizes, open, random));
    const best = drawn.reduce((one, other) =>
      coveredBy(other, open).length > coveredBy(one, open).length ? other : one,
    );
    for (const word of coveredBy(best, open)) open.delete(word);
    rows.push(best);
  }
  return rows;
}

/** Drafts a row: it begins with an uncovered pair, and takes for each other factor the value that covers the most pairs. */
function draft(sizes: readonly number[], open: ReadonlySet<string>, random: Random): Row {
  const first = [...open][random.below(open.size)] ?? "";
  const row = new Map(
    first
      .split(" ")
      .map((part) => part.split("=").map(Number))
      .map(([at = 0, is = 0]) => [at, is]),
  );
  for (const factor of random.shuffled([...sizes.keys()])) {
    if (row.has(factor)) continue;
    const values = random.shuffled([...Array(sizes[factor] ?? 1).keys()]);
    const gain = (value: number): number =>
      [...row].filter(([other, is]) => open.has(findWord(factor, value, other, is))).length;
    row.set(
      factor,
      values.reduce((one, other) => (gain(other) > gain(one) ? other : one)),
    );
  }
  return [...sizes.keys()].map((factor) => row.get(factor) ?? 0);
}

function coveredBy(row: Row, open: ReadonlySet<string>): string[] {
  return row.flatMap((value, factor) =>
    row.flatMap((otherValue, other) => {
      const word = findWord(factor, value, other, otherValue);
      return factor < other && open.has(word) ? [word] : [];
    }),
  );
}
