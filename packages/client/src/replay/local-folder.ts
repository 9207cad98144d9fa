import { resolvePath } from "./destination.ts";
import {
  builtin,
  createFile,
  throwDownloadError,
  keepMode,
  readFileMode,
  unwritable,
  type LocalFile,
} from "./local-file.ts";
import { createPartialPath } from "./partial-path.ts";

/** A folder that is being filled. */
export interface LocalFolder {
  /** Its final path. */
  readonly path: string;
  /** Creates a file in it. */
  create(name: string): Promise<LocalFile>;
  /** Renames it to its final path. */
  commit(): Promise<void>;
  /** Removes it. Never throws. */
  discard(): Promise<void>;
}

/**
 * Creates a folder beside its final path.
 *
 * Only regular files with replaceable names are replaced. The existing folder is checked at the start, and again after it was
 * moved aside for the new one; folders are never removed recursively.
 *
 * @throws {ClientError} `misuse`, also from `commit`, when the path is not writable, or the existing folder has other files.
 */
export async function createLocalFolder(
  target: string | URL,
  isReplaceable: (name: string) => boolean,
): Promise<LocalFolder> {
  const path = await resolvePath(target);
  const fs = await builtin("node:fs/promises");
  const { path: partial, release } = await createPartialPath(path);
  // What was there before is no part of a download, which the next one may remove.
  const old = partial.replace(/part$/, "old");
  /** Lists the files of a folder, if it exists. Throws when one of them must not be replaced. */
  const readFiles = async (folder: string): Promise<string[]> => {
    const there = await fs.readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    if (there.every((entry) => entry.isFile() && isReplaceable(entry.name))) return there.map(({ name }) => name);
    throw new Error("the folder is not empty");
  };
  try {
    await readFiles(path);
    await fs.mkdir(partial);
    await keepMode(fs, partial, await readFileMode(fs, path));
  } catch (cause) {
    release();
    unwritable(cause);
  }
  /** Removes only the files that were checked: others that were added later are kept, with their folder. */
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
      files = await readFiles(old).catch(unwritable);
      await fs.rename(partial, path);
    } catch (error) {
      if (wasThere) await fs.rename(old, path);
      throw error;
    }
    // If it is a symbolic link, only the link is removed.
    await fs.unlink(old).catch(() => removeOld(files).catch(() => undefined));
  };
  return {
    path,
    create: (name) => createFile(fs, `${partial}/${name}`, `${path}/${name}`).catch(throwDownloadError),
    commit: () => swap().then(release, throwDownloadError),
    async discard() {
      await fs.rm(partial, { recursive: true, force: true }).catch(() => undefined);
      release();
    },
  };
}
