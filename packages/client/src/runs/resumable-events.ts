import { StreamError } from "@cloud-browser/stream";
import { ClientError } from "../errors/client-error.ts";
import { createYield } from "../event-loop.ts";
import { createDeliveredEvents } from "./delivered-events.ts";
import { createEventLines, type EventBlock } from "./event-lines.ts";

/** Opens the events after the one with the given id, or all events without an id. Resolves with undefined when the run has no more. */
export type OpenEvents = (
  after: string | undefined,
  signal: AbortSignal,
) => Promise<ReadableStream<Uint8Array> | undefined>;

/** Events with ids, from as many connections as that takes. */
export interface ResumableEvents {
  /** Events as bytes: one per read, each complete and once. */
  readonly source: ReadableStream<Uint8Array>;
  /** Id of the last event that was given. */
  readonly lastId: () => string | undefined;
}

/** First and longest delay of the exponential backoff before a reconnection, in milliseconds; starts again after an event. */
const backoffMs = { first: 250, longest: 10_000 } as const;

/** Possible beginnings of an event stream that is cut anywhere. */
const beginning = /^\s*(?::|(?:d|da|dat|data|e|ev|eve|even|event|i|id|r|re|ret|retr|retry)?(?::|$))/;

/** Largest event, in characters. */
const maxEventCharacters = 2 ** 26;

/**
 * Joins the events of several connections: when one breaks off, or ends, the next one resumes after the last complete event.
 * Ends after the last event, and when `open` rejects with an error that is not retryable. Cancelling the source stops it.
 *
 * @param maxPauseMs - longest pause that a service may ask for with `Retry-After`; its error counts as not retryable when it
 * asks for a longer one
 */
export function resumableEvents(
  open: OpenEvents,
  after: string | undefined,
  maxPauseMs: number = Infinity,
): ResumableEvents {
  const left = new AbortController();
  const encoder = new TextEncoder();
  const delivered = createDeliveredEvents(after);
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let decoder = new TextDecoder();
  let lines = createEventLines();
  /** Beginning of the data of a connection, until it is known to be an event stream. */
  let head = "";
  let blocks: EventBlock[] = [];
  /** Connections in a row that gave no event. */
  let failures = 0;

  const connect = async (): Promise<boolean> => {
    for (;;) {
      try {
        reader = (await open(delivered.lastId, left.signal))?.getReader();
        decoder = new TextDecoder();
        lines = createEventLines();
        head = "";
        delivered.connect();
        return reader !== undefined;
      } catch (error) {
        if (left.signal.aborted || !(error instanceof ClientError && error.retryable)) throw error;
        const { retryAfterMs = 0 } = error;
        if (retryAfterMs > maxPauseMs) throw error;
        await backOff(retryAfterMs);
      }
    }
  };
  const backOff = async (atLeastMs = 0): Promise<void> => {
    const ms = Math.min(backoffMs.longest, backoffMs.first * 2 ** failures);
    failures += 1;
    await pause(Math.max(atLeastMs, ms * (1 - Math.random() / 2)), left.signal);
    left.signal.throwIfAborted();
  };
  /** Returns the next complete block: an event that was not delivered yet, or a comment. */
  const whole = (): string | undefined => {
    for (let block = blocks.shift(); block; block = blocks.shift()) {
      if (!block.hasData) return block.text;
      failures = 0;
      if (delivered.add(block)) return block.text;
    }
    return undefined;
  };
  const yieldWhenDue = createYield();
  const next = async (): Promise<string | undefined> => {
    for (; !left.signal.aborted; await yieldWhenDue()) {
      const block = whole();
      if (block !== undefined) return block;
      if (lines.held > maxEventCharacters) throw new ClientError("too-large", "an event is too large");
      if (!reader && !(await connect())) return undefined;
      const chunk = await reader?.read().catch(() => undefined);
      const text = chunk?.value ? decoder.decode(chunk.value, { stream: true }) : "";
      if (!lines.isStream && head.length < 512) head += text;
      blocks = [...lines.add(text)];
      if (chunk?.value) continue;
      blocks.push(...lines.end());
      // Of a connection that broke off, it can't be known what would have come.
      if (chunk?.done && !lines.isStream && !beginning.test(head)) {
        throw new StreamError("not-a-stream", "the run was answered with something else than an event stream", {
          head: head.slice(0, 512),
        });
      }
      reader = undefined;
      if (blocks.length === 0) await backOff();
    }
    return undefined;
  };
  const source = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const block = await next().catch((error: unknown) => {
          if (!left.signal.aborted) throw error;
        });
        if (left.signal.aborted) return;
        if (block === undefined) controller.close();
        else controller.enqueue(encoder.encode(block));
      },
      cancel() {
        left.abort();
        void reader?.cancel().catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return { source, lastId: () => delivered.lastId };
}

/** Waits for a time or until an abort. Leaves no timer and no listener. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener("abort", wake);
  });
}
