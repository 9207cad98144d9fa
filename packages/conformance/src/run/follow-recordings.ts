import { setTimeout as pause } from "node:timers/promises";
import type { Exchange } from "../http/exchange.ts";
import type { Probe } from "../http/probe.ts";
import {
  downloadExpired,
  downloadLast,
  downloadOther,
  downloadRecording,
  expiredProbeIds,
  lastProbeIds,
  mp4ProbeIds,
} from "../checks/recordings/recording-downloads.ts";
import { fileOf } from "../checks/recordings/downloaded.ts";
import { otherRecordingProbe, recordingReadProbe } from "../checks/recordings/recording-probe.ts";
import { responseTime, replayOf } from "../checks/recordings/replay-fields.ts";
import type { PageSessions } from "./page-sessions.ts";

/** Options of following the recordings of a run. */
export interface FollowOptions {
  /** The sessions of the run. */
  readonly pages: PageSessions;
  /** Exchanges made so far, by the ids of their probes; it grows. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** Ids of the probes that the selected checks judge; undefined for all. */
  readonly wanted: ReadonlySet<string> | undefined;
  /** Sends one more request. */
  readonly send: (probe: Probe) => Promise<Exchange | undefined>;
  /** Longest time that the suite waits for addresses to expire, in milliseconds. Default: 15,000. */
  readonly expiryMs: number | undefined;
  /** Path of ffmpeg; false: pictures are not decoded. Default: the one that is found. */
  readonly ffmpeg: string | false | undefined;
  /** Ends the waiting early. */
  readonly signal: AbortSignal | undefined;
}

/** Largest difference between the clocks of those who sign addresses and those who serve files, in milliseconds. */
const graceMs = 3_000;

/**
 * Downloads what the replay of the recorded session points at; ends another session, and downloads its recording; at the end
 * asks for files of the first one again, and once more after their addresses have expired, when that is within reach.
 */
export async function followRecordings(following: FollowOptions): Promise<void> {
  const { pages, exchanges, wanted, send } = following;
  const isWanted = (id: string | undefined): boolean => wanted === undefined || wanted.has(id ?? "");
  const replay = exchanges.get(recordingReadProbe.id);
  await downloadRecording(replay, send);
  if (!replay) return;
  if (isWanted("recording/mp4")) {
    const mp4 = mp4ProbeIds.flatMap((id) => exchanges.get(id) ?? []).find((exchange) => fileOf(exchange));
    await pages.decode(mp4 && fileOf(mp4), following.ffmpeg);
  }
  if (isWanted(otherRecordingProbe.id)) await downloadOther(await pages.readOther(send), send);
  const left = remaining(replay);
  if (left === undefined || left > graceMs) {
    if (isWanted(lastProbeIds[0])) await downloadLast(replay, exchanges, send);
  }
  if (isWanted(expiredProbeIds[0])) await afterExpiry(replay, following);
}

/** Returns the time for which the addresses of a replay still work, in milliseconds, by the clock of the server. */
function remaining(replay: Exchange): number | undefined {
  const { expires_at: expires } = replayOf(replay);
  const at = typeof expires === "string" ? Date.parse(expires) : Number.NaN;
  const since = Date.now() - (replay.startedAt.getTime() + replay.durationMs);
  return Number.isNaN(at) ? undefined : at - responseTime(replay) - since;
}

async function afterExpiry(replay: Exchange, { send, expiryMs = 15_000, signal }: FollowOptions): Promise<void> {
  const left = remaining(replay);
  const { durationMs } = replay;
  const asAnswered = left === undefined ? undefined : left + Date.now() - replay.startedAt.getTime() - durationMs;
  if (left === undefined || asAnswered === undefined || asAnswered <= 0 || left > expiryMs) return;
  await pause(Math.max(0, left + graceMs), undefined, signal ? { signal } : {}).catch(() => {});
  if (!signal?.aborted) await downloadExpired(replay, send);
}
