import type { FunctionRecord } from "@cloud-browser/automation";

/**
 * The functions that runs have created. One that can't be written (for example, because the disk is full) stays pending in this process, and
 * is written by {@link FunctionStore.flush}: a run that was paid for does not lose its function.
 */
export interface FunctionStore {
  /** Adds a function, with the name of its key; null for the key that the service was started with. */
  save(record: FunctionRecord, key?: string | null): Promise<void>;
  /** Replaces the function with the same id; does nothing if it was deleted meanwhile. */
  replace(record: FunctionRecord): Promise<void>;
  /** Returns a function; undefined if the id is unknown, or belongs to another key. */
  get(functionId: string, key?: string | null): Promise<FunctionRecord | undefined>;
  /** Returns functions, the newest first: those of one key, or, without a key, all. */
  list(key?: string | null): Promise<readonly FunctionRecord[]>;
  /**
   * Deletes a function; returns whether that key had one with this id.
   *
   * @throws {ServiceError} `storage-failed` when it could not be deleted.
   */
  delete(functionId: string, key?: string | null): Promise<boolean>;
  /**
   * Writes pending functions; resolves when all nodes can read them. Rejects when the store is unavailable; in a store of one process it
   * never does.
   */
  settle(): Promise<void>;
  /** Writes pending functions. Returns the reason when some remain; undefined when none do. */
  flush(): Promise<string | undefined>;
}
