import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isAbsence } from "@cloud-browser/recorder";
import { readPieces, writeDurably } from "./durable-files.ts";
import { isBackupPath, type BackupFile } from "./manifest.ts";
import { makeFolders } from "./made-folders.ts";

/** Files that were copied of a folder of recordings. */
export interface CopiedRecordings {
  /** Files of the backup. */
  readonly files: readonly BackupFile[];
  /** Sessions whose recording was copied; those whose recording was deleted before are not among them. */
  readonly finished: readonly string[];
  /** Sessions whose recording is still made, and was left out. */
  readonly unfinished: readonly string[];
  /** Sessions whose recording was deleted while it was copied. */
  readonly deleted: readonly string[];
}

/** Where recordings are copied from, and where to. */
export interface RecordingPaths {
  /** Folder of the recordings. */
  readonly from: string;
  /** Folder of the backup. */
  readonly to: string;
}

const stateFile = "recording.json";

/** Stages in which the files of a recording do not change any more. */
const finalStages: ReadonlySet<string | undefined> = new Set(["finished", "empty", "failed", "deleted"]);

/** Ids of the recordings in a folder; none where there is no folder. */
export async function listRecordings(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isAbsence(error)) return [];
    throw error;
  });
  return entries.flatMap((entry) =>
    entry.isDirectory() && isBackupPath(buildRecordingPath(entry.name)) ? entry.name : [],
  );
}

/**
 * Copies recordings. While a service runs, those that are still made, or are deleted meanwhile, are left out.
 *
 * @param ids - Of the recordings.
 * @param isRunning - True when a service may change them.
 * @throws An error of the system, or the reason of the signal.
 */
export async function copyRecordings(
  paths: RecordingPaths,
  ids: readonly string[],
  isRunning: boolean,
  signal: AbortSignal,
): Promise<CopiedRecordings> {
  const copied = {
    files: [] as BackupFile[],
    finished: [] as string[],
    unfinished: [] as string[],
    deleted: [] as string[],
  };
  for (const id of ids) {
    signal.throwIfAborted();
    const before = await readStage(join(paths.from, id));
    if (isRunning && !finalStages.has(before)) {
      copied[before === undefined ? "deleted" : "unfinished"].push(id);
      continue;
    }
    // Of one that was deleted nothing is kept but that it was.
    const isKept = before !== "deleted";
    const files = await copyOne(paths, id, isKept, signal).catch((error: unknown) => {
      if (isRunning && isAbsence(error)) return undefined;
      throw error;
    });
    const isSame = !isRunning || (await readStage(join(paths.from, id))) === before;
    if (files && isSame) {
      if (isKept) copied.finished.push(id);
      copied.files.push(...files);
    } else {
      copied.deleted.push(id);
      await rm(join(paths.to, "recordings", id), { recursive: true, force: true });
    }
  }
  return copied;
}

/** Name of the stage that a recording is in; undefined when it is not there, or has no state that can be read. */
async function readStage(folder: string): Promise<string | undefined> {
  const text = await readFile(join(folder, stateFile), "utf8").catch((error: unknown) => {
    if (isAbsence(error)) return "{}";
    throw error;
  });
  try {
    const { stage }: { stage?: unknown } = Object(JSON.parse(text));
    const { name }: { name?: unknown } = Object(stage);
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

async function copyOne(
  { from, to }: RecordingPaths,
  id: string,
  isKept: boolean,
  signal: AbortSignal,
): Promise<readonly BackupFile[]> {
  const names = await readdir(join(from, id), { withFileTypes: true, recursive: true });
  const files: BackupFile[] = [];
  for (const entry of names) {
    if (!entry.isFile()) continue;
    const inner = join(entry.parentPath, entry.name).slice(join(from, id).length + 1);
    const path = `recordings/${id}/${inner}`;
    if (!isBackupPath(path) || !(isKept || inner === stateFile)) continue;
    await makeFolders(to, path);
    files.push({ path, ...(await writeDurably(join(to, path), readPieces(join(from, id, inner)), signal)) });
  }
  return files;
}

function buildRecordingPath(id: string): string {
  return `recordings/${id}/${stateFile}`;
}
