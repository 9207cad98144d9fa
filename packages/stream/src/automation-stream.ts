import { createAutomationDecoder, type DecodingOptions } from "./automation-decoder.ts";
import { openSource, quietly, withGiven, type AutomationSource } from "./byte-source.ts";
import { createClocks, maxTurnMs, type Timeouts } from "./clocks.ts";
import { demand, isCallback, isOptions, isSignal } from "./demand.ts";
import { isTerminalEvent, type StreamEvent, type TerminalEvent } from "./event.ts";
import type { Outcome } from "./outcome.ts";
import { createTally, type AutomationSnapshot } from "./snapshot.ts";
import { attachSnapshot, StreamError, type StreamErrorCode, type StreamErrorDetails } from "./stream-error.ts";

/** How a stream is read. */
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

/**
 * Reads an automation stream to its terminal event, and tells how it ended.
 *
 * Both framings are read: a blank line between events, or a single line end. It stops at the terminal event, whether the
 * source ends or not. It never connects again and never asks for a run: that would start, and bill, another one.
 *
 * Source: interface § Events, interface § States and transitions.
 *
 * @throws {StreamError} `misuse` when the source can't be read. Any other code comes with the iteration and with
 * `outcome()`.
 */
export function readAutomationStream(
  source: AutomationSource,
  options: AutomationStreamOptions = {},
): AutomationStream {
  return withGiven(() => open(source, options));
}

