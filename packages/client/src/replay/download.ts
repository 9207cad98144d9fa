import { ClientError } from "../errors/client-error.ts";
import { openDestination } from "./destination.ts";
import { takeLease } from "./presigned-lease.ts";
import type { ReplayClient, ReplayResponse } from "./replay-client.ts";
import { settle, type TransferOptions } from "./transfer-options.ts";
import { transfer } from "./transfer.ts";

/** How far a download is. Holds no address. */
export interface DownloadProgress {
  /** Bytes that were written; less than before when the download had to begin anew. */
  readonly receivedBytes: number;
  /** Size of the file in bytes; `undefined` while the file host does not tell it. */
  readonly totalBytes: number | undefined;
  /** How often a response went on where another one broke off. */
  readonly resumes: number;
  /** How often the client was asked for a new replay. */
  readonly refreshes: number;
}

/** How a replay is downloaded. */
export interface DownloadOptions extends TransferOptions {
  /** Told of every change, and waited for. What it throws or rejects with ends the download and is passed on. Default: nobody is told. */
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** Result of a download. */
export interface DownloadResult {
  /** Size of the file in bytes. */
  readonly bytes: number;
  /** The replay whose address was used last; its addresses are secrets. Source: interface § Resources and their fields. */
  readonly replay: ReplayResponse;
  /** How often a response went on where another one broke off. */
  readonly resumes: number;
  /** How often the client was asked for a new replay. */
  readonly refreshes: number;
}

/**
 * Downloads the MP4 recording of a session to a file or into a stream. Does not wait for it: see `waitForReplay`.
 *
 * It goes on after lost connections, stalls and expired addresses, and joins only bytes of the same content: that takes a file
 * host with ranges and with an `ETag` or a `Last-Modified`. Otherwise a file is begun anew, while a stream fails. Whether the
 * content is a playable video is not checked.
 *
 * A path, or a `file:` URL, is written as `<path>.<random>.part` and renamed when it is whole and on the disk: a file that was
 * there before is replaced then, and only then; a folder, a device or a pipe never is. When the download fails, nothing is
 * left behind. A stream is closed at the end, and aborted when the download fails. Memory does not depend on the size of the
 * file.
 *
 * The file host gets neither the key, nor cookies, nor a referrer. In a browser it must allow the origin, and expose
 * `ETag`, `Content-Range` and, if it compresses, `Content-Encoding`; going on after a loss takes the header `If-Range`, too.
 *
 * Source: interface § Resources and their fields, interface § Limits.
 *
 * @throws {ClientError} `misuse` when an option is out of range or the destination can't be written, and nothing was sent;
 * `replay-unavailable` when the replay has no video; `download` when it can't be downloaded whole and unchanged, and
 * `status` may say why; `aborted`. What `client.replay` rejects with is passed on, when it is not `retryable` or comes too often.
 */
export async function downloadReplay(
  client: ReplayClient,
  sessionId: string,
  destination: string | URL | WritableStream<Uint8Array>,
  options: DownloadOptions = {},
): Promise<DownloadResult> {
  const settings = settle(client, options);
  const target = await openDestination(destination, settings.signal);
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
  }
}

function videoIn({ mp4_url }: ReplayResponse): string {
  if (!mp4_url) throw new ClientError("replay-unavailable", "the replay has no video");
  return mp4_url;
}
