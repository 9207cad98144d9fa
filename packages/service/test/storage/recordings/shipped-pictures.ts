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
    const files = (await readdir(folder)).sort();
    const records = await Promise.all(files.map(async (file) => parseJournal(await readFile(join(folder, file)))));
    return records.flat().findLast(({ kind }) => kind === "picture")?.atMs;
  } finally {
    await rm(folder, { recursive: true });
  }
}
