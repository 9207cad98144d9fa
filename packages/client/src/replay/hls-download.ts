import { ClientError } from "../errors/client-error.ts";
import { layOut, match, ownName, type Layout, type Piece } from "./layout.ts";
import { takeLease } from "./presigned-lease.ts";
import { openFolder } from "./local-folder.ts";
import { pause, within } from "./abortable.ts";
import { parsePlaylist } from "./playlist.ts";
import type { ReplayClient, ReplayResponse } from "./replay-client.ts";
import { demandOptions, settle, type TransferOptions } from "./transfer-options.ts";
import { transfer } from "./transfer.ts";

/** How far the download of segments is. Holds no address. */
export interface HlsProgress {
  /** Bytes that were written; less than before when a file had to begin anew. */
  readonly receivedBytes: number;
  /** Segments that are complete. */
  readonly segmentsDone: number;
  /** Segments in all. */
  readonly segmentCount: number;
  /** How often a response went on where another one broke off. */
  readonly resumes: number;
  /** How often the client was asked for a new replay. */
  readonly refreshes: number;
}

/** How segments are downloaded. */
export interface HlsOptions extends TransferOptions {
  /** How many files are downloaded at once; at least 1. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Replaces a folder that holds nothing but plain files with names that this function gives. Default: false. */
  readonly overwrite?: boolean | undefined;
  /** Told of every change, and waited for. What it throws or rejects with ends the download and is passed on. Default: nobody is told. */
  readonly onProgress?: ((progress: HlsProgress) => void) | undefined;
}

/** Result of a download of segments. */
export interface HlsResult {
  /** Path of the local playlist. */
  readonly playlistPath: string;
  /** Number of segments. */
  readonly segmentCount: number;
  /** Size of all files but the playlist, in bytes. */
  readonly bytes: number;
  /** The replay whose addresses were used last; they are secrets. Source: interface § Resources and their fields. */
  readonly replay: ReplayResponse;
  /** How often a response went on where another one broke off. */
  readonly resumes: number;
  /** How often the client was asked for a new replay. */
  readonly refreshes: number;
}

/**
 * Downloads the segments of a replay into a new folder, with a `playlist.m3u8` that plays them offline. Does not wait for the
 * replay: see `waitForReplay`.
 *
 * Initialization sections and AES-128 keys are files, too, and parts of files become files of their own. Names are such as
 * `segment-00001.ts`. The local playlist has nothing of the presigned addresses, no titles and no unknown tags, and an end.
 *
 * Everything is written to `<folder>.<random>.part`, which is renamed when it is complete, and removed when the download fails.
 * Lost connections, stalls and expired addresses are treated as by `downloadReplay`. A fresh playlist must have the same
 * segments as the first one, as far as durations and order tell.
 *
 * Source: interface § Resources and their fields, interface § Limits.
 *
 * @throws {ClientError} `misuse` when an option is out of range or the folder can't be written or has something in it, also
 * when that came during the download, and it stays there; `replay-unavailable` when the replay has no playlist or no
 * segment; `unexpected-content` when the playlist is none; `download` when a file can't be downloaded whole and unchanged;
 * `aborted`. What `client.replay` rejects with is passed on, when it is not `retryable` or comes too often.
 */
export async function downloadHls(
  client: ReplayClient,
  sessionId: string,
  folder: string | URL,
  options: HlsOptions = {},
): Promise<HlsResult> {
  demandOptions(client, options);
  const { concurrency = 4, overwrite = false, signal, onProgress } = options;
  if (!(concurrency >= 1)) throw new ClientError("misuse", "concurrency must be at least 1");
  const controller = new AbortController();
  const settings = { ...settle(client, options), signal: controller.signal };
  const local = await openFolder(folder, (name) => overwrite && ownName.test(name));
  const abort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();

  let first: Layout | undefined;
  const read = ({ playlist_content }: ReplayResponse): Layout => {
    if (!playlist_content) throw new ClientError("replay-unavailable", "the replay has no playlist");
    const fresh = layOut(parsePlaylist(playlist_content));
    match((first ??= fresh), fresh);
    return fresh;
  };
  const workers: Promise<void>[] = [];
  try {
    const holder = await takeLease({ client, sessionId, read, settings });
    const { pieces, segmentCount, text } = holder.lease.value;
    const sizes = pieces.map(() => 0);
    let [bytes, segmentsDone, resumes] = [0, 0, 0];
    const tell = (): unknown => {
      return onProgress?.({ receivedBytes: bytes, segmentsDone, segmentCount, resumes, refreshes: holder.refreshes });
    };

    const download = async (index: number, { name, byteRange }: Piece): Promise<void> => {
      const file = await local.create(name);
      try {
        const job = {
          holder,
          addressIn: (layout: Layout) => layout.pieces[index]?.uri ?? "",
          sink: file,
          range: byteRange,
          onBytes(received: number) {
            bytes += received - (sizes[index] ?? 0);
            sizes[index] = received;
            return tell();
          },
          onResume: () => resumes++,
        };
        await file.finish(await transfer(job, settings));
      } finally {
        await file.close();
      }
      if (name.startsWith("segment")) segmentsDone++;
      await within(tell, settings.signal);
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
    await pause(0, settings.signal); // the last chance of an abort
    await local.commit();
    const playlistPath = `${local.path}/playlist.m3u8`;
    return { playlistPath, segmentCount, bytes, replay: holder.lease.replay, resumes, refreshes: holder.refreshes };
  } catch (error) {
    abort();
    await Promise.allSettled(workers);
    await local.discard();
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
