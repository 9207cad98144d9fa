import { pathOf } from "./destination.ts";
import { beside, builtin, createFile, failed, unwritable, type LocalFile } from "./local-file.ts";

/** A folder that is being filled. */
export interface LocalFolder {
  /** Where it will be. */
  readonly path: string;
  /** Makes a file in it. */
  create(name: string): Promise<LocalFile>;
  /** Makes it final. */
  commit(): Promise<void>;
  /** Leaves nothing behind. Never throws. */
  discard(): Promise<void>;
}

/**
 * Begins a folder beside the one that it will be.
 *
 * Only plain files are replaced, and only those whose names say that they may be. What is there is looked at when it begins,
 * and again when it is moved aside to make room; no folder is removed with what is in it.
 *
 * @throws {ClientError} `misuse`, also by `commit`, when nothing can be written there, or something is there that may not be
 * replaced.
 */
export async function openFolder(target: string | URL, isReplaceable: (name: string) => boolean): Promise<LocalFolder> {
  const path = await pathOf(target);
  const fs = await builtin("node:fs/promises");
  const [partial, old] = [beside(path), beside(path)];
  /** Names of the files of a folder; none when it is not there. Throws when one of them may not be replaced. */
  const filesOf = async (folder: string): Promise<string[]> => {
    const there = await fs.readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    if (there.every((entry) => entry.isFile() && isReplaceable(entry.name))) return there.map(({ name }) => name);
    throw new Error("the folder is not empty");
  };
  try {
    await filesOf(path);
    await fs.mkdir(partial);
  } catch (cause) {
    unwritable(cause);
  }
  /** Removes no more than was looked at: what came later stays, and its folder with it. */
  const removeOld = async (files: readonly string[]): Promise<void> => {
    for (const name of files) await fs.unlink(`${old}/${name}`);
    await fs.rmdir(old);
  };
  const swap = async (): Promise<void> => {
    const wasThere = await fs.rename(path, old).then(
      () => true,
      () => false,
    );
    let files: string[];
    try {
      files = await filesOf(old).catch(unwritable);
      await fs.rename(partial, path);
    } catch (error) {
      if (wasThere) await fs.rename(old, path);
      throw error;
    }
    // Of a link to a folder nothing but the link goes.
    await fs.unlink(old).catch(() => removeOld(files).catch(() => undefined));
  };
  return {
    path,
    create: (name) => createFile(fs, `${partial}/${name}`).catch(failed),
    commit: () => swap().catch(failed),
    discard: () => fs.rm(partial, { recursive: true, force: true }).catch(() => undefined),
  };
}
