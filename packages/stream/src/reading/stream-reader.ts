import { createAutomationDecoder } from "../framing/automation-decoder.ts";
import { quietly, type AutomationSource } from "../input/byte-source.ts";
import { assertOptions, isCallback, isOptions, isSignal } from "../input/check-options.ts";
import { StreamError, type StreamErrorCode, type StreamErrorDetails } from "../errors/stream-error.ts";
import { isTerminal, type StreamEvent, type TerminalEvent } from "../events/event.ts";
import { createTally, type AutomationSnapshot } from "../events/snapshot.ts";
import type { AutomationStreamOptions } from "./automation-stream.ts";
import { createChunkReader } from "./chunk-reader.ts";
import type { Outcome } from "./outcome.ts";

/** Reads a source to its outcome. */
export interface StreamReader {
  /** Takes the next decoded event for delivery; undefined when there is none. */
  readonly take: () => StreamEvent | undefined;
  /** Takes all decoded events for delivery; undefined when there are none. */
  readonly takeAll: () => StreamEvent[] | undefined;
  /** Returns the snapshot of the delivered events. */
  readonly snapshot: () => AutomationSnapshot;
  /** Reads and decodes a chunk; resolves when that is done, or when reading has ended. Never rejects. */
  readonly read: () => Promise<void>;
  /** Settles the outcome if reading has ended, and returns it; undefined while reading. */
  readonly settle: () => Outcome | undefined;
  /** Stops reading, discards undelivered events, and settles the outcome `left`. Does nothing when it is settled. */
  readonly leave: () => Promise<void>;
  /** Resolves when the outcome is settled. */
  readonly outcome: Promise<Outcome>;
  /** Error of the first callback that failed; undefined when none did. */
  readonly callbackError: StreamError | undefined;
}

/**
 * Creates the reader of a stream, a state machine: it is *reading* until the stream ends; *ending* while events that came
 * before are delivered; and *settled* when the caller gets the outcome, which is final then.
 *
 * @throws {StreamError} `misuse` when an option is invalid; otherwise what the source or an option throws.
 */
