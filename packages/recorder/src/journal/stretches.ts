import { segmentMs, type JournalChunk } from "./chunk.ts";
import type { JournalRecord } from "./journal-format.ts";

/** A moment at which the screen changed. */
export interface Change {
  /** Time, in whole milliseconds from the start of the chunk. */
  readonly atMs: number;
  /** The screen from then on, as a JPEG file. */
  readonly jpeg: Uint8Array;
}

/** A part of a chunk that is encoded once. Starts where a segment does. */
export interface Stretch {
  /** Start time, in whole milliseconds from the start of the chunk. */
  readonly startMs: number;
  /** End time, likewise. */
  readonly endMs: number;
  /** Number of repetitions: more than one for a segment that shows a single picture. */
  readonly times: number;
}

/** The changes of the screen in a chunk. The first one is at its start. */
export function findChanges(records: readonly JournalRecord[], { startMs, endMs }: JournalChunk): Change[] {
  return (
    records
      .filter(({ kind, atMs }) => kind === "picture" && atMs < endMs)
      .map(({ atMs, jpeg }, index) => ({ atMs: index === 0 ? 0 : Math.max(atMs - startMs, 0), jpeg }))
      // Of several at one moment only the last can be seen.
      .filter(({ atMs }, index, all) => all[index + 1]?.atMs !== atMs)
  );
}

/**
 * Splits a chunk of a length in milliseconds into parts that differ. Encoding a picture costs the same whether it is new or not;
 * so an equal segment repeats the one before it.
 */
export function splitStretches(changes: readonly Change[], lengthMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  let plainMs = 0;
  const closePlain = (endMs: number): void => {
    if (endMs > plainMs) stretches.push({ startMs: plainMs, endMs, times: 1 });
  };
  const isStill = (startMs: number): boolean =>
    !changes.some(({ atMs }) => atMs > startMs && atMs < startMs + segmentMs);
  const changesAt = (startMs: number): boolean => changes.some(({ atMs }) => atMs === startMs);
  for (let startMs = 0; startMs + segmentMs <= lengthMs;) {
    let endMs = startMs + segmentMs;
    if (isStill(startMs)) {
      while (endMs + segmentMs <= lengthMs && isStill(endMs) && !changesAt(endMs)) endMs += segmentMs;
    }
    const times = (endMs - startMs) / segmentMs;
    if (times > 1) {
      closePlain(startMs);
      stretches.push({ startMs, endMs: startMs + segmentMs, times });
      plainMs = endMs;
    }
    startMs = endMs;
  }
  closePlain(lengthMs);
  return stretches;
}
