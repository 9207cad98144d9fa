import type { Readable } from "node:stream";

/** A file that a run is started with. */
export interface GivenFile {
  /** Its name; untrusted. */
  readonly name: string;
  /** Opens its bytes. @throws {ServiceError} `session-unreachable`, `storage-failed`. */
  readonly read: () => Promise<Readable>;
}
