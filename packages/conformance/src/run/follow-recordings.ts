import { readReplay } from "../checks/replay/replay-status.ts";
import { setTimeout as pause } from "node:timers/promises";
import type { Exchange } from "../http/exchange.ts";
import type { SendMore } from "../http/probe.ts";
import {
  downloadExpired,
  downloadLast,
  downloadOther,
  downloadRecording,
  type RecordingDownload,
} from "../checks/replay/recording/recording-downloads.ts";
import { findFile } from "../checks/replay/recording/downloaded.ts";
import {
  listExpiredIds,
  listLastIds,
  listMp4Ids,
  otherMp4ProbeIds,
  makeReadId,
  listSegmentIds,
} from "../checks/replay/recording/recording-ids.ts";
import { otherRecordingProbe, explainUnread, findResponseTime } from "../checks/replay/recording/recording-probe.ts";
import type { PageSessions } from "./page-sessions.ts";

/** Options of following the recordings of a run. */
export interface FollowOptions {
  /** The sessions of the run. */
  readonly pages: PageSessions;
  /** Exchanges made so far, by the ids of their probes; it grows. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** Ids of the probes that the selected checks judge; undefined for all. */
  readonly selectedIds: ReadonlySet<string> | undefined;
  /** Sends one more request. */
  readonly send: SendMore;
  /** Longest time that the suite waits for addresses to expire, in milliseconds. Default: 15,000. */
  readonly expiryMs: number | undefined;
  /** Path of ffmpeg; false: pictures are not decoded. Default: the one that is found. */
  readonly ffmpeg: string | false | undefined;
  /** Ends the waiting early. */
  readonly signal: AbortSignal | undefined;
}

/** Largest difference between the clocks of servers that sign addresses and of servers that serve files, in milliseconds. */
const graceMs = 3_000;

/**
 * Downloads the files that the replay of the recorded session refers to; ends another session, and downloads its recording, too; then
 * downloads the files of the ended session that was given. At the end of each, files are downloaded again, and once more after their
 * addresses have expired, when that is within reach.
 */
export async function followRecordings(options: FollowOptions): Promise<void> {
  const { pages, exchanges, selectedIds, send } = options;
  const isWanted = (id: string | undefined): boolean => selectedIds === undefined || selectedIds.has(id ?? "");
  const { baseUrl } = pages.target;
  const replay = exchanges.get(makeReadId("recording"));
  if (replay) {
    const own: RecordingDownload = { name: "recording", replay, baseUrl, send };
    await downloadRecording(own);
    if (isWanted("recording/mp4")) {
      await pages.readFrames("recorded", fileIn(exchanges, listMp4Ids("recording")), options.ffmpeg);
    }
    if (isWanted(otherRecordingProbe.id)) {
      await downloadOther(await pages.readOther(send), send);
      await pages.readFrames("other", fileIn(exchanges, otherMp4ProbeIds), options.ffmpeg);
    }
    await downloadAgain(own, options);
  }
  const other = exchanges.get(makeReadId("replay"));
  if (!other || explainUnread(pages.target) !== undefined) return;
  const endedDownload: RecordingDownload = { name: "replay", replay: other, baseUrl, send };
  if ([listMp4Ids, listSegmentIds, listLastIds].some((listIds) => isWanted(listIds("replay")[0])))
    await downloadRecording(endedDownload);
  await downloadAgain(endedDownload, options);
}

/** Returns the file that was downloaded by one of some exchanges; undefined when none was. */
const fileIn = (exchanges: ReadonlyMap<string, Exchange>, ids: readonly string[]): Uint8Array | undefined =>
  ids.flatMap((id) => exchanges.get(id) ?? []).flatMap((exchange) => findFile(exchange) ?? [])[0];

/** Asks for files once more before their addresses expire, and after that. */
async function downloadAgain(downloads: RecordingDownload, options: FollowOptions): Promise<void> {
  const { exchanges, selectedIds } = options;
  const { name, replay } = downloads;
  const isWanted = (id: string | undefined): boolean => selectedIds === undefined || selectedIds.has(id ?? "");
  const remainingMs = measureRemaining(replay);
  if ((remainingMs === undefined || remainingMs > graceMs) && isWanted(listLastIds(name)[0]))
    await downloadLast(downloads, exchanges);
  if (isWanted(listExpiredIds(name)[0])) await afterExpiry(downloads, options);
}

/** Returns the time for which the addresses of a replay still work, in milliseconds, by the clock of the server. */
function measureRemaining(replay: Exchange): number | undefined {
  const { expires_at: expires } = readReplay(replay);
  const at = typeof expires === "string" ? Date.parse(expires) : Number.NaN;
  const since = Date.now() - (replay.startedAt.getTime() + replay.durationMs);
  return Number.isNaN(at) ? undefined : at - findResponseTime(replay) - since;
}

async function afterExpiry(
  downloads: RecordingDownload,
  { expiryMs = 15_000, signal }: Pick<FollowOptions, "expiryMs" | "signal">,
): Promise<void> {
  const { replay } = downloads;
  const remainingMs = measureRemaining(replay);
  const { durationMs } = replay;
  const asAnswered =
    remainingMs === undefined ? undefined : remainingMs + Date.now() - replay.startedAt.getTime() - durationMs;
  if (remainingMs === undefined || asAnswered === undefined || asAnswered <= 0 || remainingMs > expiryMs) return;
  await pause(Math.max(0, remainingMs + graceMs), undefined, signal ? { signal } : {}).catch(() => {});
  if (!signal?.aborted) await downloadExpired(downloads);
}
