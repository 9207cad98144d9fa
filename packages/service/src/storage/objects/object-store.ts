/** Metadata of an object. */
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
  /** Last byte; bytes beyond the end are not returned. */
  readonly last: number;
}

/**
 * Files that outlive the machine that made them, by keys: names of letters, digits, `-`, `_` and `.` with slashes between them. An object
 * is stored completely or not at all; it is durable once the promise has resolved.
 *
 * Every failure is a `ServiceError` `storage-failed`, a malformed key one of `usage`.
 */
export interface ObjectStore {
  /** Stores an object, in place of the one that has its key. @param type - Its media type. */
  put(key: string, bytes: Uint8Array, type: string): Promise<void>;
  /** Stores a file as an object. @param disposition - `Content-Disposition` that it is served with. Default: none. */
  putFile(key: string, path: string, type: string, disposition?: string): Promise<void>;
  /** Reads an object; undefined if the key is unknown. */
  get(key: string, range?: ObjectRange): Promise<StoredObject | undefined>;
  /** All objects whose keys begin with a folder: `a/b` has `a/b/c`, and not `a/bc`. Ordered by key. */
  list(folder: string): Promise<readonly ObjectFacts[]>;
  /** Deletes all objects of a folder; does nothing if there is none. */
  deleteAll(folder: string): Promise<void>;
  /**
   * The latest possible expiry of presigned URLs made now, in milliseconds since 1970: a whole second, not after `wishedMs`.
   * Credentials that expire, and the longest life that a signature allows, bound it.
   */
  presignableUntil(wishedMs: number): Promise<number>;
  /**
   * Presigned URLs of objects, there or not: from each anybody can read its object until a moment. Secrets.
   *
   * @param expiresAtMs - As {@link presignableUntil} gives it.
   */
  presign(keys: readonly string[], expiresAtMs: number): Promise<readonly string[]>;
}
