import { open, rm, type FileHandle } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { ServiceError } from "../service-error.ts";
import { copyDatabase } from "../storage/sqlite/copy-database.ts";

/** A copy of the records, to be read once. */
export interface RecordsCopy {
  /** Its size in bytes. */
  readonly size: number;
  /** A file of SQLite. */
  readonly bytes: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Makes copies of the records of a running service, which no other process can read. */
export class RecordsCopies {
  readonly #database: DatabaseSync;
  readonly #path: string;
  #isCopying = false;

  /**
   * @param database - The records.
   * @param path - Where a copy is while it is made. What a process that was killed left there is removed with the next one.
   */
  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    this.#path = path;
  }

  /**
   * Copies the records of one moment. The copy has no name, and goes when it was read, or whoever reads it has gone.
   *
   * @throws {ServiceError} `busy` while another copy is made. @throws An error of the system or of SQLite.
   */
  async make(): Promise<RecordsCopy> {
    if (this.#isCopying) throw new ServiceError("busy", "another copy of the records is being made; try again");
    this.#isCopying = true;
    try {
      await this.#remove();
      await copyDatabase(this.#database, this.#path);
      const file = await open(this.#path, "r");
      const { size } = await file.stat();
      return { size, bytes: streamFile(file) };
    } finally {
      await this.#remove().catch(() => undefined);
      this.#isCopying = false;
    }
  }

  async #remove(): Promise<void> {
    for (const end of ["", "-wal", "-shm", "-journal"]) await rm(this.#path + end, { force: true });
  }
}

const chunkBytes = 2 ** 18;

/** Reads a file to its end, and closes it, also when whoever reads has gone. */
function streamFile(file: FileHandle): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull: async (controller) => {
      const { bytesRead, buffer } = await file.read(new Uint8Array(chunkBytes), 0, chunkBytes);
      if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead));
      await file.close();
      controller.close();
    },
    cancel: () => file.close(),
  });
}
