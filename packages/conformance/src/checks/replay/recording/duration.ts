import { nothingSeen, verdict, type Judgement } from "../../check.ts";

/** Tolerance of durations, in milliseconds, and as a share of the whole. */
const toleranceMs = 2_000;
const toleranceShare = 0.1;

/**
 * Precision with which two durations have to agree.
 *
 * - `near`: they differ by two seconds at most, or by a tenth.
 * - `second`: by less than a second.
 * - `frames`: by less than a fifth of a second, which is a frame or some; the offset of the start is not counted in.
 */
export type Precision = "near" | "second" | "frames";

/** Largest difference of two durations that are to agree more than nearly, in milliseconds. */
const preciseMs = { second: 999, frames: 199 } as const;

/** Minimum length of a video, in milliseconds, and minimum ratio to its stated duration, from which that is in another unit. */
const shortestMs = 1_000;
const unitFactor = 100;

/**
 * Judges two durations of one recording.
 *
 * They need not agree to the millisecond: a recorder of screens may write one frame a second, a container rounds to frames and a playlist
 * to whole seconds, and muxers drop what stands still at both ends. Two seconds, or a tenth, allow for all of it, and distinguish seconds
 * or frames from milliseconds. The offset of the start may be counted in.
 *
 * @param slackMs - Largest rounding error, in milliseconds.
 */
export function judgeDuration(
  replay: Readonly<Record<string, unknown>>,
  measuredMs: number,
  what: string,
  slackMs: number,
  precision: Precision = "near",
): Judgement {
  const { video_duration_ms: duration, video_start_ms: start } = replay;
  if (typeof duration !== "number" || !Number.isInteger(duration))
    return nothingSeen("No `video_duration_ms` in whole milliseconds came.");
  const nearMs = Math.max(toleranceMs, slackMs, duration * toleranceShare);
  const offset = typeof start === "number" && start > 0 ? start : 0;
  const differences = [duration, duration + offset, duration - offset].map((want) => Math.abs(want - measuredMs));
  const least = Math.min(...differences);
  // Two seconds are much of a short recording: whatever it lasts, seconds and frames are not taken for milliseconds.
  const isOtherUnit = measuredMs >= shortestMs && duration !== 0 && measuredMs >= duration * unitFactor;
  const isNear = !isOtherUnit && least <= nearMs;
  const judge = (holds: boolean, allowedMs: number): Judgement =>
    verdict(holds, {
      where: "body /video_duration_ms",
      expected: `${Math.round(measuredMs)}, as ${what} says, or less than ${Math.round(allowedMs)} from it`,
      received: String(duration),
    });
  if (precision === "near") return judge(isNear, nearMs);
  // What is further off is the matter of the check that is more tolerant.
  const secondMs = Math.max(preciseMs.second, slackMs);
  if (!isNear || (precision === "frames" && least > secondMs))
    return nothingSeen("`video_duration_ms` says something else; another check reports that.");
  if (precision === "second") return judge(least <= secondMs, secondMs);
  const framesMs = Math.max(preciseMs.frames, slackMs);
  return judge(Math.abs(duration - measuredMs) <= framesMs, framesMs);
}
