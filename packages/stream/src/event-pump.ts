import { createAutomationDecoder, type AutomationDecoderOptions } from "./automation-decoder.ts";
import type { ByteSource, Refusal } from "./byte-source.ts";
import { isTerminalEvent, type StreamEvent } from "./event.ts";
import { outcomeOf, type Outcome } from "./outcome.ts";
import { StreamError } from "./stream-error.ts";

/** Moves bytes of a source, on demand, into a queue of events. */
export interface EventPump {
  /** Takes the oldest event that waits; `undefined` when none does. */
  shift(): StreamEvent | undefined;
  /** How it ends, as soon as that is known. Events that came before may still wait. */
  readonly ending: Outcome | undefined;
  /** Reads one chunk; resolves when it was decoded, or when the pump was stopped. Never rejects. */
  pull(): Promise<void>;
  /** Ends at once: drops what waits, lets go of the source, wakes who waits for `pull`. */
  stop(ending: Outcome): void;
}

/** How much of the content is kept to show what it was, in bytes. */
const headBytes = 512;

/** Makes a pump that reads one chunk per `pull`, and nothing before the first. */
export function createEventPump(source: ByteSource, options: Omit<AutomationDecoderOptions, "onEvent">): EventPump {
  let events: StreamEvent[] = [];
  let cursor = 0; // events before it have been taken
  let ending: Outcome | undefined;
  let head = new Uint8Array(0);
  let reading: Promise<void> | undefined;
  let wake: (() => void) | undefined;
  const decoder = createAutomationDecoder({
    ...options,
    onEvent(event) {
      events.push(event);
      if (isTerminalEvent(event)) ending = outcomeOf(event);
    },
  });

  const breakOff = (error: StreamError): void => {
    ending ??= { type: "broken", error };
    source.release();
  };
  /** Nothing more will be read: completes what is in hand, and breaks off unless that was terminal. */
  const conclude = (why: () => StreamError): void => {
    decoder.end();
    if (ending) source.release();
    else breakOff(why());
  };
  const onChunk = (chunk: Uint8Array | undefined): void => {
    if (chunk !== undefined && !(chunk instanceof Uint8Array)) {
      throw new StreamError("misuse", "the source gave a chunk that is not bytes: it must give Uint8Array");
    }
    if (chunk && decoder.dataLines === 0) head = joined(head, chunk.subarray(0, headBytes - head.length));
    if (source.refusal) return breakOff(refused(source.refusal, textOf(head)));
    if (!chunk) return conclude(() => endedEarly(decoder.dataLines === 0 ? textOf(head) : ""));
    decoder.feed(chunk);
    if (ending) conclude(() => endedEarly(""));
  };
  const onFailure = (error: unknown): void => {
    if (source.refusal) breakOff(refused(source.refusal, ""));
    else conclude(() => lost(error));
  };

  /** Lets `act` work on what the source gave, unless the pump was stopped meanwhile. Never throws. */
  const guarded =
    <T>(act: (given: T) => void) =>
    (given: T): void => {
      if (ending) return;
      try {
        act(given);
      } catch (cause) {
        breakOff(cause instanceof StreamError ? cause : new StreamError("misuse", "onReport threw", { cause }));
      }
    };

  return {
    get ending() {
      return ending;
    },
    shift() {
      const event = events[cursor++];
      if (cursor >= events.length) {
        events = [];
        cursor = 0;
      }
      return event;
    },
    pull() {
      reading ??= new Promise((resolve) => {
        wake = () => {
          reading = undefined;
          resolve();
        };
        void source.read().then(guarded(onChunk), guarded(onFailure)).then(wake);
      });
      return reading;
    },
    stop(as) {
      events = [];
      cursor = 0;
      ending = as;
      source.release();
      wake?.();
    },
  };
}

function refused({ code, message, status }: Refusal, head: string): StreamError {
  return new StreamError(code, message, { status, head });
}

/** @param head - the beginning of content without any data line; empty otherwise. */
function endedEarly(head: string): StreamError {
  const start = head.trimStart();
  if (start === "" || /^(?::|(?:data|event|id|retry)(?:[:\s]|$))/.test(start)) {
    return new StreamError("ended-early", "the stream ended without a terminal event");
  }
  return new StreamError("not-a-stream", "the content is no event stream", { head });
}

function lost(cause: unknown): StreamError {
  const name = cause instanceof Error ? cause.name : "";
  // What `fetch` says when a signal aborts that was given to it, and not to us.
  if (name === "AbortError" || name === "TimeoutError")
    return new StreamError("aborted", "the read was aborted", { cause });
  return new StreamError("connection-lost", "the connection was lost before a terminal event came", { cause });
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
