/** Most cells of the table that finds what two texts have in common. */
const mostCells = 1_000_000;

/**
 * Returns the difference of two texts by lines: those that have gone with `-`, new ones with `+`, in their order.
 */
export function lineChanges(before: string, after: string): readonly string[] {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < fresh.length - start && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  return changesOf(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
}

const gone = (line: string | undefined): string => `-${line}`;
const added = (line: string | undefined): string => `+${line}`;

function changesOf(old: readonly string[], fresh: readonly string[]): readonly string[] {
  if (old.length * fresh.length > mostCells) return [...old.map(gone), ...fresh.map(added)];
  const common = commonLengths(old, fresh);
  const width = fresh.length + 1;
  const changes: string[] = [];
  let [at, to] = [0, 0];
  while (at < old.length || to < fresh.length) {
    if (at < old.length && to < fresh.length && old[at] === fresh[to]) {
      at += 1;
      to += 1;
    } else if (
      to >= fresh.length ||
      (at < old.length && reached(common, (at + 1) * width + to) >= reached(common, at * width + to + 1))
    ) {
      changes.push(gone(old[at]));
      at += 1;
    } else {
      changes.push(added(fresh[to]));
      to += 1;
    }
  }
  return changes;
}

/** How many lines the rests of both have in common, for each pair of places. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let to = fresh.length - 1; to >= 0; to -= 1) {
      const here = at * width + to;
      lengths[here] =
        old[at] === fresh[to]
          ? reached(lengths, here + width + 1) + 1
          : Math.max(reached(lengths, here + width), reached(lengths, here + 1));
    }
  }
  return lengths;
}

function reached(lengths: Uint32Array, index: number): number {
  return lengths[index] ?? 0;
}
