import type { FunctionRecord } from "@cloud-browser/automation";

/**
 * The functions that the service has made. What can't be written, because the disk is full, say, is known to this process all the
 * same, and written by {@link FunctionStore.flush}: a run that was paid for does not lose what it made.
 */
export interface FunctionStore {
  /** Keeps a new function. */
  save(record: FunctionRecord): Promise<void>;
  /** Keeps a function in place of the one with its id; one that was deleted meanwhile stays so. */
  replace(record: FunctionRecord): Promise<void>;
  /** A function; undefined when there is none with that id. */
  get(functionId: string): Promise<FunctionRecord | undefined>;
  /** All functions, the newest first. */
  list(): Promise<readonly FunctionRecord[]>;
  /**
   * Forgets a function; tells whether there was one.
   *
   * @throws {ServiceError} `storage-failed` when it can't be: it is still there then.
   */
  delete(functionId: string): Promise<boolean>;
  /** Writes what could not be written before. Returns why it still can't be, in words; undefined when nothing is left. */
  flush(): Promise<string | undefined>;
}
