import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { draftPrefix } from "../encoding/encoder.ts";
import { writeState, type RecordingState } from "./recording-state.ts";

/** Prefix of the names of incomplete folders; no recording has such a name. */
const unfinishedPrefix = `.${draftPrefix}`;

/**
 * Creates the folder of a recording that another machine started: it appears complete or not at all.
 *
 * @param root - Folder of all recordings.
 * @param state - As the other machine knew it last.
 * @param fill - Writes the files of the journal into a folder.
 */
export async function adoptedFolder(
  root: string,
  state: RecordingState,
  fill: (folder: string) => Promise<void>,
): Promise<void> {
  const { sessionId } = state;
  const draft = join(root, unfinishedPrefix + sessionId);
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { mode: 0o700 });
    await fill(draft);
    await writeState(draft, state);
    await rename(draft, join(root, sessionId));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes the leftovers of a process that crashed while it created such folders. */
export async function removeUnfinished(root: string): Promise<void> {
  const left = (await readdir(root)).filter((name) => name.startsWith(unfinishedPrefix));
  await Promise.all(left.map((name) => rm(join(root, name), { recursive: true, force: true })));
}
