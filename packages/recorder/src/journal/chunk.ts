import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJournal } from "./journal-format.ts";

/** A part of a recording that is encoded separately, named by its start. */
export interface JournalChunk {
  /** Start time, in whole milliseconds from the start of the session. */
  readonly startMs: number;
  /** End time, likewise: the start of the next one. */
  readonly endMs: number;
}

/** Distance of key frames and length of the segments of a playlist, in milliseconds: chunks start on it, too. */
export const segmentMs = 4_000;

/** Shortest time that the last picture and the last segment of a recording show, in milliseconds. */
export const lastPictureMs = 100;

const namePattern = /^chunk-(\d{12})\.(journal|mp4)$/u;

/** Name of the file that holds a chunk as it was captured, or as it was encoded. */
export function chunkFile(startMs: number, form: "journal" | "mp4"): string {
  return `chunk-${String(startMs).padStart(12, "0")}.${form}`;
}

/**
 * Finds the chunks in a folder from its files alone, so that it works after a crash.
 * A chunk without a complete picture is skipped; the one before it lasts longer.
 *
 * @param untilMs - When the session ended, in milliseconds from its start: the last chunk lasts until then, also when the end of
 * its journal could not be written. Default: it lasts as long as its journal says.
 */
export async function chunksIn(folder: string, untilMs = 0): Promise<JournalChunk[]> {
  const forms = new Map<number, Set<string>>();
  for (const name of await readdir(folder)) {
    const [, start, form] = namePattern.exec(name) ?? [];
    if (start === undefined || form === undefined) continue;
    const startMs = Number(start);
    forms.set(startMs, (forms.get(startMs) ?? new Set()).add(form));
  }
  const starts: number[] = [];
  let endMs = 0;
  for (const [startMs, found] of [...forms].sort(([a], [b]) => a - b)) {
    const path = join(folder, chunkFile(startMs, "journal"));
    const records = found.has("journal") ? parseJournal(await readFile(path)) : [];
    if (!found.has("mp4") && !records.some(({ kind }) => kind === "picture")) continue;
    starts.push(startMs);
    const lastMs = records.reduce(
      (last, { kind, atMs }) => Math.max(last, kind === "picture" ? atMs + lastPictureMs : atMs),
      0,
    );
    endMs = Math.max(endMs, lastMs, startMs + lastPictureMs);
  }
  const lastMs = withLastSegment(Math.max(endMs, untilMs), starts.at(-1) ?? 0);
  return starts.map((startMs, index) => ({ startMs, endMs: starts[index + 1] ?? lastMs }));
}

/** The end of a chunk, later where its last segment would be shorter than players take. */
function withLastSegment(endMs: number, startMs: number): number {
  const shownMs = (endMs - startMs) % segmentMs;
  return shownMs === 0 ? endMs : endMs + Math.max(0, lastPictureMs - shownMs);
}
