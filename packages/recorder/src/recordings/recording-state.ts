import { fsync } from "node:fs";
import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { draftPrefix } from "../encoding/encoder.ts";

const milliseconds = z.int().nonnegative();

const gapForm = z.object({
  fromMs: milliseconds,
  toMs: milliseconds.optional(),
  reason: z.enum(["write-failed", "size-limit"]),
});

/**
 * Period without pictures, in milliseconds from the start of the session; the replay shows a still picture.
 */
export type Gap = z.infer<typeof gapForm>;

/** Reason why pictures are missing: writing failed, or the recording reached its size limit. */
export type GapReason = Gap["reason"];

const stateForm = z.object({
  version: z.literal(1),
  sessionId: z.string(),
  startedAtMs: milliseconds,
  viewport: z.object({ width: z.int().positive(), height: z.int().positive() }),
  /**
   * Times without pictures, in the order in which they began. One without an end lasts still, or did when the process died.
   */
  gaps: z.array(gapForm).optional(),
  endedAtMs: milliseconds.optional(),
  /** Length of the capture, from the start of the session: the replay lasts until then. */
  lengthMs: milliseconds.optional(),
  deleteAtMs: milliseconds.optional(),
  /** Retention after the end of the session, in milliseconds; absent when the session sets none. */
  retentionMs: milliseconds.optional(),
  stage: z.discriminatedUnion("name", [
    z.object({ name: z.literal("recording") }),
    z.object({ name: z.literal("ended") }),
    z.object({ name: z.literal("finished"), startMs: milliseconds, durationMs: milliseconds }),
    z.object({ name: z.literal("empty") }),
    z.object({ name: z.literal("failed"), why: z.string() }),
    z.object({ name: z.literal("deleted") }),
  ]),
});

/**
 * State of a recording on disk: all that the next start needs beside the journals.
 *
 * - `recording`: the session is open, or its process died.
 * - `ended`: it is captured, and not yet encoded.
 * - `finished`: the replay is complete. `startMs` is its start, relative to that of the session, `durationMs` its duration.
 * - `empty`: the session showed nothing that could be captured, its only page closed at once, say.
 * - `failed`: what there was of it can't be read.
 * - `deleted`: its time is over, or it was deleted before; only this is left.
 */
export type RecordingState = z.infer<typeof stateForm>;

const stateFile = "recording.json";
const flush = promisify(fsync);

/** Writes a state so that either the old or the new one is there, whenever the process dies. */
export async function writeState(folder: string, state: RecordingState): Promise<void> {
  const draft = join(folder, `${draftPrefix}${randomUUID()}.json`);
  try {
    const file = await open(draft, "wx");
    try {
      await file.writeFile(JSON.stringify(state));
      // Not `file.sync`: under Yarn Plug'n'Play it is not implemented.
      await flush(file.fd);
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, stateFile));
  } catch (error) {
    // What is left of it takes room that the next one needs.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Codes of errors that say nothing of a file: the process lacks handles or memory for now. */
const passing: ReadonlySet<unknown> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"]);

/**
 * Reads the state file of a recording folder. Returns undefined if the file is missing or unreadable.
 *
 * @throws {Error} When the process lacks handles or memory: that says nothing of the file.
 */
export async function readState(folder: string): Promise<RecordingState | undefined> {
  try {
    return stateForm.parse(JSON.parse(await readFile(join(folder, stateFile), "utf8")));
  } catch (error) {
    if (error instanceof Error && "code" in error && passing.has(error.code)) throw error;
    return undefined;
  }
}

/** Creates a state for a folder whose state can't be read: it is deleted like all others, counted from its last change. */
export async function unreadableState(folder: string, sessionId: string, retentionMs: number): Promise<RecordingState> {
  const changedMs = Math.round((await stat(folder)).mtimeMs);
  return {
    version: 1,
    sessionId,
    startedAtMs: changedMs,
    viewport: { width: 16, height: 16 },
    endedAtMs: changedMs,
    deleteAtMs: changedMs + retentionMs,
    stage: { name: "failed", why: "its state could not be read" },
  };
}
