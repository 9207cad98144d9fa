import { demand, isPositive } from "../input/check-options.ts";
import type { StreamErrorCode } from "../errors/stream-error.ts";

/**
 * How long a stream is waited for, in milliseconds; `Infinity` waits for ever. Time in which nobody reads does not count.
 *
 * Does not lengthen what the source itself waits: the `fetch` of Node.js gives up after 300 s without bytes.
 *
 * The interface does not show how long a stream may last or be silent.
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

/** How long a source that always has bytes at hand may keep the event loop from its timers and aborts, in milliseconds. */
export const maxTurnMs = 40;

/** Watches over reads. */
export interface Clocks {
  /** A read begins. Gives the time. */
  wait(): number;
  /** A read ended, with or without an event. */
  arrive(hasEvent: boolean): void;
  /** Nothing is watched any more. */
  stop(): void;
}

/**
 * Makes the clocks of one stream. There is one timer for all, and it is set anew only when it fires: chunks cost no timer.
 *
 *
 * @param onExpire - called once: while a read waits, or when one begins too late.
 * @throws {StreamError} `misuse` when a limit is not a positive number.
 */
export function createClocks(timeouts: Timeouts, onExpire: (code: StreamErrorCode) => void): Clocks {
  const { bytesMs = 300_000, eventsMs = 900_000, firstEventMs = eventsMs, totalMs = Infinity } = timeouts;
  demand({ timeouts: [bytesMs, eventsMs, firstEventMs, totalMs].every(isPositive) });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end: number | undefined; // of the whole
  let since: number | undefined; // start of the read that waits
  let eventsLeft = firstEventMs; // to wait for the next event, in this read and those to come
  let eventsCode: StreamErrorCode = "first-event-timeout";

  /** Sets the timer, or tells that the time is over. */
  const check = (): void => {
    stop();
    if (since === undefined || end === undefined) return; // nobody reads: the next read sets it again
    const [events, bytes] = [since + eventsLeft, since + bytesMs];
    const first = Math.min(end, events, bytes);
    const left = first - performance.now();
    if (left > 0) timer = setTimeout(check, Math.min(left, 2 ** 31 - 1)); // no timer can be longer
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
        if (eventsCode !== "events-timeout") stop(); // the limit may be a shorter one from here on
        eventsCode = "events-timeout";
        eventsLeft = eventsMs;
      } else eventsLeft -= performance.now() - (since ?? 0);
      since = undefined;
    },
    stop,
  };
}
