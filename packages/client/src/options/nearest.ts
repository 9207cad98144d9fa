/** Returns the name that is most like another one, judged by the pairs of letters that the last parts of both have; `undefined` when none is. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const own = listPairs(name);
  let best: { readonly name?: string; readonly likeness: number } = { likeness: 0.4 };
  for (const other of names) {
    const pairs = listPairs(other);
    const common = pairs.filter((pair) => own.includes(pair)).length;
    const likeness = (2 * common) / (own.length + pairs.length);
    if (likeness > best.likeness) best = { name: other, likeness };
  }
  return best.name;
}

/** Pairs of neighbouring letters of the last part of a name. */
function listPairs(name: string): string[] {
  const letters = name.replace(/^.*\./, "").replace(/\W|_/g, "").toLowerCase();
  return Array.from(letters.slice(1), (letter, at) => `${letters[at]}${letter}`);
}
