import { ServiceError } from "../../service-error.ts";
import { checkNumber } from "../../setting-ranges.ts";

/** Limits of the queue for sessions. */
export interface QueueLimits {
  /** Most requests that wait. Default: 100. */
  readonly count: number;
  /** Longest that one may wait, in milliseconds; 500 s at most. Default: 240 s, since many clients give up after 300 s without an answer. */
  readonly waitMs: number;
}

/** The limits that hold unless others are given. */
const defaultQueueLimits: QueueLimits = { count: 100, waitMs: 240_000 };

/**
 * Returns the limits of the queue, with defaults.
 *
 * @throws {ServiceError} `usage`.
 */
export function checkQueueLimits(limits: Partial<QueueLimits> = {}): QueueLimits {
  const { count, waitMs } = { ...defaultQueueLimits, ...limits };
  return { count: checkNumber("queue.count", count), waitMs: checkNumber("queue.waitMs", waitMs) };
}

/**
 * How long a request may wait, in milliseconds.
 *
 * @param wait_s - As it asks for, in seconds.
 * @throws {ServiceError} `usage` when that is longer than may be.
 */
export function chooseWait({ wait_s = 0 }: { readonly wait_s?: number }, { waitMs }: QueueLimits): number {
  if (wait_s * 1_000 <= waitMs) return wait_s * 1_000;
  const message = `Input should be at most ${waitMs / 1_000}`;
  throw new ServiceError("usage", message, { loc: ["wait_s"] });
}
