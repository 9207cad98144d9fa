import { segmentMs } from "../journal/chunk.ts";
import { repeatPictures } from "./repeats.ts";
import type { VideoPicture } from "./matroska.ts";
import type { Change, Stretch } from "../journal/stretches.ts";

/** How many pictures the end of a chunk has, a millisecond apart: Chromium's HLS player shows none before it has as many after it. */
const endPictures = 8;

/**
 * The pictures of the stretches of a chunk, each stretch once and one after the other: a picture from its moment to the next one,
 * and again where a segment starts and within it ({@link repeatPictures}). The last one is at the very end: encoders guess how long
 * their last picture shows, and that one is left out when the chunks are joined.
 */
export function* samplePictures(changes: readonly Change[], stretches: readonly Stretch[]): Generator<VideoPicture> {
  let baseMs = 0;
  for (const stretch of stretches) {
    const { startMs, endMs } = stretch;
    const ending = stretch === stretches.at(-1) ? findEnding(endMs) : [];
    const changeMoments = [...new Set([...changes.map(({ atMs }) => atMs), ...ending])].sort((a, b) => a - b);
    for (let fromMs = startMs; fromMs < endMs; fromMs += segmentMs) {
      const untilMs = Math.min(fromMs + segmentMs, endMs);
      const within = changeMoments.filter((atMs) => atMs > fromMs && atMs < untilMs);
      const moments = repeatPictures([fromMs, ...within], untilMs);
      for (const [index, moment] of moments.entries()) {
        const shown = changes.findLast(({ atMs }) => atMs <= moment);
        if (!shown) continue;
        const durationMs = (moments[index + 1] ?? untilMs) - moment;
        yield { atMs: baseMs + moment - startMs, durationMs, jpeg: shown.jpeg };
      }
    }
    baseMs += endMs - startMs;
  }
  const last = changes.at(-1);
  if (last) yield { atMs: baseMs, durationMs: 1, jpeg: last.jpeg };
}

function findEnding(endMs: number): number[] {
  return Array.from({ length: endPictures }, (_, index) => endMs - endPictures + index);
}
