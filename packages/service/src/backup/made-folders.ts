import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Makes the folders that a file of a backup is in, for their owner alone. @throws An error of the system. */
export async function makeFolders(root: string, path: string): Promise<void> {
  await mkdir(join(root, dirname(path)), { recursive: true, mode: 0o700 });
}
