import { openSource, type AutomationSource } from "./byte-source.ts";
import { createEventPump } from "./event-pump.ts";
import { isTerminalEvent, type StreamEvent } from "./event.ts";
import type { Outcome } from "./outcome.ts";
import { StreamError } from "./stream-error.ts";
import type { StreamReport } from "./stream-report.ts";

/** How a stream is read. Source: ours. */
export interface AutomationStreamOptions {
  /** Ends the reading at once when it aborts, even when the source never answers. Does not stop the run itself. */
  readonly signal?: AbortSignal | undefined;
  /** Receives what is not an event, as soon as it is read. Default: nobody. Must not throw. */
  readonly onReport?: ((report: StreamReport) => void) | undefined;
  /** Largest event, and largest line without an end, in bytes as on the wire. Default: 16 MiB (16777216). */
  readonly maxEventBytes?: number | undefined;
}

/** A stream that is being read: its events, once, and how it ended. Source: interface § Events. */
export interface AutomationStream extends AsyncIterable<StreamEvent> {
  /**
   * Starts the one iteration. It ends after the terminal event, and quietly when the caller leaves.
   *
   * Events that came before a failure are delivered before it is thrown, unless the caller aborted. Nothing is read
   * ahead of the consumer but the chunk in hand.
   *
   * @throws {StreamError} `misuse` when the events are already read by another iteration, or by `outcome()`.
   */
  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, undefined>;
  /**
   * How the stream ended: exactly one value whatever happens. Never rejects.
   *
   * While somebody iterates, it settles when the iteration does, so don't wait for it inside the loop. When nobody
   * iterates, it reads the stream to its end and drops the events.
   */
  outcome(): Promise<Outcome>;
  /** Stops reading and lets go of the source, without waiting for it. Does nothing after the end. Does not stop the run. */
  cancel(): Promise<void>;
  /** The same as `cancel`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Reads an automation stream to its terminal event, and tells how it ended.
 *
 * Both framings are read: a blank line between events, or a single line end. It stops at the terminal event, whether the
 * source ends or not. It never connects again and never asks for a run: that would start, and bill, another one. It has
 * no timeouts of its own.
 *
 * Source: interface § Events, interface § States and transitions.
 *
 * @throws {StreamError} `misuse` when the source can't be read. Any other code comes with the iteration and with
 * `outcome()`: `ended-early`, `connection-lost`, `event-too-large`, `not-a-stream`, `http-status`, `aborted`.
 */
export function readAutomationStream(
  source: AutomationSource,
  options: AutomationStreamOptions = {},
): AutomationStream {
  const { signal, onReport, maxEventBytes } = options;
  const pump = createEventPump(openSource(source), { onReport, maxEventBytes });
  let used = false;
  let thrown = false;
  let settled = false;
  let resolveOutcome: (outcome: Outcome) => void;
  const outcome = new Promise<Outcome>((resolve) => {
    resolveOutcome = resolve;
  });

  /** The caller knows the end now: from here on nothing changes it. */
  const settle = (ending: Outcome): void => {
    if (settled) return;
    settled = true;
    signal?.removeEventListener("abort", onAbort);
    resolveOutcome(ending);
  };
  const stop = (ending: Outcome): void => {
    if (settled) return;
    pump.stop(ending);
    settle(ending);
  };
  const leave = async (): Promise<void> => stop({ type: "left" });
  const onAbort = (): void => {
    const error = new StreamError("aborted", "the caller's signal aborted", { cause: signal?.reason });
    stop({ type: "broken", error });
  };

  const next = async (): Promise<IteratorResult<StreamEvent, undefined>> => {
    while (true) {
      const event = pump.shift();
      if (event) {
        if (pump.ending && isTerminalEvent(event)) settle(pump.ending);
        return { done: false, value: event };
      }
      if (pump.ending) return endOf(pump.ending);
      await pump.pull();
    }
  };
  const endOf = (ending: Outcome): IteratorResult<StreamEvent, undefined> => {
    settle(ending);
    if (ending.type === "broken" && !thrown) {
      thrown = true;
      throw ending.error;
    }
    return { done: true, value: undefined };
  };
  const drain = async (): Promise<void> => {
    let step = await next();
    while (!step.done) step = await next();
  };

  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);

  return {
    [Symbol.asyncIterator]() {
      if (used) throw new StreamError("misuse", "the events can be read once: iterate once, and before outcome()");
      used = true;
      return {
        next,
        async return() {
          await leave();
          return { done: true, value: undefined };
        },
      };
    },
    outcome() {
      if (!used) {
        used = true;
        drain().catch(() => outcome); // the error is part of the outcome
      }
      return outcome;
    },
    cancel: leave,
    [Symbol.asyncDispose]: leave,
  };
}
