import { segmentMs } from "../journal/chunk.ts";
import type { VideoPicture } from "./matroska.ts";
import type { Change, Stretch } from "../journal/stretches.ts";

/**
 * The pictures of the stretches of a chunk, each stretch once and one after the other: a picture from its moment to the next one,
 * and again where a segment starts. The last one is at the very end: encoders guess how long their last picture shows,
 * and that one is left out when the chunks are joined.
 */
export function* samplePictures(changes: readonly Change[], stretches: readonly Stretch[]): Generator<VideoPicture> {
  let baseMs = 0;
  for (const { startMs, endMs, times } of stretches) {
    // One that is shown again and again has two: two key frames in a row would be the same one for decoders.
    const everyMs = times > 1 ? segmentMs / 2 : segmentMs;
    const moments = new Set(changes.map(({ atMs }) => atMs).filter((atMs) => atMs > startMs && atMs < endMs));
    for (let moment = startMs; moment < endMs; moment += everyMs) moments.add(moment);
    const inOrder = [...moments].sort((a, b) => a - b);
    for (const [index, moment] of inOrder.entries()) {
      const shown = changes.findLast(({ atMs }) => atMs <= moment);
      if (!shown) continue;
      const untilMs = inOrder[index + 1] ?? endMs;
      yield { atMs: baseMs + moment - startMs, durationMs: untilMs - moment, jpeg: shown.jpeg };
    }
    baseMs += endMs - startMs;
  }
  const last = changes.at(-1);
  if (last) yield { atMs: baseMs, durationMs: 1, jpeg: last.jpeg };
}
