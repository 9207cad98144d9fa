import { StreamError, type StreamErrorCode } from "./stream-error.ts";

/**
 * How long a stream is waited for, in milliseconds; `Infinity` waits for ever. Time in which nobody reads does not count.
 *
 * Source: ours - the interface does not show how long a stream may last or be silent.
 */
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
 * @param onExpire - called once: while a read waits, or when one begins too late.
 * @throws {StreamError} `misuse` when a limit is not a positive number.
 */
export function createClocks(timeouts: Timeouts, onExpire: (code: StreamErrorCode) => void): Clocks {
  const { bytesMs = 300_000, eventsMs = 900_000, firstEventMs = eventsMs, totalMs = Infinity } = timeouts;
  if (![bytesMs, eventsMs, firstEventMs, totalMs].every((limit) => limit > 0)) {
    throw new StreamError("misuse", "timeouts must be positive numbers of milliseconds");
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timerAt = Infinity;
  let startedAt: number | undefined;
  let waitingSince: number | undefined;
  let waited = 0; // for the next event, in reads that are over
  let seen = false; // an event

  /** When a read that began then is over time, and why. */
  const deadline = (since: number): [at: number, code: StreamErrorCode] => {
    const events = since - waited + (seen ? eventsMs : firstEventMs);
    const total = (startedAt ?? since) + totalMs;
    const at = Math.min(since + bytesMs, events, total);
    if (at === total) return [at, "total-timeout"];
    if (at < events) return [at, "bytes-timeout"];
    return [at, seen ? "events-timeout" : "first-event-timeout"];
  };
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
      const [at, code] = deadline(now);
      // A source that always has bytes at hand lets no timer run.
      if (at <= now) onExpire(code);
      else if (at < timerAt) set(at, now);
    },
    arrive(hasEvent) {
      waited = hasEvent ? 0 : waited + performance.now() - (waitingSince ?? 0);
      waitingSince = undefined;
      seen ||= hasEvent;
    },
    stop() {
      clearTimeout(timer);
      timerAt = -Infinity;
    },
  };
}
