import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseJournal, type JournalRecord } from "../../src/journal/journal-format.ts";

/** The pictures that were written so far of a session that is being recorded, of its newest chunk. */
export async function readPictures(folder: string): Promise<JournalRecord[]> {
  const journals = (await readdir(folder)).filter((name) => name.endsWith(".journal")).sort();
  const newest = journals.at(-1);
  // One that is complete is encoded and deleted; the next one has begun by then.
  const bytes = newest && (await readFile(join(folder, newest)).catch(() => undefined));
  return bytes ? parseJournal(bytes).filter(({ kind }) => kind === "picture") : [];
}
