import { join } from "node:path";
import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { create as attachment } from "content-disposition";
import type { FileRecord } from "../file-index.ts";
import type { ObjectStore } from "../objects/object-store.ts";
import { Arrivals } from "./arrivals.ts";
import type { FileStore } from "./file-store.ts";
import { fileType } from "./folder-file-store.ts";

/** How long a presigned URL is valid, in milliseconds: a download begins at once. */
const urlTtlMs = 300_000;

/** Files in a bucket: `files/<session>/<file>`. They arrive in a folder of this machine. */
export class BucketFileStore implements FileStore {
  readonly #objects: ObjectStore;
  readonly #arrivals: Arrivals;

  private constructor(objects: ObjectStore, arrivals: Arrivals) {
    this.#objects = objects;
    this.#arrivals = arrivals;
  }

  /** Opens the store. @param folder - For files that arrive. @throws A system error. */
  static async open(objects: ObjectStore, folder: string): Promise<BucketFileStore> {
    return new BucketFileStore(objects, await Arrivals.open(join(folder, "arriving")));
  }

  makeArrivals(sessionId: string): Promise<string> {
    return this.#arrivals.make(sessionId);
  }

  removeArrivals(sessionId: string): Promise<void> {
    return this.#arrivals.remove(sessionId);
  }

  async keep(file: FileRecord, path: string): Promise<void> {
    await this.#objects.putFile(buildKey(file), path, fileType, attachment(file.name));
  }

  async serve(file: FileRecord): Promise<Response> {
    // oxlint-disable-next-line no-restricted-properties -- a presigned URL has a moment of its end
    const expiresAtMs = await this.#objects.presignableUntil(Date.now() + urlTtlMs);
    const [location = ""] = await this.#objects.presign([buildKey(file)], expiresAtMs);
    const headers = { location, "cache-control": "no-store", "referrer-policy": "no-referrer" };
    return new Response(null, { status: 307, headers });
  }

  async read(file: FileRecord): Promise<Readable | undefined> {
    const object = await this.#objects.get(buildKey(file));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same class of Node.js, which its types declare twice
    return object && Readable.fromWeb(object.body as NodeReadableStream<Uint8Array>);
  }

  async delete(sessionId: string): Promise<void> {
    await this.#objects.deleteAll(`files/${sessionId}`);
  }

  async listLocalSessions(): Promise<undefined> {
    return undefined;
  }
}

function buildKey({ session_id, file_id }: FileRecord): string {
  return `files/${session_id}/${file_id}`;
}
