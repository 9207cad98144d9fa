import type { ProgressEvent, TerminalEvent } from "./work.ts";

/** How long nothing may be written before a comment tells that the stream lives, in milliseconds. */
const heartbeatMs = 15_000;

/** How much may wait to be read before writers wait, in bytes. */
const roomBytes = 64 * 1024;

/**
 * The events of one run as server-sent events: one line of data each, written when it happens, and exactly one that ends it.
 *
 * Source: interface § Endpoints, § Events.
 */
export class EventStream {
  /** Body of the response. */
  readonly body: ReadableStream<Uint8Array>;
  /** The event that ended the stream; waits until it has. */
  readonly ended: Promise<TerminalEvent>;
  readonly #encoder = new TextEncoder();
  readonly #gone = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #room = Promise.withResolvers<void>();
  #hasEnded = false;
  readonly #tellEnd: (event: TerminalEvent) => void;

  constructor() {
    const end = Promise.withResolvers<TerminalEvent>();
    this.ended = end.promise;
    this.#tellEnd = end.resolve;
    const strategy = { highWaterMark: roomBytes, size: (chunk: Uint8Array | undefined) => chunk?.byteLength ?? 0 };
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#room.resolve(),
        cancel: () => this.#leave(),
      },
      strategy,
    );
    this.#heartbeat = setInterval(() => {
      if (this.#hasRoom) this.#write(": alive\n\n");
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Aborts when the reader goes away before the end. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Writes an event. Resolves when there is room for the next one, or when nobody reads any more; after the end nothing happens. */
  async tell(event: ProgressEvent): Promise<void> {
    if (this.#hasEnded) return;
    this.#writeEvent(event);
    if (this.#hasRoom) return;
    this.#room = Promise.withResolvers<void>();
    await this.#room.promise;
  }

  /** Writes the event that ends the stream, and ends it; the first one counts. */
  end(event: TerminalEvent): void {
    this.#tellEnd(event);
    if (this.#hasEnded) return;
    this.#writeEvent(event);
    this.#close();
    this.#controller?.close();
  }

  get #hasRoom(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  #writeEvent(event: ProgressEvent | TerminalEvent): void {
    this.#heartbeat.refresh();
    this.#write(`data: ${JSON.stringify(event)}\n\n`);
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  #leave(): void {
    this.#close();
    this.#gone.abort(new Error("the client disconnected"));
  }

  #close(): void {
    this.#hasEnded = true;
    clearInterval(this.#heartbeat);
    this.#room.resolve();
  }
}
