import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { DownloadFeed, PooledContext } from "@cloud-browser/browsers";
import { answered } from "@cloud-browser/recorder";
import pTimeout from "p-timeout";
import { ServiceError } from "../service-error.ts";
import type { FileRecord } from "../storage/file-index.ts";
import { formatBytes } from "./file-limits.ts";
import { FileList, type FileListParts } from "./file-list.ts";
import { makeSafeFileName } from "./file-name.ts";
import { LimitedBytes } from "./limited-bytes.ts";
import { SessionDownloads } from "./session-downloads.ts";

/** How long the end of a session waits for files that are complete, in milliseconds; they are kept all the same, as long as the process lives. */
const endMs = 5_000;

/** How long the system may take for the folder of a session, in milliseconds: a file system that is lost never answers. */
const folderMs = 10_000;

/** Folder of the paths that file choosers are given. It exists for clients only. */
const uploadsRoot = "/session-files";

/** The files of a session that is open: downloads of its pages, and uploads for their file choosers. */
export class SessionFiles {
  readonly #files: FileList;
  /** By the path that clients are given: where an uploaded file is on this machine. */
  readonly #uploads = new Map<string, string>();
  #downloads: SessionDownloads | undefined;
  #folder: string | undefined;
  #hasEnded = false;

  constructor(parts: FileListParts) {
    this.#files = new FileList(parts);
  }

  /** Keeps the downloads of a context from now on. Where the system gives no folder they are canceled, and nothing else fails. */
  async accept(pooled: PooledContext): Promise<void> {
    const { store, sessionId, onFault } = this.#files.parts;
    try {
      const arrivals = store.makeArrivals(sessionId);
      const message = `the folder of files has not answered for ${folderMs / 1_000} s`;
      const folder = await pTimeout(arrivals, { milliseconds: folderMs, message });
      this.#folder = folder;
      const downloads = new SessionDownloads(this.#files, folder, (guid) => pooled.cancelDownload(guid));
      await pooled.acceptDownloads(folder, downloads);
      this.#downloads = downloads;
    } catch (error) {
      onFault(error);
    }
  }

  /** All that there are, those in progress included, the oldest first. */
  get all(): readonly FileRecord[] {
    return this.#files.all;
  }

  /** Its downloads, for clients that drive it; undefined while none are kept. */
  get downloads(): DownloadFeed | undefined {
    return this.#downloads;
  }

  /** Returns where an uploaded file is on this machine, by the path that its uploader was given; undefined for any other path. */
  readonly uploadAt = (path: string): string | undefined => this.#uploads.get(path);

  /**
   * Returns where a complete file of a name is on this machine, for a file chooser; undefined when there is none.
   *
   * @throws {ServiceError} `session-unreachable`, `session-ended`, `storage-failed`; or a system error.
   */
  async findPlace(name: string): Promise<string | undefined> {
    const complete = this.all.filter(({ state }) => state === "complete");
    const file =
      complete.find((one) => one.name === name) ?? complete.find((one) => one.name === makeSafeFileName(name));
    if (!file) return undefined;
    const uploadPath = this.#uploads.get(buildChooserPath(file));
    if (uploadPath !== undefined) return uploadPath;
    // A download: what arrived was moved to the store.
    const bytes = await this.#files.parts.store.read(file);
    if (!bytes) throw new ServiceError("session-unreachable", "its bytes are not on this node");
    const path = join(await this.#makeFolder(), file.name);
    await pipeline(bytes, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    if (this.#hasEnded) throw hasEnded();
    this.#uploads.set(buildChooserPath(file), path);
    return path;
  }

  /** Returns the path of an uploaded file for file choosers; null for any other file. */
  findPath(file: FileRecord): string | null {
    const path = buildChooserPath(file);
    return this.#uploads.has(path) ? path : null;
  }

  /** Returns why a file of some size is too large; undefined when it is not. */
  findRefusal(bytes: number): string | undefined {
    const { fileBytes, totalBytes } = this.#files.parts.limits;
    if (bytes > fileBytes) return `file limit (${formatBytes(fileBytes)}) exceeded`;
    return bytes > this.#files.countBytesLeft()
      ? `limit of the session's files together (${formatBytes(totalBytes)}) exceeded`
      : undefined;
  }

  /**
   * Receives a file for the file choosers of the session's pages.
   *
   * @param suggested - Its name; untrusted.
   * @param whole - Rejects when the request turns out to be malformed, after the file. Default: it is not.
   * @returns The file, or why it is too large.
   * @throws {ServiceError} `busy` when the session may have no more of them, `session-ended`, `storage-failed`; or a system error.
   */
  async upload(
    suggested: string,
    body: Readable,
    whole: Promise<void> = Promise.resolve(),
  ): Promise<FileRecord | { readonly tooLarge: string }> {
    const { sessionId, limits, store, now } = this.#files.parts;
    const folder = await this.#makeFolder();
    const bytes = Math.min(limits.fileBytes, this.#files.countBytesLeft());
    if (this.#files.isFull || bytes <= 0)
      throw new ServiceError("busy", `${this.#files.fullness}; open another session`);
    const giveBack = this.#files.reserve(bytes);
    const limited = new LimitedBytes(bytes);
    const name = this.#files.chooseName(suggested);
    const path = join(folder, name);
    try {
      const target = await answered("the file can't be written", open(path, "wx", 0o600));
      await pipeline(body, limited, target.createWriteStream());
      await whole;
      const file: FileRecord = {
        session_id: sessionId,
        file_id: randomUUID(),
        origin: "upload",
        state: "complete",
        reason: null,
        // Another one may have taken the name meanwhile.
        name: this.#files.chooseName(name),
        size: limited.bytes,
        created_ms: now(),
      };
      if (this.#hasEnded) throw hasEnded();
      await this.#files.keepUntil(
        file.file_id,
        store.keep(file, path).then(() => this.#files.complete(file)),
      );
      if (!this.#hasEnded) this.#uploads.set(buildChooserPath(file), path);
      return file;
    } catch (error) {
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
      if (!limited.isExceeded) throw error;
      return { tooLarge: this.findRefusal(limited.bytes) ?? this.#files.fullness };
    } finally {
      giveBack();
    }
  }

  /** Ends downloads that are in progress, and resolves when those that are complete are kept, or that takes too long. Never rejects. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#downloads?.end();
    this.#uploads.clear();
    await pTimeout(this.#files.settle(), { milliseconds: endMs, fallback: () => undefined });
  }

  /** Removes what is left of files that arrived; to be called when the pages of the session are gone. Never rejects. */
  async removeArrivals(): Promise<void> {
    await this.#files.settle();
    const { store, sessionId } = this.#files.parts;
    if (this.#folder !== undefined) await store.removeArrivals(sessionId);
  }

  /** Makes the folder of one upload: its file has its name there, which pages see. */
  async #makeFolder(): Promise<string> {
    if (this.#hasEnded) throw hasEnded();
    if (this.#folder === undefined) {
      const why = "the session has no folder for files; free disk space, and open another one";
      throw new ServiceError("storage-failed", why);
    }
    const folder = join(this.#folder, `upload-${randomUUID()}`);
    await answered("the file can't be written", mkdir(folder, { mode: 0o700 }));
    return folder;
  }
}

function buildChooserPath({ file_id: id, name }: FileRecord): string {
  return `${uploadsRoot}/${id}/${name}`;
}

function hasEnded(): ServiceError {
  return new ServiceError("session-ended", "the session ended before the file was received");
}
