/** What is known of an object. */
export interface ObjectFacts {
  /** Its key. */
  readonly key: string;
  /** Its length in bytes. */
  readonly size: number;
  /** When it was stored, in milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** An object, or a part of it. */
export interface StoredObject extends ObjectFacts {
  /** Its bytes; they have to be read or cancelled. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Bytes of an object, both ends included; the first one is within it. */
export interface ObjectRange {
  /** First byte, from 0. */
  readonly first: number;
  /** Last byte; what is beyond the end is not given. */
  readonly last: number;
}

/**
 * Files that outlive the machine that made them, by keys: names of letters, digits, `-`, `_` and `.` with slashes between them. An object
 * is there whole or not at all, and what was stored is there once the promise has resolved.
 *
 * Every failure is a `ServiceError` `storage-failed`, a malformed key one of `usage`.
 */
export interface ObjectStore {
  /** Stores an object, in place of the one that has its key. @param type - Its media type. */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>;
  /** Stores a file as an object. */
  putFile(key: string, path: string, type: string): Promise<void>;
  /** Reads an object; undefined when there is none with that key. */
  get(key: string, range?: ObjectRange): Promise<StoredObject | undefined>;
  /** All objects whose keys begin with a folder: `a/b` has `a/b/c`, and not `a/bc`. Ordered by key. */
  list(folder: string): Promise<readonly ObjectFacts[]>;
  /** Deletes all objects of a folder; nothing happens when there is none. */
  deleteAll(folder: string): Promise<void>;
  /**
   * An address from which anybody can read an object until a moment.
   *
   * @param expiresAtMs - In milliseconds since 1970.
   * @returns A secret; undefined when this store gives none, and somebody else has to serve the object.
   */
  presign(key: string, expiresAtMs: number): Promise<string | undefined>;
}
