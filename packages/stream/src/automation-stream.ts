import { createAutomationDecoder, type DecodingOptions } from "./automation-decoder.ts";
import { openSource, type AutomationSource } from "./byte-source.ts";
import { createClocks, type Timeouts } from "./clocks.ts";
import { isTerminalEvent, type StreamEvent } from "./event.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { createTally, type AutomationSnapshot } from "./snapshot.ts";
import { attachSnapshot, StreamError, type StreamErrorCode } from "./stream-error.ts";

/** How a stream is read. Source: ours. */
export interface AutomationStreamOptions extends DecodingOptions {
  /** Ends the reading at once when it aborts, even when the source never answers. Does not stop the run itself. */
  readonly signal?: AbortSignal | undefined;
  /** How long is waited. Default: 5 minutes without bytes, 15 minutes without an event. */
  readonly timeouts?: Timeouts | undefined;
  /** Is told once how the stream ended, when the caller is; it starts no reading. Must not throw. Default: nobody. */
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
  /** What the events that were delivered have told; a new object each time it is asked for. */
  readonly snapshot: AutomationSnapshot;
  /** Stops reading and lets go of the source, without waiting for it. Does nothing after the end. Does not stop the run. */
  cancel(): Promise<void>;
  /** The same as `cancel`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** How much of the content is kept to show what it was, in bytes. */
const headBytes = 512;

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
  const { signal, timeouts = {}, onOutcome, ...decoding } = options;
  let events: StreamEvent[] = []; // decoded, and not delivered
  let taken = 0;
  let ending: Outcome | undefined; // as soon as it is known; events that came before may still wait
  let settled = false;
  let used = false;
  const tally = createTally();
  let head = new Uint8Array(0);
  let reading: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  let resolveOutcome: (outcome: Outcome) => void;
  const outcome = new Promise<Outcome>((resolve) => {
    resolveOutcome = resolve;
  });

  const finish = (how: Outcome): void => {
    if (ending) return;
    ending = how;
    clocks.stop();
    bytes.release();
    wake?.();
  };
  const breakOff = (error: StreamError): void => finish({ type: "broken", error });
  const clocks = createClocks(timeouts, (code) => expire(code));
  const decoder = createAutomationDecoder({
    ...decoding,
    onEvent(event) {
      if (settled) return; // a report made the caller leave
      events.push(event);
      if (isTerminalEvent(event)) finish(outcomeOf(event));
    },
  });

  const bytes = openSource(source);

  /** The caller knows the end now: from here on nothing changes it. */
  const settle = (how: Outcome): void => {
    if (settled) return;
    settled = true;
    signal?.removeEventListener("abort", onAbort);
    if (how.type === "broken") attachSnapshot(how.error, tally.snapshot());
    resolveOutcome(how);
    onOutcome?.(how);
  };
  /** The caller wants no more: what waits is dropped. */
  const stop = (how: Outcome): void => {
    if (settled) return;
    events = [];
    if (ending) ending = how;
    finish(how);
    settle(how);
  };
  const leave = async (): Promise<void> => stop({ type: "left" });
  const onAbort = (): void =>
    stop({ type: "broken", error: new StreamError("aborted", undefined, { cause: signal?.reason }) });

