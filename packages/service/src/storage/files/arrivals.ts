import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** Folders in which the files of sessions arrive, each removed with its session. */
export class Arrivals {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder of those folders, and empties it: what an earlier process left is of no session. @throws A system error. */
  static async open(folder: string): Promise<Arrivals> {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new Arrivals(folder);
  }

  /** Makes that of a session. @throws A system error. */
  async make(sessionId: string): Promise<string> {
    const folder = join(this.#folder, sessionId);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  }

  /** Removes that of a session. Never rejects. */
  async remove(sessionId: string): Promise<void> {
    await rm(join(this.#folder, sessionId), { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}
