import { createAutomationDecoder } from "../framing/automation-decoder.ts";
import { openSource, quietly, withGiven, type AutomationSource } from "../input/byte-source.ts";
import { createClocks, maxTurnMs } from "./timeouts.ts";
import { demand, isCallback, isOptions, isSignal } from "../input/check-options.ts";
import { isTerminalEvent, type StreamEvent, type TerminalEvent } from "../events/event.ts";
import type { Outcome } from "./outcome.ts";
import type { AutomationStream, AutomationStreamOptions } from "./reading.ts";
import { createTally } from "../events/snapshot.ts";
import { attachSnapshot, StreamError, type StreamErrorCode, type StreamErrorDetails } from "../errors/stream-error.ts";

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
  // It is reading until `ending` is set, ending while events that came before wait, and settled when the caller knows the end.
  /** Holds the decoded events; empty as soon as the last of them is delivered. */
  let events: StreamEvent[] = [];
  /** Counts how many of them are delivered. */
  let taken = 0;
  /** Is the outcome, as soon as it is known: nothing more is read. */
  let ending: Outcome | undefined;
  /** Is true when the caller knows the outcome: nothing changes it any more. */
  let settled = false;
  /** Is true when an iteration has begun, or `outcome()` reads the events: there is no second one. */
  let used = false;
  /** Is true when the iteration has thrown the error of the outcome: it does so once. */
  let thrown = false;
  /** Is the time at which the last read began. */
  let asked = 0;
  /** Is the time at which the event loop last had a turn for sure. */
  let turned = 0;
  /** Holds the error of the first callback that failed. */
  let callbackError: StreamError | undefined;
  /** Is the read that is under way; undefined between two reads. */
  let reading: Promise<void> | undefined;
  /** Resolves that read. */
  let wake: (() => void) | undefined;
  /** Resolves the promise of the outcome. */
  let resolveOutcome: (outcome: Outcome) => void;
  const outcome = new Promise<Outcome>((resolve) => {
    resolveOutcome = resolve;
  });
  /** Holds the first 512 bytes of content that has no data line yet. */
  const head: number[] = [];
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
      (cause) => (callbackError ??= new StreamError("misuse", "callback failed", { cause })),
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
    if (value?.[Symbol.toStringTag] !== "Uint8Array") throw new StreamError("misuse", "chunk is not a Uint8Array");
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