  const headText = (): string => new TextDecoder().decode(head);
  /** The head of the response says what is wrong. */
  const refuse = (code: StreamErrorCode): void =>
    breakOff(new StreamError(code, undefined, { status: bytes.status, head: headText() }));
  /** Nothing more will be read: completes what is in hand, and breaks off unless that was terminal. */
  const conclude = (why: StreamError): void => {
    decoder.end();
    breakOff(why);
  };
  const onChunk = (chunk: Uint8Array | undefined): void => {
    if (chunk !== undefined && !(chunk instanceof Uint8Array)) {
      throw new StreamError("misuse", "the source gave a chunk that is no Uint8Array");
    }
    if (chunk && decoder.dataLines === 0 && head.length < headBytes)
      head = joined(head, chunk.subarray(0, headBytes - head.length));
    if (bytes.refusal) return refuse(bytes.refusal);
    if (!chunk) return conclude(endedEarly(decoder.dataLines === 0 ? headText() : ""));
    decoder.feed(chunk);
    if (ending) decoder.end();
    clocks.arrive(events.length > 0);
  };
  const onFailure = (cause: unknown): void => {
    if (bytes.refusal) return refuse(bytes.refusal);
    const aborted = cause instanceof Error && /^(?:Abort|Timeout)Error$/.test(cause.name);
    conclude(new StreamError(aborted ? "aborted" : "connection-lost", undefined, { cause }));
  };
  /** Lets `act` work on what the source gave, unless it ended meanwhile. Never throws. */
  const guarded =
    <Given>(act: (given: Given) => void) =>
    (given: Given): void => {
      try {
        if (!ending) act(given);
      } catch (cause) {
        breakOff(cause instanceof StreamError ? cause : new StreamError("misuse", "onReport threw", { cause }));
      }
      wake?.();
    };
  const [take, fail] = [guarded(onChunk), guarded(onFailure)];
  const expire = guarded((code: StreamErrorCode) => {
    if (bytes.refusal) refuse(bytes.refusal);
    else conclude(new StreamError(code));
  });
  /** Reads one chunk; resolves when it was decoded, or when the reading ended. Never rejects. */
  const read = (): Promise<void> => {
    reading ??= new Promise((resolve) => {
      wake = () => {
        reading = undefined;
        resolve();
      };
      clocks.wait();
      if (ending) wake();
      else void bytes.read().then(take, fail);
    });
    return reading;
  };

  /** The one way through the events: one by one, or all that wait. */
  const iterate = <Item>(shift: () => Item): AsyncIterableIterator<Item, undefined> => {
    if (used) throw new StreamError("misuse", "the events can be read once, and before outcome()");
    used = true;
    let thrown = false;
    const advance = (): Promise<IteratorResult<Item, undefined>> => {
      if (taken < events.length) {
        const value = shift();
        if (ending && taken >= events.length && ending.type !== "broken") settle(ending);
        return Promise.resolve({ done: false, value });
      }
      if (!ending) return whenReady();
      settle(ending);
      if (ending.type !== "broken" || thrown) return Promise.resolve({ done: true, value: undefined });
      thrown = true;
      return Promise.reject(ending.error);
    };
    /** A loop, and no chain of promises: that would grow with every heartbeat. */
    const whenReady = async (): Promise<IteratorResult<Item, undefined>> => {
      for (;;) {
        await read();
        if (ending || taken < events.length) return advance();
      }
    };
    return {
      next: advance,
      return: () => leave().then(() => ({ done: true, value: undefined })),
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };
  const one = (): StreamEvent => {
    const event = events[taken++];
    if (taken >= events.length) {
      events = [];
      taken = 0;
    }
    if (!event) throw new StreamError("misuse");
    tally.add(event);
    return event;
  };
  const all = (): StreamEvent[] => {
    const batch = events;
    events = [];
    for (const event of batch) tally.add(event);
    return batch;
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
      if (!used) {
        const iterator = iterate(all);
        const drain = async (): Promise<void> => {
          while (!(await iterator.next()).done);
        };
        drain().catch(() => outcome); // the error is part of the outcome
      }
      return outcome;
    },
    get snapshot() {
      return tally.snapshot();
    },
    cancel: leave,
    [Symbol.asyncDispose]: leave,
  };
}

/** @param head - the beginning of content without any data line; empty otherwise. */
function endedEarly(head: string): StreamError {
  const isStream = /^\s*(?:$|:|(?:data|event|id|retry)(?:[:\s]|$))/.test(head);
  return isStream ? new StreamError("ended-early") : new StreamError("not-a-stream", undefined, { head });
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
