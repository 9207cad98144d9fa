import type { Readable } from "node:stream";
import type { FileRecord } from "../file-index.ts";

/** The bytes of the files of sessions, wherever they are kept. */
export interface FileStore {
  /**
   * Makes the folder on this machine in which the files of a session arrive. It is on the file system of those that are kept here.
   *
   * @throws A system error.
   */
  makeArrivals(sessionId: string): Promise<string>;
  /** Removes that folder, with all that is in it. Never rejects: what can't be removed is at the next start. */
  removeArrivals(sessionId: string): Promise<void>;
  /**
   * Keeps a file that has arrived. It stays where it is, and may be removed there.
   *
   * @param path - Where it is, in the folder of the session. It is not changed any more.
   * @throws {ServiceError} `storage-failed`, or a system error.
   */
  keep(file: FileRecord, path: string): Promise<void>;
  /**
   * Answers a GET or HEAD for a file, as an attachment: with its bytes, or the part that `Range` asks for, or by a redirect to a presigned URL.
   * Undefined when its bytes are not here.
   *
   * @throws {ServiceError} `storage-failed`.
   */
  serve(file: FileRecord, request: Request): Promise<Response | undefined>;
  /**
   * Opens a file; undefined when its bytes are not here.
   *
   * @throws {ServiceError} `storage-failed`, or a system error.
   */
  read(file: FileRecord): Promise<Readable | undefined>;
  /** Deletes the files of a session. @throws {ServiceError} `storage-failed`, or a system error. */
  delete(sessionId: string): Promise<void>;
  /** Sessions whose files are on this machine; undefined where every process has all of them. */
  listLocalSessions(): Promise<readonly string[] | undefined>;
}
