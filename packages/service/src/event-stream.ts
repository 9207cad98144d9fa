import pTimeout from "p-timeout";

/** Idle time after which a comment keeps the stream alive, in milliseconds. */
const heartbeatMs = 15_000;

/** How a reader ended: the body was over, or the reader disconnected before. */
export type ReaderEnd = "over" | "disconnected";

/** The next part of a stream of events. */
export interface EventText {
  /** Events and comments as they are sent; empty for none, and more is asked for. */
  readonly text: string;
  /** True for the end of the stream. */
  readonly isLast?: true;
}

/** Source of the events of a stream. */
export interface EventSource {
  /** Returns the next part; called when the reader has room for it. The signal aborts when nothing more is to be sent. */
  readonly next: (signal: AbortSignal) => Promise<EventText>;
  /** Called once, when the body has ended or its reader has disconnected. */
  readonly onClose: (end: ReaderEnd) => void;
  /** Ends the stream where it is. Default: never. */
  readonly ended?: AbortSignal;
}

/** Returns a body of server-sent events. Nothing is read ahead of the reader. */
export function writeEventStream({ next, onClose, ended }: EventSource): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const stop = new AbortController();
  let isDisconnected = false;
  const close = (end: ReaderEnd): void => {
    if (stop.signal.aborted) return;
    stop.abort();
    onClose(end);
  };
  ended?.addEventListener("abort", () => close("over"), { once: true });
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          for (;;) {
            const piece = await next(stop.signal);
            if (stop.signal.aborted) break;
            if (piece.text !== "") controller.enqueue(encoder.encode(piece.text));
            if (piece.isLast) break;
            if (piece.text !== "") return;
          }
        } catch (error) {
          if (!stop.signal.aborted) {
            close("over");
            throw error;
          }
        }
        if (isDisconnected) return;
        close("over");
        controller.close();
      },
      cancel: () => {
        isDisconnected = true;
        close("disconnected");
      },
    },
    { highWaterMark: 0 },
  );
}

/** Returns an event as it is sent: JSON in one line, and an id where readers can resume after it. */
export function writeEvent(event: string, id?: number | string): string {
  const data = `data: ${event}\n\n`;
  return id === undefined ? data : `id: ${id}\n${data}`;
}

/** Waits until there is something to send. Resolves with nothing to send then, and with a comment when nothing comes for a while. */
export async function waitForEvents(more: Promise<unknown>, signal: AbortSignal): Promise<string> {
  return pTimeout(
    more.then(() => ""),
    { milliseconds: heartbeatMs, fallback: () => ": alive\n\n", signal },
  );
}
