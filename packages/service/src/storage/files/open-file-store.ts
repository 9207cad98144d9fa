import type { ObjectStore } from "../objects/object-store.ts";
import { BucketFileStore } from "./bucket-file-store.ts";
import type { FileStore } from "./file-store.ts";
import { FolderFileStore } from "./folder-file-store.ts";

/**
 * Opens the store of the files of sessions: where the recordings are.
 *
 * @param folder - Of this machine: for the files, or for those that arrive.
 * @param objects - The bucket; undefined for the folder.
 * @throws A system error.
 */
export function openFileStore(folder: string, objects: ObjectStore | undefined): Promise<FileStore> {
  return objects ? BucketFileStore.open(objects, folder) : FolderFileStore.open(folder);
}
