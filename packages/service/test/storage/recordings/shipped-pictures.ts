import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseJournal } from "../../../../recorder/src/journal/journal-format.ts";
import type { ObjectStore } from "../../../src/storage/objects/object-store.ts";
import { fetchJournal } from "../../../src/storage/recordings/journal-parts.ts";

/** When the last picture was taken that the bucket has of a session's journal, in milliseconds from its start; undefined when it has none. */
export async function lastPictureMs(objects: ObjectStore, sessionId: string): Promise<number | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "cb-shipped-"));
  try {
    await fetchJournal(objects, sessionId, folder);
    return await lastPictureIn(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The same of a folder in which a session is recorded. */
export async function lastPictureIn(folder: string): Promise<number | undefined> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".journal")).sort();
  const records = await Promise.all(files.map(async (file) => parseJournal(await readFile(join(folder, file)))));
  return records.flat().findLast(({ kind }) => kind === "picture")?.atMs;
}
