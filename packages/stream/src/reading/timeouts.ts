import { assertOptions, isPositive } from "../input/check-options.ts";
import type { StreamErrorCode } from "../errors/stream-error.ts";

/**
 * Time limits of reading a stream, in milliseconds; `Infinity` for none. Time between reads does not count.
 *
 * They do not extend limits of the source itself: the `fetch` of Node.js fails after 300 s without bytes.
 *
 * The interface does not show how long a stream may last or be silent.
 */
export interface Timeouts {
  /** Time until the first event. Default: `eventsMs`. */
  readonly firstEventMs?: number | undefined;
  /** Time without bytes; heartbeats reset it. Default: 300,000. */
  readonly bytesMs?: number | undefined;
  /** Time without an event; heartbeats do not reset it. Default: 900,000. */
  readonly eventsMs?: number | undefined;
  /** Time from the first read to the terminal event, including the time between reads. Default: `Infinity`. */
  readonly totalMs?: number | undefined;
}

/**
 * Longest time for which a source that is always ready may block timers and aborts, in milliseconds, before the reader yields to the event
 * loop.
 */
export const maxTurnMs = 40;

/** The timers of a stream. */
export interface Clocks {
  /** Starts the timers of a read; returns the current time. */
  wait(): number;
  /** Ends a read, which brought events or not. */
  arrive(hasEvent: boolean): void;
  /** Clears all timers. */
  stop(): void;
}

/**
 * Creates the clocks of a stream. They share one timer, which is rescheduled only when it fires: chunks set no timers.
 *
 * @param onExpire - called once, during a read, or when one starts too late
 * @throws {StreamError} `misuse` when a limit is not a positive number.
 */
export function createClocks(timeouts: Timeouts, onExpire: (code: StreamErrorCode) => void): Clocks {
  const { bytesMs = 300_000, eventsMs = 900_000, firstEventMs = eventsMs, totalMs = Infinity } = timeouts;
  assertOptions({ timeouts: [bytesMs, eventsMs, firstEventMs, totalMs].every(isPositive) });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: number | undefined; // when the total limit expires
  let since: number | undefined; // start of the pending read
  let eventsLeft = firstEventMs; // time left until the next event, over this read and later ones
  let eventsCode: StreamErrorCode = "first-event-timeout";

  /** Schedules the timer, or reports the limit that has expired. */
  const check = (): void => {
    stop();
    if (since === undefined || end === undefined) return; // no read is pending: the next one schedules it
    const [events, bytes] = [since + eventsLeft, since + bytesMs];
    const first = Math.min(end, events, bytes);
    const left = first - performance.now();
    if (left > 0) timer = setTimeout(check, Math.min(left, 2 ** 31 - 1)); // the longest delay of a timer
    else onExpire(first === end ? "total-timeout" : first === events ? eventsCode : "bytes-timeout");
  };
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };

  return {
    wait() {
      since = performance.now();
      end ??= since + totalMs;
      if (!timer) check();
      return since;
    },
    arrive(hasEvent) {
      if (hasEvent) {
        if (eventsCode !== "events-timeout") stop(); // the next limit may be shorter
        eventsCode = "events-timeout";
        eventsLeft = eventsMs;
      } else eventsLeft -= performance.now() - (since ?? 0);
      since = undefined;
    },
    stop,
  };
}
