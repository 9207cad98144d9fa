import type { Readable } from "node:stream";
import pTimeout from "p-timeout";
import { ServiceError } from "../service-error.ts";
import type { FileIndex, FileRecord } from "../storage/file-index.ts";
import type { FileStore } from "../storage/files/file-store.ts";
import type { FileLimits } from "./file-limits.ts";
import type { FileListParts } from "./file-list.ts";
import { SessionFiles } from "./session-files.ts";

/** Parts of the files of a service. */
export interface FileArchiveParts extends Pick<FileListParts, "index" | "store" | "now" | "onEnd"> {
  /** Limits of each session. */
  readonly limits: FileLimits;
  /** Called with what the system or the store refused, for the log; without a session when it is about several. */
  readonly onFault: (error: unknown, sessionId?: string) => void;
  /** Time between two sweeps for files that are due, in milliseconds. Default: 30,000. */
  readonly sweepMs?: number;
}

/** How long {@link FileArchive.close} waits, in milliseconds: a file system that is lost never answers. */
const closeMs = 5_000;

/** Sessions that one sweep deletes the files of. */
const maxSwept = 100;

/** The files of all sessions: opens those of a new one, gives out those that are kept, and deletes those that are due. */
export class FileArchive {
  readonly #parts: FileArchiveParts;
  readonly #index: FileIndex;
  readonly #store: FileStore;
  /** Sessions whose files were opened here, and can still be added to. */
  readonly #open = new Map<string, SessionFiles>();
  readonly #timer: NodeJS.Timeout;
  #sweep: Promise<void> | undefined;

  constructor(parts: FileArchiveParts) {
    this.#parts = parts;
    this.#index = parts.index;
    this.#store = parts.store;
    this.#timer = setInterval(() => void this.sweep(), parts.sweepMs ?? 30_000).unref();
  }

  /** Opens the files of a new session. @param keptMs - How long they are kept after its end, in milliseconds. */
  open(sessionId: string, keptMs: number): SessionFiles {
    const { limits, index, store, now, onEnd, onFault } = this.#parts;
    const onOwnFault = (error: unknown): void => onFault(error, sessionId);
    const files = new SessionFiles({ sessionId, keptMs, limits, store, index, now, onEnd, onFault: onOwnFault });
    this.#open.set(sessionId, files);
    return files;
  }

  /** Must be called when a session has ended. Never rejects. */
  async settleEnd(sessionId: string): Promise<void> {
    await this.#open.get(sessionId)?.removeArrivals();
    this.#open.delete(sessionId);
  }

  /** The files of a session, open or ended, the oldest first. */
  async list(sessionId: string, hasEnded: boolean): Promise<readonly FileRecord[]> {
    const open = hasEnded ? undefined : this.#open.get(sessionId);
    if (open) return open.all;
    const files = await this.#index.list(sessionId, this.#parts.now());
    return hasEnded ? files.map((file) => (file.state === "in_progress" ? markLost(file) : file)) : files;
  }

  /** Returns the path of an uploaded file for file choosers; null for any other file. */
  findPath(file: FileRecord): string | null {
    return this.#open.get(file.session_id)?.findPath(file) ?? null;
  }

  /**
   * Answers a request for a file, as an attachment.
   *
   * @throws {ServiceError} `session-unreachable` when another node has its bytes, and can't be asked; `storage-failed`.
   */
  async serve(file: FileRecord, request: Request): Promise<Response> {
    const answer = await this.#store.serve(file, request);
    if (answer) return answer;
    throw new ServiceError("session-unreachable", "the node that has this file can't be reached now; try again");
  }

  /**
   * Opens a file that is complete.
   *
   * @throws {ServiceError} `session-unreachable` when another node has its bytes; `storage-failed`.
   */
  async read(file: FileRecord): Promise<Readable> {
    const bytes = await this.#store.read(file);
    if (bytes) return bytes;
    throw new ServiceError("session-unreachable", `another node has the file ${JSON.stringify(file.name)}`);
  }

  /**
   * Deletes the files of a session that has ended.
   *
   * @returns False when it has none.
   * @throws {ServiceError} `storage-failed` when not all could be deleted: nobody gets them all the same, and they are as soon as that can be.
   */
  async delete(sessionId: string): Promise<boolean> {
    const files = await this.#index.list(sessionId, this.#parts.now());
    if (files.length === 0) return false;
    await this.#index.expire(sessionId);
    await this.#remove(sessionId);
    return true;
  }

  /** Deletes what is due. Never rejects. */
  sweep(): Promise<void> {
    this.#sweep ??= this.#sweepOnce()
      .catch((error: unknown) => this.#parts.onFault(error))
      .finally(() => (this.#sweep = undefined));
    return this.#sweep;
  }

  /** Ends the sweeps. Waits for the last one, for 5 seconds at most. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#sweep) await pTimeout(this.#sweep, { milliseconds: closeMs, fallback: () => undefined });
  }

  async #sweepOnce(): Promise<void> {
    const now = this.#parts.now();
    const local = (await this.#store.listLocalSessions())?.filter((id) => !this.#open.has(id));
    const sessions = local && (await this.#index.findKept(local, now));
    const due = local ? local.filter((id) => sessions?.has(id) === false) : await this.#index.listDue(now, maxSwept);
    for (const id of due.slice(0, maxSwept)) await this.#remove(id);
    if (!local) return;
    // Rows of files that were not kept, and of nodes that are gone.
    const rows = await this.#index.listDue(now, maxSwept);
    for (const id of rows) if (!this.#open.has(id)) await this.#index.remove(id);
  }

  async #remove(sessionId: string): Promise<void> {
    await this.#store.delete(sessionId);
    await this.#index.remove(sessionId);
  }
}

/** A file that was in progress when the process that had its session was lost. */
function markLost(file: FileRecord): FileRecord {
  const reason = "the process that had the session was lost before the file was complete";
  return { ...file, size: 0, state: "canceled", reason };
}
