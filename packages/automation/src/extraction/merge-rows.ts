/**
 * Merges the next reading of a list into the earlier one: it may repeat the end of that, extend it, or follow it.
 *
 * @returns The merged items, and whether what was read next had anything new.
 */
export function mergeRows(
  before: readonly unknown[],
  next: readonly unknown[],
): { readonly items: readonly unknown[]; readonly hasNew: boolean } {
  const keys = before.map((item) => JSON.stringify(item));
  const nextKeys = next.map((item) => JSON.stringify(item));
  if (nextKeys.length >= keys.length && keys.every((key, index) => nextKeys[index] === key))
    return { items: next, hasNew: nextKeys.length > keys.length };
  const isRepeated = keys.some((_, at) => nextKeys.every((key, index) => keys[at + index] === key));
  if (isRepeated) return { items: before, hasNew: false };
  for (let shared = Math.min(keys.length, nextKeys.length); shared > 0; shared -= 1) {
    const start = keys.length - shared;
    if (nextKeys.slice(0, shared).every((key, index) => keys[start + index] === key))
      return { items: [...before, ...next.slice(shared)], hasNew: true };
  }
  const earlierKeys = new Set(keys);
  if (nextKeys.every((key) => earlierKeys.has(key))) return { items: before, hasNew: false };
  // Rows of which some were read before, in no order that is known: those that are new come last.
  const overlaps = nextKeys.some((key) => earlierKeys.has(key));
  return {
    items: [...before, ...(overlaps ? next.filter((_, index) => !earlierKeys.has(nextKeys[index] ?? "")) : next)],
    hasNew: true,
  };
}
