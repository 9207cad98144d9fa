import { ClientError } from "../errors/client-error.ts";
import { createYield } from "../event-loop.ts";

/** Opens the events after the one with the given id, or all events without an id. Resolves with undefined when the run has no more. */
export type OpenEvents = (
  after: string | undefined,
  signal: AbortSignal,
) => Promise<ReadableStream<Uint8Array> | undefined>;

/** Events with ids, from as many connections as that takes. */
export interface ResumableEvents {
  /** The events as bytes: one at a time, each whole and once, when it is asked for. */
  readonly source: ReadableStream<Uint8Array>;
  /** Id of the last event that was given. */
  readonly lastId: () => string | undefined;
}

/** First and longest delay of the exponential backoff before a reconnection, in milliseconds; starts again after an event. */
const backoffMs = { first: 250, longest: 10_000 } as const;

/** Largest event, in characters. */
const maxEventCharacters = 2 ** 26;

/**
 * Joins the events of several connections: when one breaks off, or ends, the next one resumes after the last complete event.
 * Ends after the last event, and when `open` rejects with an error that is not retryable. Cancelling the source stops it.
 */
export function resumableEvents(open: OpenEvents, after: string | undefined): ResumableEvents {
  const left = new AbortController();
  const encoder = new TextEncoder();
  let last = after;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let decoder = new TextDecoder();
  let rest = "";
  /** Connections in a row that gave no event. */
  let failures = 0;

  const connect = async (): Promise<boolean> => {
    for (;;) {
      try {
        reader = (await open(last, left.signal))?.getReader();
        decoder = new TextDecoder();
        rest = "";
        return reader !== undefined;
      } catch (error) {
        if (left.signal.aborted || !(error instanceof ClientError && error.retryable)) throw error;
        await backOff();
      }
    }
  };
  const backOff = async (): Promise<void> => {
    const ms = Math.min(backoffMs.longest, backoffMs.first * 2 ** failures);
    failures += 1;
    await pause(ms * (1 - Math.random() / 2), left.signal);
    left.signal.throwIfAborted();
  };
  /** Takes the next complete block: an event that was not delivered yet, or a comment. */
  const whole = (): string | undefined => {
    for (let end = rest.indexOf("\n\n"); end !== -1; end = rest.indexOf("\n\n")) {
      const block = rest.slice(0, end + 2);
      rest = rest.slice(end + 2);
      const [, id] = /^id: ?(.*)$/m.exec(block) ?? [];
      if (id === undefined) return block;
      failures = 0;
      // Of a service that replays all events, or a proxy that drops the header.
      if (Number(id) <= Number(last) || id === last) continue;
      last = id;
      return block;
    }
    return undefined;
  };
  const yieldWhenDue = createYield();
  const next = async (): Promise<string | undefined> => {
    for (; !left.signal.aborted; await yieldWhenDue()) {
      const block = whole();
      if (block !== undefined) return block;
      if (rest.length > maxEventCharacters) throw new ClientError("too-large", "an event is too large");
      if (!reader && !(await connect())) return undefined;
      const chunk = await reader?.read().catch(() => undefined);
      if (chunk?.value) rest += decoder.decode(chunk.value, { stream: true });
      else {
        reader = undefined;
        await backOff();
      }
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
  return { source, lastId: () => last };
}

/** Lets time pass, but no longer than until an abort. Leaves no timer and no listener. */
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
