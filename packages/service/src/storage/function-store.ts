import type { FunctionRecord } from "@cloud-browser/automation";

/**
 * The functions that the service has made. What can't be written, because the disk is full, say, is known to this process all the
 * same, and written by {@link FunctionStore.flush}: a run that was paid for does not lose its function.
 */
export interface FunctionStore {
  /** Keeps a new function, with the name of its key; null for the key that the service was started with. */
  save(record: FunctionRecord, key?: string | null): Promise<void>;
  /** Keeps a function in place of the one with its id; one that was deleted meanwhile stays so. */
  replace(record: FunctionRecord): Promise<void>;
  /** A function; undefined if the id is unknown, or belongs to another key. */
  get(functionId: string, key?: string | null): Promise<FunctionRecord | undefined>;
  /** The functions of one key, or, when none is named, all; the newest first. */
  list(key?: string | null): Promise<readonly FunctionRecord[]>;
  /**
   * Deletes a function; returns whether there was one of that key.
   *
   * @throws {ServiceError} `storage-failed` when it can't be: it is still there then.
   */
  delete(functionId: string, key?: string | null): Promise<boolean>;
  /**
   * Resolves when every process reads what was saved and replaced: what is not written yet is written first. Rejects when it can't be,
   * and other nodes would read something else; a process that is the only one reads what it knows.
   */
  settled(): Promise<void>;
  /** Writes what could not be written before. Returns why it still can't be, in words; undefined when nothing is left. */
  flush(): Promise<string | undefined>;
}
