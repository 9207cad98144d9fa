/** Most cells of the table for the longest common subsequence. */
const maxCells = 1_000_000;

/**
 * Returns the difference of two texts by lines: removed ones with `-`, added ones with `+`, in their order.
 */
export function diffTexts(before: string, after: string): readonly string[] {
  const [old, current] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < current.length && old[start] === current[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < current.length - start && old.at(-1 - end) === current.at(-1 - end))
    end += 1;
  return diffLines(old.slice(start, old.length - end), current.slice(start, current.length - end));
}

const markRemoved = (line: string | undefined): string => `-${line}`;
const markAdded = (line: string | undefined): string => `+${line}`;

function diffLines(old: readonly string[], fresh: readonly string[]): readonly string[] {
  if (old.length * fresh.length > maxCells) return [...old.map(markRemoved), ...fresh.map(markAdded)];
  const common = measureCommon(old, fresh);
  const width = fresh.length + 1;
  const changes: string[] = [];
  let [at, to] = [0, 0];
  while (at < old.length || to < fresh.length) {
    if (at < old.length && to < fresh.length && old[at] === fresh[to]) {
      at += 1;
      to += 1;
    } else if (
      to >= fresh.length ||
      (at < old.length && readLength(common, (at + 1) * width + to) >= readLength(common, at * width + to + 1))
    ) {
      changes.push(markRemoved(old[at]));
      at += 1;
    } else {
      changes.push(markAdded(fresh[to]));
      to += 1;
    }
  }
  return changes;
}

/** Length of the longest common subsequence of the rests of both, for each pair of positions. */
function measureCommon(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let to = fresh.length - 1; to >= 0; to -= 1) {
      const here = at * width + to;
      lengths[here] =
        old[at] === fresh[to]
          ? readLength(lengths, here + width + 1) + 1
          : Math.max(readLength(lengths, here + width), readLength(lengths, here + 1));
    }
  }
  return lengths;
}

function readLength(lengths: Uint32Array, index: number): number {
  return lengths[index] ?? 0;
}
