import { ClientError } from "../errors/client-error.ts";
import { followSignal } from "./safe-signal.ts";
import { layOut, assertSameFiles, ownName, type ReplayLayout, type DownloadFile } from "./layout.ts";
import { takeLease } from "./presigned-lease.ts";
import { createLocalFolder } from "./local-folder.ts";
import { pause, withDeadline } from "./abortable.ts";
import { parsePlaylist } from "./playlist.ts";
import type { ReplayClient, ReplayResponse } from "./replay-client.ts";
import { readTransferSettings, type TransferOptions } from "./transfer-options.ts";
import { transfer } from "./transfer.ts";

/** Progress of a download of segments. Has no URL. */
export interface HlsProgress {
  /** Bytes written; decreases when a file has to restart. */
  readonly receivedBytes: number;
  /** Number of complete segments. */
  readonly segmentsDone: number;
  /** Number of all segments. */
  readonly segmentCount: number;
  /** Number of times that a file was resumed. */
  readonly resumes: number;
  /** Number of times that the presigned URLs were refreshed. */
  readonly refreshes: number;
}

/** Options of a download of segments. */
export interface HlsOptions extends TransferOptions {
  /** Number of concurrent downloads; at least 1. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Replaces an existing folder, if it has only regular files with names that this function generates. Default: false. */
  readonly overwrite?: boolean | undefined;
  /** Called on each change, and awaited. An error of it ends the download and is rethrown. Default: none. */
  readonly onProgress?: ((progress: HlsProgress) => void) | undefined;
}

/** Result of a download of segments. */
export interface HlsResult {
  /** Path of the local playlist. */
  readonly playlistPath: string;
  /** Number of segments. */
  readonly segmentCount: number;
  /** Size of all files except the playlist, in bytes. */
  readonly bytes: number;
  /** The replay whose URLs were used last; they are secrets. Source: interface § Resources and their fields. */
  readonly replay: ReplayResponse;
  /** Number of times that a file was resumed. */
  readonly resumes: number;
  /** Number of times that the presigned URLs were refreshed. */
  readonly refreshes: number;
}

/**
 * Downloads the HLS segments of a replay to a new folder, with a `playlist.m3u8` for offline playback. Does not wait for the
 * replay to be available: see `waitForReplay`.
 *
 * Initialization sections, AES-128 keys and byte ranges become files of their own. Names are generated, such as
 * `segment-00001.ts`. The local playlist has no part of the presigned URLs, no titles and no unknown tags, and is complete.
 *
 * All files are written to `<folder>.<owner>.<random>.part`, which is renamed when complete, and removed if the download fails, or by the
 * next one if the process is killed. The permissions of what is replaced are kept. Lost connections, stalls and expired URLs are handled
 * like in `downloadReplay`. A refreshed playlist must have the same segments as the first one, judging by their durations and order.
 *
 * Source: interface § Resources and their fields, interface § Limits.
 *
 * @throws {ClientError} `misuse` when an option is invalid, or the folder is not writable or not empty, also if that changes
 * during the download, and its files are kept; `replay-unavailable` when the replay has no playlist or no segments;
 * `unexpected-content` when the playlist is malformed; `download` when a file can't be downloaded completely and unchanged;
 * `aborted`. Errors of `client.replay` are rethrown if they are not `retryable`, or after `maxAttempts`.
 *
 * @example
 * ```ts from=examples/api/client/download-hls.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { downloadHls } from "@cloud-browser/client/replay";
 *
 * const { segmentCount } = await downloadHls(createCloudBrowser(), "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", "replay");
 * console.log(`${segmentCount} segments, to be played from replay/playlist.m3u8`); // 2 segments…
 * ```
 */
export async function downloadHls(
  client: ReplayClient,
  sessionId: string,
  folder: string | URL,
  options: HlsOptions = {},
): Promise<HlsResult> {
  const transferSettings = readTransferSettings(client, options);
  const { concurrency = 4, overwrite = false, onProgress } = options;
  if (!(concurrency >= 1)) throw new ClientError("misuse", "concurrency must be at least 1");
  const local = await createLocalFolder(folder, (name) => overwrite && ownName.test(name));
  const { signal, abort, release } = followSignal(transferSettings.signal, client);
  const settings = { ...transferSettings, signal };

  let first: ReplayLayout | undefined;
  const read = ({ playlist_content }: ReplayResponse): ReplayLayout => {
    if (!playlist_content) throw new ClientError("replay-unavailable", "the replay has no playlist");
    const fresh = layOut(parsePlaylist(playlist_content));
    assertSameFiles((first ??= fresh), fresh);
    return fresh;
  };
  const workers: Promise<void>[] = [];
  try {
    const holder = await takeLease({ client, sessionId, read, settings });
    const { pieces, segmentCount, text } = holder.lease.value;
    const sizes = pieces.map(() => 0);
    let [bytes, segmentsDone, resumes] = [0, 0, 0];
    const reportProgress = (): unknown => {
      return onProgress?.({ receivedBytes: bytes, segmentsDone, segmentCount, resumes, refreshes: holder.refreshes });
    };

    const download = async (index: number, { name, byteRange }: DownloadFile): Promise<void> => {
      const file = await local.create(name);
      try {
        const job = {
          holder,
          addressIn: (layout: ReplayLayout) => layout.pieces[index]?.uri ?? "",
          sink: file,
          range: byteRange,
          onBytes(received: number) {
            bytes += received - (sizes[index] ?? 0);
            sizes[index] = received;
            return reportProgress();
          },
          onResume: () => resumes++,
        };
        await file.finish(await transfer(job, settings));
      } finally {
        await file.close();
      }
      if (name.startsWith("segment")) segmentsDone++;
      await withDeadline(reportProgress, settings.signal);
    };
    const queue = pieces.entries();
    const work = async (): Promise<void> => {
      for (const [index, piece] of queue) await download(index, piece);
    };
    for (let at = 0; at < Math.min(concurrency, pieces.length); at++) workers.push(work());
    await Promise.all(workers);

    const playlist = await local.create("playlist.m3u8");
    const content = new TextEncoder().encode(text);
    await playlist
      .write(content)
      .then(() => playlist.finish(content.length))
      .finally(playlist.close);
    await pause(0, settings.signal); // lets a pending abort fire before the commit
    await local.commit();
    const playlistPath = `${local.path}/playlist.m3u8`;
    return { playlistPath, segmentCount, bytes, replay: holder.lease.replay, resumes, refreshes: holder.refreshes };
  } catch (error) {
    abort();
    await Promise.allSettled(workers);
    await local.discard();
    throw error;
  } finally {
    release();
  }
}
