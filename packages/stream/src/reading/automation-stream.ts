import type { DecodingOptions } from "../framing/decoding-options.ts";
import type { Timeouts } from "./timeouts.ts";
import type { StreamEvent } from "../events/event.ts";
import type { Outcome } from "./outcome.ts";
import type { AutomationSnapshot } from "../events/snapshot.ts";
import type { StreamError } from "../errors/stream-error.ts";

/** Options for reading a stream. */
export interface AutomationStreamOptions extends DecodingOptions {
  /** Stops reading at once when it aborts, even when the source hangs. Does not stop the run. */
  readonly signal?: AbortSignal | undefined;
  /** Time limits. Default: 5 minutes without bytes, 15 minutes without an event. */
  readonly timeouts?: Timeouts | undefined;
  /** Called once with the outcome, before the iteration ends. Does not start reading. Its errors are in `callbackError`. Default: none. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
}

/** A stream that is being read: its events, which can be read once, and its outcome. Source: interface § Events. */
export interface AutomationStream extends AsyncIterable<StreamEvent> {
  /**
   * Starts the iteration, of which there can be one. It ends after the terminal event, and without an error when the caller
   * leaves it.
   *
   * Events before a failure are delivered before the error is thrown, unless the caller aborted. Only the current chunk is
   * buffered.
   *
   * @throws {StreamError} `misuse` when the events are already being read.
   */
  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, undefined>;
  /**
   * Iterates over batches: all events of a chunk at once, at least one. For gateways, where a promise per event is costly.
   *
   * @throws {StreamError} `misuse` when the events are already being read.
   */
  batches(): AsyncIterable<StreamEvent[]>;
  /**
   * Returns the events as a ReadableStream, which pulls an event when its reader does.
   *
   * @throws {StreamError} `misuse` when the events are already being read.
   */
  toReadableStream(): ReadableStream<StreamEvent>;
  /**
   * Resolves with how the stream ended. Never rejects.
   *
   * During an iteration it resolves when the iteration ends, so don't await it inside the loop. Without an iteration it
   * reads the stream to its end and discards the events.
   */
  outcome(): Promise<Outcome>;
  /**
   * `misuse`, whose `cause` is the first error that `onReport` or `onOutcome` threw or rejected with; `undefined` if there is none.
   *
   * Such an error changes neither events nor outcome. It is available one turn of the event loop after the callback failed.
   */
  readonly callbackError: StreamError | undefined;
  /** Snapshot of the events delivered so far; a new object on each access. Not enumerable: it may have secrets. */
  readonly snapshot: AutomationSnapshot;
  /** Stops reading and releases the source without waiting for it. Does nothing after the end. Does not stop the run. */
  cancel(): Promise<void>;
  /** The same as `cancel`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
