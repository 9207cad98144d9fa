import { distance as editDistance } from "fastest-levenshtein";

/** Maximum number of suggestions for an unknown name. */
const offerLimit = 3;

/** Returns the names most similar to an unknown one, the nearest first: those that contain it, and those with a small edit distance. */
function namesNear(wrong: string, names: Iterable<string>): string[] {
  const lower = wrong.toLowerCase();
  const rated = [...names].map((name) => ({ name, distance: measureDistance(lower, name.toLowerCase()) }));
  return rated
    .filter(({ name, distance }) => distance <= Math.max(2, Math.min(lower.length, name.length) / 3))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, offerLimit)
    .map(({ name }) => name);
}

/** Returns `; did you mean "a" or "b"?`, or nothing when no name is near. */
export function didYouMean(wrong: string, names: Iterable<string>): string {
  const near = namesNear(wrong, names);
  return near.length === 0 ? "" : `; did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`;
}

function measureDistance(lower: string, name: string): number {
  return lower.length >= 4 && name.includes(lower) ? 0.5 : editDistance(lower, name);
}
