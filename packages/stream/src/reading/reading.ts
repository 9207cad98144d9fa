import type { DecodingOptions } from "../framing/decoding-options.ts";
import type { Timeouts } from "./timeouts.ts";
import type { StreamEvent } from "../events/event.ts";
import type { Outcome } from "./outcome.ts";
import type { AutomationSnapshot } from "../events/snapshot.ts";
import type { StreamError } from "../errors/stream-error.ts";

/** Options of the reading of a stream. */
export interface AutomationStreamOptions extends DecodingOptions {
  /** Ends the reading at once when it aborts, even when the source never answers. Does not stop the run itself. */
  readonly signal?: AbortSignal | undefined;
  /** How long is waited. Default: 5 minutes without bytes, 15 minutes without an event. */
  readonly timeouts?: Timeouts | undefined;
  /** Is told once how the stream ended, when the caller is; it starts no reading. See `callbackError` for what it throws. Default: nobody. */
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
}

/** A stream that is being read: its events, once, and how it ended. Source: interface § Events. */
export interface AutomationStream extends AsyncIterable<StreamEvent> {
  /**
   * Starts the one iteration. It ends after the terminal event, and quietly when the caller leaves.
   *
   * Events that came before a failure are delivered before it is thrown, unless the caller aborted. Nothing is read
   * ahead of the consumer but the chunk in hand.
   *
   * @throws {StreamError} `misuse` when the events are already read in another way.
   */
  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, undefined>;
  /**
   * The same in batches: all events of a chunk at once, at least one. For gateways, where a promise per event costs.
   *
   * @throws {StreamError} `misuse` when the events are already read in another way.
   */
  batches(): AsyncIterable<StreamEvent[]>;
  /**
   * The same as a ReadableStream of events, which asks for an event when its reader does.
   *
   * @throws {StreamError} `misuse` when the events are already read in another way.
   */
  toReadableStream(): ReadableStream<StreamEvent>;
  /**
   * How the stream ended: exactly one value whatever happens. Never rejects.
   *
   * While somebody iterates, it settles when the iteration does, so don't wait for it inside the loop. When nobody
   * iterates, it reads the stream to its end and drops the events.
   */
  outcome(): Promise<Outcome>;
  /**
   * `misuse`, whose `cause` is what `onReport` or `onOutcome` threw or rejected with first; `undefined` when neither did.
   *
   * It changes neither events nor outcome, and is known one turn of the event loop after the callback failed.
   */
  readonly callbackError: StreamError | undefined;
  /** Snapshot of the events delivered so far; a new object each time it is asked for. */
  readonly snapshot: AutomationSnapshot;
  /** Stops reading and lets go of the source, without waiting for it. Does nothing after the end. Does not stop the run. */
  cancel(): Promise<void>;
  /** The same as `cancel`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
