import { nothingSeen, verdict, type Judgement } from "../check.ts";

/** Tolerance of durations, in milliseconds, and as a share of the whole. */
const toleranceMs = 2_000;
const toleranceShare = 0.1;

/** Largest difference of two durations that are to agree to the second, in milliseconds. */
const exactMs = 999;

/** A video of at least so many milliseconds that lasts so many times as long as is said has its duration in another unit. */
const shortestMs = 1_000;
const unitFactor = 100;

/**
 * Judges two durations of one recording.
 *
 * They need not agree to the millisecond: a recorder of screens may write one frame a second, a container rounds to
 * frames and a playlist to whole seconds, and muxers drop what stands still at both ends. Two seconds, or a tenth, allow for
 * all of it, and tell seconds or frames from milliseconds. The offset of the start may be counted in.
 *
 * @param isExact - Whether they have to agree to the second. Default: false.
 */
export function judgeDuration(
  said: Readonly<Record<string, unknown>>,
  measuredMs: number,
  what: string,
  slackMs: number,
  isExact = false,
): Judgement {
  const { video_duration_ms: duration, video_start_ms: start } = said;
  if (typeof duration !== "number" || !Number.isInteger(duration))
    return nothingSeen("No `video_duration_ms` in whole milliseconds came.");
  const near = Math.max(toleranceMs, slackMs, duration * toleranceShare);
  const allowed = isExact ? Math.max(exactMs, slackMs) : near;
  const offset = typeof start === "number" && start > 0 ? start : 0;
  const wanted = [duration, duration + offset, duration - offset];
  // Two seconds are much of a short recording: whatever it lasts, seconds and frames are not taken for milliseconds.
  const isOtherUnit = measuredMs >= shortestMs && duration !== 0 && measuredMs >= duration * unitFactor;
  const holds = !isOtherUnit && wanted.some((want) => Math.abs(want - measuredMs) <= allowed);
  // What is not even near is the matter of the check that is tolerant.
  if (isExact && (isOtherUnit || !wanted.some((want) => Math.abs(want - measuredMs) <= near)))
    return nothingSeen("`video_duration_ms` says something else; another check reports that.");
  return verdict(holds, {
    requirement: isExact ? "replay.video_duration_ms.exact" : "replay.video_duration_ms.meaning",
    where: "body /video_duration_ms",
    expected: `${Math.round(measuredMs)}, as ${what} says, or less than ${Math.round(allowed)} from it`,
    received: String(duration),
  });
}