function open(source: AutomationSource, options: AutomationStreamOptions): AutomationStream {
  demand({ options: isOptions(options) });
  const { signal, timeouts = {}, onOutcome, onReport, ...decoding } = options;
  demand({
    signal: isSignal(signal),
    timeouts: isOptions(timeouts),
    onOutcome: isCallback(onOutcome),
    onReport: isCallback(onReport),
  });
  let events: StreamEvent[] = []; // decoded; empty as soon as the last of them is delivered
  let taken = 0; // how many of them are delivered
  let ending: Outcome | undefined; // as soon as it is known; events that came before may still wait
  let settled = false; // the caller knows the end
  let used = false;
  let thrown = false;
  let asked = 0; // when the last read began
  let turned = 0; // when the event loop last had a turn for sure
  let callbackError: StreamError | undefined;
  let reading: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  let resolveOutcome: (outcome: Outcome) => void;
  const outcome = new Promise<Outcome>((resolve) => {
    resolveOutcome = resolve;
  });
  const head: number[] = []; // the first 512 bytes of content without any data line
  const tally = createTally();

  const finish = (how: Outcome): void => {
    if (ending) return;
    ending = how;
    clocks.stop();
    bytes.release();
    wake?.();
  };
  const breakOff = (error: StreamError): void => finish({ type: "broken", error });
  const clocks = createClocks(timeouts, (code) => expire(code));
  /** That a callback fails changes nothing of what is read. */
  const tell = <Given>(callback: ((given: Given) => unknown) | undefined, given: Given): void => {
    quietly(
      () => callback?.(given),
      (cause) => (callbackError ??= new StreamError("misuse", "a callback failed", { cause })),
    );
  };
  const decoder = createAutomationDecoder({
    ...decoding,
    onReport: (report) => tell(onReport, report),
    onEvent(event) {
      if (settled) return; // a report made the caller leave
      events.push(event);
      if (isTerminalEvent(event)) finish(outcomeOf(event));
    },
  });
  const bytes = openSource(source);

  /** From here on nothing changes the end. */
  const settle = (): void => {
    if (settled || !ending) return;
    settled = true;
    signal?.removeEventListener("abort", onAbort);
    if (ending.type === "broken") attachSnapshot(ending.error, tally.snapshot());
    tell(onOutcome, ending);
    resolveOutcome(ending);
  };
  /** The caller wants no more: what waits is dropped. */
  const stop = (how: Outcome): void => {
    if (settled) return;
    events = [];
    finish(how);
    ending = how;
    settle();
  };
  const leave = async (): Promise<void> => stop({ type: "left" });
  const onAbort = (): void =>
    stop({ type: "broken", error: new StreamError("aborted", undefined, { cause: signal?.reason }) });

  /** Nothing more will be read: completes what is in hand, and breaks off unless that was terminal. */
  const conclude = (code: StreamErrorCode, details?: StreamErrorDetails): void => {
    let { refusal } = bytes; // the head of a response says more than what came of its body
    const text = new TextDecoder().decode(Uint8Array.from(head));
    if (!refusal) {
      decoder.end();
      if (code === "ended-early" && !decoder.dataLines && !beginning.test(text)) refusal = "not-a-stream";
    }
    breakOff(
      refusal
        ? new StreamError(refusal, undefined, { status: bytes.status, head: text })
        : new StreamError(code, undefined, details),
    );
  };
  /** Lets `act` work on what the source gave, unless it ended meanwhile. Never throws. */
  const guarded =
    <Given>(act: (given: Given) => void) =>
    (given: Given): void => {
      try {
        if (!ending) act(given);
      } catch (cause) {
        breakOff(cause instanceof StreamError ? cause : new StreamError("connection-lost", undefined, { cause }));
      }
    };
  const expire = guarded((code: StreamErrorCode) => conclude(code));
  const fail = guarded((cause: unknown) => conclude("connection-lost", { cause }));
  const take = guarded(({ done, value }: IteratorResult<Uint8Array, unknown>) => {
    if (done) return conclude("ended-early");
    // In Jest, what `fetch` gives is of another realm: no instance of the class that is known here.
    if (value?.[Symbol.toStringTag] !== "Uint8Array") throw new StreamError("misuse", "the chunk is not a Uint8Array");
    if (!decoder.dataLines) head.push(...value.subarray(0, 512 - head.length));
    if (bytes.refusal) return conclude(bytes.refusal);
    decoder.feed(value);
    if (ending) decoder.end();
    clocks.arrive(events.length > 0);
    // Not before the read: a source that fails meanwhile would drop what it has at hand.
    if (asked > turned + maxTurnMs) {
      turned = asked;
      setTimeout(() => wake?.());
    } else wake?.();
  });
  const begin = guarded(() => void bytes.read().then(take, fail));
  /** Reads one chunk; resolves when it was decoded, or when the reading ended. Never rejects. */
  const read = (): Promise<void> => {
    reading ??= new Promise((resolve) => {
      wake = () => {
        reading = undefined;
        resolve();
      };
      asked = clocks.wait();
      turned ||= asked;
      begin(0);
    });
    return reading;
  };

  /** The one way through the events: one by one, or all that wait. */
  const iterate = <Item extends object>(shift: () => Item | undefined): AsyncIterableIterator<Item, undefined> => {
    if (used) throw new StreamError("misuse", "events can be read once, and not after outcome()");
    used = true;
    return {
      async next() {
        let value = shift();
        while (!value) {
          if (ending) {
            settle();
            if (ending.type !== "broken" || thrown) return { done: true, value: undefined };
            thrown = true;
            throw ending.error;
          }
          await read();
          value = shift();
        }
        if (events.length === 0 && ending?.type !== "broken") settle();
        return { done: false, value };
      },
      async return() {
        await leave();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };
  const one = (): StreamEvent | undefined => {
    const event = events[taken++];
    if (taken >= events.length) {
      events = [];
      taken = 0;
    }
    if (event) tally.add(event);
    return event;
  };
  const all = (): StreamEvent[] | undefined => {
    const batch = events;
    events = [];
    batch.forEach(tally.add);
    return batch[0] && batch;
  };

  const drain = async (): Promise<void> => {
    for await (const _ of iterate(all));
  };

  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort);

  return {
    [Symbol.asyncIterator]: () => iterate(one),
    batches: () => iterate(all),
    toReadableStream() {
      const iterator = iterate(one);
      return new ReadableStream<StreamEvent>(
        {
          async pull(controller) {
            const { done, value } = await iterator.next();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: leave,
        },
        { highWaterMark: 0 },
      );
    },
    outcome() {
      if (!used) drain().catch(() => outcome); // the error is part of the outcome
      return outcome;
    },
    get snapshot() {
      return tally.snapshot();
    },
    get callbackError() {
      return callbackError;
    },
    cancel: leave,
    [Symbol.asyncDispose]: leave,
  };
}

/** How content without any data line begins, if it is an event stream all the same. */
const beginning = /^\s*(?:$|:|(?:event|id|retry)\b)/;

/** The outcome that a terminal event means. */
function outcomeOf(event: TerminalEvent): Outcome;
function outcomeOf(event: TerminalEvent): object {
  return { type: event.type, event };
}
