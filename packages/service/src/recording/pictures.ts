import type { Chunk } from "./chunk.ts";
import type { JournalRecord } from "./journal-format.ts";
import type { Picture } from "./matroska.ts";

/** At least so often a picture comes again when nothing changes, in milliseconds: players and segments need it. */
const repeatMs = 2_000;

/**
 * The pictures of one chunk as a video shows them: each from its moment to the next one, repeated on every second
 * full second, so that there is one exactly where a segment starts. The last one stands on the end itself:
 * encoders guess how long their last picture shows, and that one is left out when the chunks are joined.
 *
 * Source: ours.
 */
export function* picturesOf(records: readonly JournalRecord[], { startMs, endMs }: Chunk): Generator<Picture> {
  const changes = records
    .filter(({ kind, atMs }) => kind === "picture" && atMs < endMs)
    .map(({ atMs, jpeg }) => ({ atMs: Math.max(atMs - startMs, 0), jpeg }))
    // Of several at one moment only the last can be seen.
    .filter(({ atMs }, index, all) => all[index + 1]?.atMs !== atMs);
  const lengthMs = endMs - startMs;
  for (const [index, { atMs, jpeg }] of changes.entries()) {
    let fromMs = index === 0 ? 0 : atMs;
    const untilMs = changes[index + 1]?.atMs ?? lengthMs;
    while (fromMs < untilMs) {
      const nextMs = Math.min(untilMs, fromMs - (fromMs % repeatMs) + repeatMs);
      yield { atMs: fromMs, durationMs: nextMs - fromMs, jpeg };
      fromMs = nextMs;
    }
  }
  const last = changes.at(-1);
  if (last) yield { atMs: lengthMs, durationMs: 1, jpeg: last.jpeg };
}
