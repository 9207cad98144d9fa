import { randomUUID } from "node:crypto";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { draftPrefix } from "./encoder.ts";

const milliseconds = z.int().nonnegative();

const stateForm = z.object({
  version: z.literal(1),
  sessionId: z.string(),
  startedAtMs: milliseconds,
  viewport: z.object({ width: z.int().positive(), height: z.int().positive() }),
  /** Why less was captured than happened. */
  short: z.string().optional(),
  endedAtMs: milliseconds.optional(),
  deleteAtMs: milliseconds.optional(),
  stage: z.discriminatedUnion("name", [
    z.object({ name: z.literal("recording") }),
    z.object({ name: z.literal("ended") }),
    z.object({ name: z.literal("finished"), startMs: milliseconds, durationMs: milliseconds }),
    z.object({ name: z.literal("failed"), why: z.string() }),
    z.object({ name: z.literal("deleted") }),
  ]),
});

/**
 * What is known of a recording: all that the next start needs beside the journals.
 *
 * - `recording`: the session is open, or its process died.
 * - `ended`: it is captured, and not yet encoded.
 * - `finished`: the replay is there. `startMs` is when it starts after the session did, `durationMs` how long it plays.
 * - `failed`: nothing was captured.
 * - `deleted`: its time is over; only this is left.
 *
 * Source: ours.
 */
export type RecordingState = z.infer<typeof stateForm>;

const stateFile = "recording.json";

/** Writes a state so that either the old or the new one is there, whenever the process dies. Source: ours. */
export async function writeState(folder: string, state: RecordingState): Promise<void> {
  const draft = join(folder, `${draftPrefix}${randomUUID()}.json`);
  const file = await open(draft, "wx");
  try {
    await file.writeFile(JSON.stringify(state));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, stateFile));
}

/** The state in a folder; undefined when there is none that can be read. Source: ours. */
export async function readState(folder: string): Promise<RecordingState | undefined> {
  try {
    return stateForm.parse(JSON.parse(await readFile(join(folder, stateFile), "utf8")));
  } catch {
    return undefined;
  }
}