export function createStreamReader(source: AutomationSource, options: AutomationStreamOptions): StreamReader {
  assertOptions({ options: isOptions(options) });
  const { signal, timeouts = {}, onOutcome, onReport, ...decoding } = options;
  assertOptions({
    signal: isSignal(signal),
    timeouts: isOptions(timeouts),
    onOutcome: isCallback(onOutcome),
    onReport: isCallback(onReport),
  });
  /** Outcome of reading; undefined while reading. */
  let ending: Outcome | undefined;
  /** The outcome that the caller got; undefined until it is settled. */
  let settled: Outcome | undefined;
  /** Error of the first callback that failed. */
  let callbackError: StreamError | undefined;
  /** The first 512 bytes of content before its first data line. */
  const head: number[] = [];
  /** Decoded events, the delivered ones first; an empty array as soon as all are delivered. */
  let events: StreamEvent[] = [];
  /** Number of delivered events in `events`. */
  let delivered = 0;
  const { add, snapshot } = createTally();
  let resolveOutcome: (outcome: Outcome) => void;
  const outcome = new Promise<Outcome>((resolve) => {
    resolveOutcome = resolve;
  });

  /** Creates the outcome of a failure. Its error has the snapshot of the delivered events. */
  const broken = (code: StreamErrorCode, details?: StreamErrorDetails, message?: string): Outcome => ({
    type: "broken",
    error: new StreamError(code, message, { ...details, snapshot }),
  });
  /** Ends reading. The first ending counts. */
  const end = (how: Outcome): void => {
    if (ending) return;
    ending = how;
    chunks.stop();
  };
  const settle = (): Outcome | undefined => {
    if (settled || !ending) return settled;
    signal?.removeEventListener("abort", onAbort);
    settled = ending;
    call(onOutcome, settled);
    resolveOutcome(settled);
    return settled;
  };
  /** Ends reading for the caller, who gets no more events. */
  const stop = (how: Outcome): void => {
    if (settled) return;
    events = [];
    end(how);
    ending = how;
    settle();
  };
  const onAbort = (): void => stop(broken("aborted", { cause: signal?.reason }));
  /** Calls back. An error of the callback does not affect reading. */
  const call = <Value>(callback: ((value: Value) => unknown) | undefined, argument: Value): void => {
    quietly(
      () => callback?.(argument),
      (cause) => (callbackError ??= new StreamError("misuse", "callback failed", { cause })),
    );
  };

  /** Performs a step of reading, unless it has ended. An error of the step ends it. */
  const step = (act: () => void): void => {
    try {
      if (!ending) act();
    } catch (cause) {
      end(cause instanceof StreamError ? broken(cause.code, {}, cause.message) : broken("connection-lost", { cause }));
    }
  };
  /** The content is complete: decodes the rest of it, and fails unless that has a terminal event. */
  const conclude = (code: StreamErrorCode, details?: StreamErrorDetails): void => {
    let { refusal } = chunks; // status and content type of a response say more than its body
    const text = new TextDecoder().decode(Uint8Array.from(head));
    if (!refusal) {
      decoder.end();
      if (code === "ended-early" && !decoder.dataLines && !beginning.test(text)) refusal = "not-a-stream";
    }
    end(broken(refusal ?? code, refusal ? { status: chunks.status, head: text } : details));
  };

  /** Ends with the error of a source that reads a stream itself. */
  const give = (error: StreamError): void =>
    end(broken(error.code, { status: error.status, head: error.head }, error.message));

  /** Decodes a chunk, or ends with the source. A faulty source may have given anything. */
  const decode = ({ done, value: chunk }: IteratorResult<Uint8Array | undefined, unknown>): void => {
    if (done) return conclude("ended-early");
    // In Jest, a chunk of `fetch` is of another realm, and not an instance of this one's Uint8Array.
    if (chunk?.[Symbol.toStringTag] !== "Uint8Array") throw new StreamError("misuse", "chunk is not a Uint8Array");
    if (!decoder.dataLines) head.push(...chunk.subarray(0, 512 - head.length));
    if (chunks.refusal) return conclude(chunks.refusal);
    decoder.feed(chunk);
    if (ending) decoder.end();
  };

  const decoder = createAutomationDecoder({
    ...decoding,
    onReport: (report) => call(onReport, report),
    onEvent(event) {
      if (settled) return; // a callback made the caller leave
      events.push(event);
      if (isTerminal(event)) end(toOutcome(event));
    },
  });
  const chunks = createChunkReader(
    source,
    timeouts,
    (result) => {
      step(() => decode(result));
      return events.length > 0;
    },
    (cause) => step(() => (cause instanceof StreamError ? give(cause) : conclude("connection-lost", { cause }))),
    (code) => step(() => conclude(code)),
  );
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);

  /** All events are delivered: settles the outcome, unless its error is still to be thrown. */
  const clear = (): void => {
    events = [];
    delivered = 0;
    if (ending?.type !== "broken") settle();
  };
  return {
    take() {
      const event = events[delivered++];
      if (event) add(event);
      if (delivered >= events.length) clear();
      return event;
    },
    takeAll() {
      const batch = events;
      batch.forEach(add);
      clear();
      return batch[0] && batch;
    },
    snapshot,
    read: chunks.read,
    settle,
    leave: async () => stop({ type: "left" }),
    outcome,
    get callbackError() {
      return callbackError;
    },
  };
}

/** The beginning of an event stream without data lines. */
const beginning = /^\s*(?:$|:|(?:event|id|retry)\b)/;

/** Returns the outcome of a terminal event. */
function toOutcome(event: TerminalEvent): Outcome;
function toOutcome(event: TerminalEvent): object {
  return { type: event.type, event };
}
