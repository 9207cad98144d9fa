import { join } from "node:path";
import pLimit from "p-limit";
import { playlistOf, replayFile, segmentsOf, type Replay } from "@cloud-browser/recorder";
import type { ObjectStore } from "../objects/object-store.ts";

/** Start and duration of a video, in milliseconds. */
interface Video {
  /** When it starts after the session did. */
  readonly startMs: number;
  /** How long it plays. */
  readonly durationMs: number;
}

/** Files that are stored at a time. */
const atOnce = 4;

/**
 * Stores the files of a replay.
 *
 * @param from - Folder that they are in.
 * @param to - Folder in the store.
 */
export async function storeReplay(
  objects: ObjectStore,
  { durationMs }: Video,
  { from, to, signal }: { readonly from: string; readonly to: string; readonly signal: AbortSignal },
): Promise<void> {
  const failing = new AbortController();
  const limit = pLimit(atOnce);
  const uploads = listFiles(durationMs).map((file) =>
    limit(async () => {
      AbortSignal.any([signal, failing.signal]).throwIfAborted();
      const type = file === replayFile ? "video/mp4" : "video/mp2t";
      try {
        await objects.putFile(`${to}/${file}`, join(from, file), type);
      } catch (error) {
        failing.abort(error);
        throw error;
      }
    }),
  );
  // Uploads that have begun finish before they are removed.
  const fault = (await Promise.allSettled(uploads)).find((one) => one.status === "rejected");
  if (fault) throw fault.reason;
}

/**
 * The replay of which the store has the files, with URLs that it presigns itself.
 *
 * @param wishedMs - Wanted expiry, in milliseconds since 1970.
 */
export async function presignReplay(
  objects: ObjectStore,
  folder: string,
  { startMs, durationMs }: Video,
  wishedMs: number,
): Promise<Replay> {
  const expiresAtMs = await objects.presignableUntil(wishedMs);
  const files = listFiles(durationMs);
  const urls = await objects.presign(
    files.map((file) => `${folder}/${file}`),
    expiresAtMs,
  );
  const byFile = new Map(files.map((file, index) => [file, urls[index] ?? ""]));
  const presignFile = (file: string): string => byFile.get(file) ?? "";
  return {
    mp4_url: presignFile(replayFile),
    playlist_content: playlistOf(durationMs, presignFile),
    expires_at: new Date(expiresAtMs).toISOString().replace("Z", "+00:00"),
    video_start_ms: startMs,
    video_duration_ms: durationMs,
  };
}

const listFiles = (durationMs: number): readonly string[] => [
  replayFile,
  ...segmentsOf(durationMs).map(({ file }) => file),
];
