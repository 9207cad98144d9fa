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
 * @throws {ClientError} `misuse` when nothing can be written there, or something is there that may not be replaced.
 */
export async function openFolder(target: string | URL, isReplaceable: (name: string) => boolean): Promise<LocalFolder> {
  const path = await pathOf(target);
  const fs = await builtin("node:fs/promises");
  const [partial, old] = [beside(path), beside(path)];
  try {
    const there = await fs.readdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    if (!there.every(isReplaceable)) throw new Error("there is something in the folder already");
    await fs.mkdir(partial);
  } catch (cause) {
    throw unwritable(cause);
  }
  const remove = (folder: string): Promise<void> =>
    fs.rm(folder, { recursive: true, force: true }).catch(() => undefined);
  const swap = async (): Promise<void> => {
    const wasThere = await fs.rename(path, old).then(
      () => true,
      () => false,
    );
    try {
      await fs.rename(partial, path);
    } catch (error) {
      if (wasThere) await fs.rename(old, path);
      throw error;
    }
    await remove(old);
  };
  return {
    path,
    create: (name) => createFile(fs, `${partial}/${name}`).catch(failed),
    commit: () => swap().catch(failed),
    discard: () => remove(partial),
  };
}
