// An older Node.js, which has no `diff`, has to get as far as the error that names the version that is needed.
import util from "node:util";

/** Most pairs of lines that are compared; beyond them all lines count as changed. */
const maxPairs = 1_000_000;

/** Returns the difference of two texts by lines: removed ones with `-`, added ones with `+`, in their order. */
export function diffTexts(before: string, after: string): readonly string[] {
  const [old, current] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < current.length && old[start] === current[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < current.length - start && old.at(-1 - end) === current.at(-1 - end))
    end += 1;
  const removed = old.slice(start, old.length - end);
  const added = current.slice(start, current.length - end);
  if (removed.length === 0 || added.length === 0 || removed.length * added.length > maxPairs)
    return [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  return util
    .diff(removed, added)
    .flatMap(([operation, line]) => (operation === 0 ? [] : [`${operation > 0 ? "-" : "+"}${line}`]));
}
