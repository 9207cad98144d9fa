import { ClientError } from "../errors/client-error.ts";
import { followSignal } from "./safe-signal.ts";
import { openDestination } from "./destination.ts";
import { takeLease } from "./presigned-lease.ts";
import type { ReplayClient, ReplayResponse } from "./replay-client.ts";
import { readTransferSettings, type TransferOptions } from "./transfer-options.ts";
import { transfer } from "./transfer.ts";

/** Progress of a download. Has no URL. */
export interface DownloadProgress {
  /** Bytes written; decreases when the download has to restart. */
  readonly receivedBytes: number;
  /** Size of the file in bytes; `undefined` while unknown. */
  readonly totalBytes: number | undefined;
  /** Number of times that the download was resumed. */
  readonly resumes: number;
  /** Number of times that the presigned URLs were refreshed. */
  readonly refreshes: number;
}

/** Options of a download. */
export interface DownloadOptions extends TransferOptions {
  /** Called on each change, and awaited. An error of it ends the download and is rethrown. Default: none. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** Result of a download. */
export interface DownloadResult {
  /** Size of the file in bytes. */
  readonly bytes: number;
  /** The replay whose URL was used last; its URLs are secrets. Source: interface § Resources and their fields. */
  readonly replay: ReplayResponse;
  /** Number of times that the download was resumed. */
  readonly resumes: number;
  /** Number of times that the presigned URLs were refreshed. */
  readonly refreshes: number;
}

/**
 * Downloads the MP4 recording of a session to a file or a stream. Does not wait for it to be available: see `waitForReplay`.
 *
 * A download is resumed after lost connections, stalls and expired URLs, if the content is known to be unchanged: the file host
 * must support ranges, and send an `ETag` or `Last-Modified`. Otherwise a file is restarted, and a stream fails. Whether the
 * content is a playable video is not checked, but a page of HTML, XML or JSON is not one. Of a file that its host compresses, although asked not to, a cut is not noticed where
 * the runtime does not expose it: Node.js does for zstd, and not for gzip, deflate and br.
 *
 * A path or `file:` URL is written as `<path>.<owner>.<random>.part`, and renamed after it is complete and synced to disk. Only then is an
 * existing file replaced, whose permissions are kept; a folder, device or pipe never is. If the download fails, the partial file is
 * removed; if the process is killed, the next download to the path removes it. A stream is closed at the end, and aborted if the download
 * fails. Memory use does not depend on the size of the file.
 *
 * No key, cookies or referrer are sent to the file host. In a browser, the file host must allow the origin and the header
 * `If-Range`, and expose `ETag`, `Content-Range` and, if it compresses, `Content-Encoding`.
 *
 * Source: interface § Resources and their fields, interface § Limits.
 *
 * @throws {ClientError} `misuse`, before anything is sent, when an option is invalid or the destination is not writable;
 * `replay-unavailable` when the replay has no video; `download`, with the `status` of the file host if there was one, when it
 * can't be downloaded completely and unchanged; `aborted`. Errors of `client.replay` are rethrown if they are not `retryable`,
 * or after `maxAttempts`.
 *
 * @example
 * ```ts from=examples/api/client/download-replay.ts
 * import { createCloudBrowser } from "@cloud-browser/client";
 * import { downloadReplay } from "@cloud-browser/client/replay";
 *
 * const { bytes } = await downloadReplay(createCloudBrowser(), "9f6e1c52-7a0b-4d83-b1ce-5f20a4d7e318", "replay.mp4");
 * console.log(bytes); // 300000
 * ```
 */
export async function downloadReplay(
  client: ReplayClient,
  sessionId: string,
  destination: string | URL | WritableStream<Uint8Array>,
  options: DownloadOptions = {},
): Promise<DownloadResult> {
  const transferSettings = readTransferSettings(client, options);
  const { signal, release } = followSignal(transferSettings.signal, client);
  const settings = { ...transferSettings, signal };
  const target = await openDestination(destination, signal).catch((error: unknown) => {
    release();
    throw error;
  });
  try {
    const holder = await takeLease({ client, sessionId, read: videoIn, settings });
    let resumes = 0;
    const bytes = await transfer(
      {
        holder,
        addressIn: (address) => address,
        sink: target,
        onBytes(receivedBytes, totalBytes) {
          return options.onProgress?.({ receivedBytes, totalBytes, resumes, refreshes: holder.refreshes });
        },
        onResume: () => resumes++,
      },
      settings,
    );
    await target.commit(bytes);
    return { bytes, replay: holder.lease.replay, resumes, refreshes: holder.refreshes };
  } catch (error) {
    await target.discard(error);
    throw error;
  } finally {
    release();
  }
}

function videoIn({ mp4_url }: ReplayResponse): string {
  if (!mp4_url) throw new ClientError("replay-unavailable", "the replay has no video");
  return mp4_url;
}
