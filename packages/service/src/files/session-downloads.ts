import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BegunDownload, DownloadEvent, DownloadFeed, PageDownloadState } from "@cloud-browser/browsers";
import { answered, describeStorageError } from "@cloud-browser/recorder";
import type { FileRecord } from "../storage/file-index.ts";
import { formatBytes } from "./file-limits.ts";
import type { FileList } from "./file-list.ts";

const interrupted = "the page, a client, the network or the disk of the browser ended it";

/** The downloads of a session: holds them to the limits, keeps those that are complete, and tells its clients. */
export class SessionDownloads implements DownloadFeed {
  readonly #files: FileList;
  readonly #folder: string;
  readonly #cancel: (guid: string) => void;
  readonly #listeners = new Set<(event: DownloadEvent) => void>();
  /** By guid, why a download that is being canceled was refused. */
  readonly #refusals = new Map<string, string>();
  #hasEnded = false;

  /**
   * @param folder - In which the browser puts them, each under its guid.
   * @param cancel - Cancels one in the browser.
   */
  constructor(files: FileList, folder: string, cancel: (guid: string) => void) {
    this.#files = files;
    this.#folder = folder;
    this.#cancel = cancel;
  }

  watch(listener: (event: DownloadEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  cancel(guid: string): boolean {
    if (this.#files.get(guid)?.state !== "in_progress" && !this.#refusals.has(guid)) return false;
    this.#cancel(guid);
    return true;
  }

  /** Handles the beginning of a download. */
  readonly onBegin = (download: BegunDownload): void => {
    const { guid, suggestedFilename } = download;
    if (this.#hasEnded || this.#files.get(guid)) return;
    const file: FileRecord = {
      session_id: this.#files.parts.sessionId,
      file_id: guid,
      origin: "download",
      state: "in_progress",
      reason: null,
      name: this.#files.chooseName(suggestedFilename),
      size: 0,
      created_ms: this.#files.parts.now(),
    };
    if (this.#files.isFull) {
      this.#files.drop(file, "failed", this.#files.fullness);
      this.#stop(guid, this.#files.fullness);
    } else this.#files.begin(file);
    this.#emit({ method: "downloadWillBegin", params: { ...download } });
  };

  /** Handles the progress of a download. */
  readonly onProgress = (progress: PageDownloadState): void => {
    const { guid, state } = progress;
    if (this.#hasEnded) return;
    const file = this.#files.get(guid);
    const reason = this.#refusals.get(guid);
    if (state !== "inProgress") this.#refusals.delete(guid);
    if (file?.state !== "in_progress") {
      if (state !== "inProgress" && reason !== undefined) this.#emitEnd(progress, reason);
    } else if (state === "inProgress") this.#onBytes(file, progress);
    else if (state === "completed") void this.#files.keepUntil(guid, this.#keep(file, progress));
    else {
      this.#files.drop(file, reason === undefined ? "canceled" : "failed", reason ?? interrupted);
      this.#emitEnd(progress, reason);
    }
  };

  /** Ends those that are in progress; the browser does so, too, as its pages go. */
  end(): void {
    this.#hasEnded = true;
    for (const file of this.#files.all) {
      if (file.state !== "in_progress" || this.#files.isKeeping(file.file_id)) continue;
      this.#files.drop(file, "canceled", "the session ended before the download was complete");
    }
  }

  #onBytes(file: FileRecord, progress: PageDownloadState): void {
    const { guid, receivedBytes, totalBytes } = progress;
    this.#files.show({ ...file, size: receivedBytes });
    this.#emit({ method: "downloadProgress", params: { ...progress }, isFinal: false });
    const reason = this.#findExcess(file, Math.max(receivedBytes, totalBytes));
    if (reason !== undefined) this.#stop(guid, reason);
  }

  /** Returns which limit a file of some size exceeds. */
  #findExcess(file: FileRecord, bytes: number): string | undefined {
    const { fileBytes, totalBytes } = this.#files.parts.limits;
    if (bytes > fileBytes) return `file limit (${formatBytes(fileBytes)}) exceeded`;
    return bytes > this.#files.countBytesLeft(file)
      ? `limit of the session's files together (${formatBytes(totalBytes)}) exceeded`
      : undefined;
  }

  #stop(guid: string, reason: string): void {
    if (this.#refusals.has(guid)) return;
    this.#refusals.set(guid, reason);
    this.#cancel(guid);
  }

  /** Stores a download that the browser has completed; clients are told that it is complete once it is stored. Never rejects. */
  async #keep(file: FileRecord, progress: PageDownloadState): Promise<void> {
    const { parts } = this.#files;
    const path = join(this.#folder, file.file_id);
    let reason: string | undefined;
    try {
      const { size } = await answered("the file can't be read", stat(path));
      reason = this.#findExcess(file, size);
      if (reason === undefined) {
        this.#files.show({ ...file, size });
        await parts.store.keep(file, path);
        await this.#files.complete({ ...file, size });
      }
    } catch (error) {
      parts.onFault(error);
      reason = `it could not be kept: ${describeStorageError(error)}`;
    }
    if (reason !== undefined) this.#files.drop(file, "failed", reason);
    await rm(path, { force: true }).catch(parts.onFault);
    this.#emitEnd(progress, reason);
  }

  #emitEnd(progress: PageDownloadState, reason: string | undefined): void {
    const state = reason === undefined ? progress.state : "canceled";
    this.#emit({ method: "downloadProgress", params: { ...progress, state }, isFinal: true, reason });
  }

  #emit(event: DownloadEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
