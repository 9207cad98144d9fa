import type { SessionOptions } from "./session-options.ts";

/** Limits of all sessions. */
export interface SessionLimits {
  /** Most sessions at a time. */
  readonly count: number;
  /** Default idle limit of a session, in milliseconds. */
  readonly idleMs: number;
  /** How long a session may be open before it is used for the first time, in milliseconds, where it names no idle limit. */
  readonly unusedMs: number;
  /** Longest life, in milliseconds; a session may ask for less. */
  readonly totalMs: number;
  /** How long recordings are kept after the end of their sessions, in milliseconds; a session may ask for less. */
  readonly recordingMs: number;
  /** Most memory of one session, in bytes. */
  readonly memoryBytes: number;
  /** How long a person who is disconnected keeps the control of a session, in milliseconds. */
  readonly graceMs: number;
}

/** Limits of the life of one session, in milliseconds. */
export interface LifeLimits {
  /** How long it may be idle. */
  readonly idleMs: number;
  /** How long it may last. */
  readonly totalMs: number;
  /** How long it may be open before it is used for the first time. Default: no limit of its own. */
  readonly unusedMs?: number | undefined;
}

/** Chooses the limits of the life of a session: its own where they are shorter, else those of all. */
export function chooseLifeLimits(
  { idle_limit_s, total_limit_s = Infinity }: SessionOptions,
  { idleMs, unusedMs, totalMs }: SessionLimits,
): LifeLimits {
  const total = { totalMs: Math.min(totalMs, total_limit_s * 1_000) };
  if (idle_limit_s !== undefined) return { ...total, idleMs: idle_limit_s * 1_000 };
  return { ...total, idleMs, ...(unusedMs < idleMs && { unusedMs }) };
}

/** Chooses how long the recording and the files of a session are kept after its end, in milliseconds. */
export function chooseRetentionMs(
  { keep_recording_s = Infinity }: SessionOptions,
  { recordingMs }: SessionLimits,
): number {
  return Math.round(Math.min(keep_recording_s * 1_000, recordingMs));
}
