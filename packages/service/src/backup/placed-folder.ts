import { chmod, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describeStorageError, isAbsence } from "@cloud-browser/recorder";
import { ServiceError } from "../service-error.ts";
import { flushPath } from "./durable-files.ts";

/** Names that file systems create by themselves. */
const ofFileSystems: ReadonlySet<string> = new Set(["lost+found"]);

/** Names of folders that are being filled: the process that does is in it. */
const unfinished = /^(?:\..+|unfinished)\.(?<pid>\d+)\.partial$/u;

/** Returns whether a folder of these names is one that a process was killed in while it filled it, or that one still fills. */
export function isPartlyFilled(names: readonly string[]): boolean {
  return names.some((name) => name.startsWith("unfinished.") && unfinished.test(name));
}

/**
 * Makes a folder for its owner alone of which all is there or nothing. One that does not exist is filled beside its place, and renamed; one
 * that is there and empty, the root of a volume for example, has a folder `unfinished.*.partial` until all is in it.
 *
 * @param path - Of the folder, which does not exist or is empty.
 * @param last - Name of the file without which what is there is nothing.
 * @param fill - Fills a folder, whose files it has brought to the disk.
 * @throws {ServiceError} `usage` when the folder is in use or can't be made; what `fill` throws, or an error of the system. Nothing is left then.
 */
export async function placeFolder<Result>(
  path: string,
  last: string,
  fill: (folder: string) => Promise<Result>,
): Promise<Result> {
  const isThere = await requireEmpty(path);
  const parent = dirname(path);
  if (!isThere) await removeLeftovers(parent, `.${basename(path)}.`);
  const draft = join(
    isThere ? path : parent,
    `${isThere ? "unfinished" : `.${basename(path)}`}.${process.pid}.partial`,
  );
  await makeDraft(draft);
  try {
    const result = await fill(draft);
    await flushFolders(draft);
    if (isThere) await moveInto(draft, path, last);
    else await rename(draft, path);
    // All is there by now; only a machine that loses its power could still lose the name.
    await flushPath(isThere ? path : parent).catch(() => undefined);
    return result;
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/** Returns whether the folder is there. Removes what a killed process has left in it. @throws {ServiceError} `usage` unless it is empty. */
async function requireEmpty(path: string): Promise<boolean> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (isAbsence(error)) return undefined;
    throw new ServiceError("usage", `${path} can't be read (${describeStorageError(error)})`, { cause: error });
  });
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw new ServiceError("usage", `${path} exists and is no folder; give another one`);
  await removeLeftovers(path, "unfinished.");
  const names = (await readdir(path)).filter((name) => !ofFileSystems.has(name));
  if (isPartlyFilled(names))
    throw new ServiceError("usage", `${path} is being filled by another process; if that was killed, empty the folder`);
  if (names.length > 0) throw new ServiceError("usage", `${path} is not empty; give a new folder, or an empty one`);
  return true;
}

/** @throws {ServiceError} `usage` */
async function makeDraft(draft: string): Promise<void> {
  try {
    await mkdir(draft, { mode: 0o700 });
  } catch (cause) {
    const why = `${dirname(draft)} can't be written to (${describeStorageError(cause)})`;
    throw new ServiceError("usage", `${why}; make that folder, or give another one`, { cause });
  }
}

/** Removes what processes have left that were killed while they filled the same folder, unless more than that is there. */
async function removeLeftovers(folder: string, prefix: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (prefix === "unfinished." && names.some((name) => !unfinished.test(name) && !ofFileSystems.has(name))) return;
  for (const name of names) {
    const { pid } = (name.startsWith(prefix) && unfinished.exec(name)?.groups) || {};
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Returns whether another process has a number. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && pid !== process.pid;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Brings the names in all folders of a tree to the disk. */
async function flushFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await flushFolders(join(folder, entry.name));
  await flushPath(folder);
}

/** Moves what is in a draft to the folder that it is in. */
async function moveInto(draft: string, path: string, last: string): Promise<void> {
  // A volume may be somebody else's: what is in it is for its owner alone all the same.
  await chmod(path, 0o700).catch(() => undefined);
  const names = (await readdir(draft)).filter((name) => name !== last);
  const moved: string[] = [];
  try {
    for (const name of [...names, last]) {
      await rename(join(draft, name), join(path, name));
      moved.push(name);
    }
  } catch (error) {
    for (const name of moved) await rm(join(path, name), { recursive: true, force: true });
    throw error;
  }
  await rm(draft, { recursive: true });
}
