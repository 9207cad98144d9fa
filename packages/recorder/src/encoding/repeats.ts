/**
 * Longest time from a picture to the next one, in milliseconds. Chromium takes a hole of twice that for no hole at all: players would never
 * fetch a segment that is missing between two others, when it has the length of one.
 */
const longestMs = 1_500;

/**
 * Repeats pictures of a segment until every player shows all of it, each picture as long as it lasts. A transport stream doesn't say how
 * long the last picture of a segment shows, and players take it to be as long as the one before it: so it is, to the millisecond, and never
 * longer, as that would delay all that follows.
 *
 * @param moments - When its pictures are, in whole milliseconds, in order; the first one is its start.
 * @param untilMs - When it ends, likewise; at least 100 ms after its start.
 * @returns The moments of its pictures, in order. At each of them the picture of the last moment of `moments` until then shows.
 */
export function repeatPictures(moments: readonly number[], untilMs: number): number[] {
  const repeated = moments.flatMap((moment, index) => {
    const lengthMs = (moments[index + 1] ?? untilMs) - moment;
    const parts = Math.ceil(lengthMs / longestMs);
    return Array.from({ length: parts }, (_, part) => moment + Math.floor((lengthMs * part) / parts));
  });
  return matchLastTwo(repeated, untilMs);
}

/** Adds a moment where the last picture does not show as long as the one before it. */
function matchLastTwo(moments: readonly number[], untilMs: number): number[] {
  const [beforeMs = Number.NEGATIVE_INFINITY, lastMs = 0] = [moments.at(-2), moments.at(-1)];
  const leftMs = untilMs - lastMs;
  const excessMs = leftMs - (lastMs - beforeMs);
  if (excessMs === 0 || excessMs === 1) return [...moments];
  if (leftMs > 1) return [...moments, lastMs + Math.floor(leftMs / 2)];
  return [...moments.slice(0, -1), lastMs - leftMs, lastMs];
}
