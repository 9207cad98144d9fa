import { mkdir, readdir, stat, truncate } from "node:fs/promises";
import { join } from "node:path";
import { Journal } from "../../src/journal/journal.ts";
import { recordHead } from "../../src/journal/journal-format.ts";
import { writeState } from "../../src/recordings/recording-state.ts";

/** Pictures by their moments, in milliseconds from the start of the session. */
export type Moments = readonly (readonly [atMs: number, jpeg: Uint8Array])[];

/** The entry that a process that dies does not write. */
const endBytes = recordHead({ kind: "end", atMs: 0, jpeg: new Uint8Array() }).length;

/** What a process leaves that records a session and dies: a folder with a journal that does not end. */
export async function leaveBehind(
  folder: string,
  id: string,
  startedAtMs: number,
  moments: Moments,
  { chunkMs, retentionMs }: { readonly chunkMs?: number; readonly retentionMs?: number } = {},
): Promise<string> {
  const own = join(folder, id);
  await mkdir(own, { recursive: true });
  const viewport = { width: 320, height: 180 };
  await writeState(own, {
    version: 1,
    sessionId: id,
    startedAtMs,
    viewport,
    ...(retentionMs !== undefined && { retentionMs }),
    stage: { name: "recording" },
  });
  const journal = new Journal({ folder: own, onChunk: () => undefined, ...(chunkMs === undefined ? {} : { chunkMs }) });
  for (const [atMs, jpeg] of moments) await (jpeg.length > 0 ? journal.picture(atMs, jpeg) : journal.still(atMs));
  await journal.end(moments.at(-1)?.[0] ?? 0);
  const last = (await readdir(own))
    .filter((file) => file.endsWith(".journal"))
    .sort()
    .at(-1);
  if (last !== undefined) await truncate(join(own, last), (await stat(join(own, last))).size - endBytes);
  return own;
}

/** A moment at which the screen was as before. */
export const still = new Uint8Array();
