import type { StreamErrorCode } from "./stream-error.ts";

/** How long a stream is waited for, in milliseconds; `Infinity` waits for ever. Time in which nobody reads does not count. */
export interface Timeouts {
  /** Until the first event. Default: as `eventsMs`. */
  readonly firstEventMs?: number | undefined;
  /** Without any byte. Heartbeats keep this clock alive. Default: 300,000. */
  readonly bytesMs?: number | undefined;
  /** Without an event; heartbeats do not count. Default: 900,000. */
  readonly eventsMs?: number | undefined;
  /** From the first read to the terminal event, reading or not. Default: `Infinity`. */
  readonly totalMs?: number | undefined;
}

/** Watches over reads. */
export interface Clocks {
  /** A read begins. */
  wait(): void;
  /** A read ended, with or without an event. */
  arrive(hasEvent: boolean): void;
  /** Nothing is watched any more. */
  stop(): void;
}

/** Longest time that a timer can be set to. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Makes the clocks of one stream. There is one timer for all, and it is set anew only when it fires: chunks cost no timer.
 *
 * Source: ours.
 *
 * @param onExpire - called once, while a read waits.
 */
export function createClocks(timeouts: Timeouts, onExpire: (code: StreamErrorCode) => void): Clocks {
  const { bytesMs = 300_000, eventsMs = 900_000, firstEventMs = eventsMs, totalMs = Infinity } = timeouts;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = Infinity;
  let startedAt: number | undefined;
  let waitingSince: number | undefined;
  let waited = 0; // for the next event, in reads that are over
  let limit = firstEventMs;

  /** When the current read is over time, and why. */
  const deadline = (since: number): [at: number, code: StreamErrorCode] => {
    const events = since + limit - waited;
    const total = (startedAt ?? since) + totalMs;
    const at = Math.min(since + bytesMs, events, total);
    if (at === total) return [at, "total-timeout"];
    if (at === events) return [at, limit === firstEventMs && !seen ? "first-event-timeout" : "events-timeout"];
    return [at, "bytes-timeout"];
  };
  let seen = false;
  const set = (at: number, now: number): void => {
    clearTimeout(timer);
    timerAt = at;
    if (at < Infinity) timer = setTimeout(check, Math.min(Math.max(at - now, 0), maxTimerMs));
  };
  const check = (): void => {
    timerAt = Infinity;
    if (waitingSince === undefined) return; // nobody reads: the next read sets it again
    const now = performance.now();
    const [at, code] = deadline(waitingSince);
    if (now < at) set(at, now);
    else onExpire(code);
  };

  return {
    wait() {
      const now = performance.now();
      startedAt ??= now;
      waitingSince = now;
      const [at] = deadline(now);
      if (at < timerAt) set(at, now);
    },
    arrive(hasEvent) {
      waited = hasEvent ? 0 : waited + performance.now() - (waitingSince ?? 0);
      waitingSince = undefined;
      if (hasEvent) {
        seen = true;
        limit = eventsMs;
      }
    },
    stop() {
      clearTimeout(timer);
      timerAt = -Infinity;
    },
  };
}
