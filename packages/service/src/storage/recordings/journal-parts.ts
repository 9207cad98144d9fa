import { appendFile, open } from "node:fs/promises";
import { join } from "node:path";
import type { ObjectStore } from "../objects/object-store.ts";

/** Folder of all that the store has of a recording. */
export const buildRecordingFolder = (sessionId: string): string => `recordings/${sessionId}`;

/** Folder of the journal in it: for each file a folder, and in that the parts, by the offset of their first byte. */
export const buildJournalFolder = (sessionId: string): string => `${buildRecordingFolder(sessionId)}/journal`;

const digits = 12;

/** Key of the part of a file of a journal that begins at an offset. */
export function buildPartKey(sessionId: string, file: string, offset: number): string {
  return `${buildJournalFolder(sessionId)}/${file}/${String(offset).padStart(digits, "0")}`;
}

/** Reads part of a file; less than was asked for when that is all that there is. */
export async function readFilePart(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Writes the files of a journal from the parts that were shipped of them. Of each file it takes what hangs together from its beginning on.
 *
 * @param folder - Where to; there already.
 */
export async function fetchJournal(objects: ObjectStore, sessionId: string, folder: string): Promise<void> {
  const sizes = new Map<string, number>();
  for (const { key } of await objects.list(buildJournalFolder(sessionId))) {
    // Whoever may write to the bucket does not choose where files are written here.
    const [, file, offset] = /\/(chunk-\d{12}\.journal|timeline\.jsonl)\/(\d{12})$/u.exec(key) ?? [];
    if (file === undefined || Number(offset) !== (sizes.get(file) ?? 0)) continue;
    const part = await objects.get(key);
    if (!part) continue;
    for await (const bytes of part.body) {
      await appendFile(join(folder, file), bytes, { mode: 0o600 });
      sizes.set(file, (sizes.get(file) ?? 0) + bytes.length);
    }
  }
}
