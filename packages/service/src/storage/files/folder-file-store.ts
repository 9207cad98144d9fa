import { copyFile, link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { create as attachment } from "content-disposition";
import { answered, isAbsence, serveFile } from "@cloud-browser/recorder";
import type { FileRecord } from "../file-index.ts";
import { Arrivals } from "./arrivals.ts";
import type { FileStore } from "./file-store.ts";

/** Media type of every file: what it claims to be decides nothing. */
export const fileType = "application/octet-stream";

/** Files that stay in a folder of this machine: `kept/<session>/<file>`, while `arriving/<session>` has those that are not complete. */
export class FolderFileStore implements FileStore {
  readonly #folder: string;
  readonly #arrivals: Arrivals;

  private constructor(files: string, arrivals: Arrivals) {
    this.#folder = files;
    this.#arrivals = arrivals;
  }

  /** Opens the store in a folder, which is made if it is not there. @throws A system error. */
  static async open(folder: string): Promise<FolderFileStore> {
    const arrivals = await Arrivals.open(join(folder, "arriving"));
    const files = join(folder, "kept");
    await mkdir(files, { recursive: true, mode: 0o700 });
    return new FolderFileStore(files, arrivals);
  }

  makeArrivals(sessionId: string): Promise<string> {
    return this.#arrivals.make(sessionId);
  }

  removeArrivals(sessionId: string): Promise<void> {
    return this.#arrivals.remove(sessionId);
  }

  async keep(file: FileRecord, path: string): Promise<void> {
    const folder = join(this.#folder, file.session_id);
    await answered("the file can't be kept", mkdir(folder, { recursive: true, mode: 0o700 }));
    try {
      // A second name costs no room; some file systems have none.
      await answered("the file can't be kept", link(path, this.#buildPath(file)));
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      await copyFile(path, this.#buildPath(file));
    }
  }

  async serve(file: FileRecord, request: Request): Promise<Response | undefined> {
    const path = this.#buildPath(file);
    const stats = await answered("the file can't be read", stat(path)).catch((error: unknown) => {
      if (isAbsence(error)) return undefined;
      throw error;
    });
    if (!stats) return undefined;
    const served = { path, size: stats.size, modifiedMs: stats.mtimeMs, type: fileType };
    const answer = await serveFile(request, served);
    answer.headers.set("content-disposition", attachment(file.name));
    return answer;
  }

  async read(file: FileRecord): Promise<Readable | undefined> {
    const handle = await answered("the file can't be read", open(this.#buildPath(file))).catch((error: unknown) => {
      if (isAbsence(error)) return undefined;
      throw error;
    });
    return handle?.createReadStream();
  }

  async delete(sessionId: string): Promise<void> {
    await rm(join(this.#folder, sessionId), { recursive: true, force: true, maxRetries: 3 });
  }

  async listLocalSessions(): Promise<readonly string[]> {
    return readdir(this.#folder);
  }

  #buildPath({ session_id, file_id }: FileRecord): string {
    return join(this.#folder, session_id, file_id);
  }
}

const unsupported: ReadonlySet<unknown> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

function isUnsupported(error: unknown): boolean {
  return error instanceof Error && "code" in error && unsupported.has(error.code);
}
