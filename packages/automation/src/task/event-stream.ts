import type { ProgressEvent, TerminalEvent } from "./work.ts";

/** Time without an event after which a heartbeat comment is written, in milliseconds. */
const heartbeatMs = 15_000;

/** Bytes that may be buffered before writers wait (backpressure). */
const bufferBytes = 64 * 1024;

/**
 * The events of one run as server-sent events: one `data:` line each, written when it happens, and exactly one terminal event.
 *
 * Source: interface § Endpoints, § Events.
 */
export class EventStream {
  /** Body of the response. */
  readonly body: ReadableStream<Uint8Array>;
  /** Resolves with the terminal event; rejects when it is broken off. */
  readonly ended: Promise<TerminalEvent>;
  readonly #encoder = new TextEncoder();
  readonly #disconnect = new AbortController();
  readonly #heartbeat: NodeJS.Timeout;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #drained = Promise.withResolvers<void>();
  #hasEnded = false;
  readonly #end = Promise.withResolvers<TerminalEvent>();

  constructor() {
    this.ended = this.#end.promise;
    this.ended.catch(() => undefined); // not an unhandled rejection when no one awaits it
    const strategy = { highWaterMark: bufferBytes, size: (chunk: Uint8Array | undefined) => chunk?.byteLength ?? 0 };
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#drained.resolve(),
        cancel: () => this.#onDisconnect(),
      },
      strategy,
    );
    this.#heartbeat = setInterval(() => {
      if (this.#hasCapacity) this.#write(": alive\n\n");
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  /** Aborts when the client disconnects before the end. */
  get gone(): AbortSignal {
    return this.#disconnect.signal;
  }

  /** Writes an event. Resolves when the buffer has room for the next one, or the client has disconnected. Does nothing after the end. */
  async emit(event: ProgressEvent): Promise<void> {
    if (this.#hasEnded) return;
    this.#writeEvent(event);
    if (this.#hasCapacity) return;
    this.#drained = Promise.withResolvers<void>();
    await this.#drained.promise;
  }

  /** Writes the terminal event and ends the stream; later calls are ignored. */
  end(event: TerminalEvent): void {
    this.#end.resolve(event);
    if (this.#hasEnded) return;
    this.#writeEvent(event);
    this.#close();
    this.#controller?.close();
  }

  /** Errors the stream without a terminal event: the outcome of the run is not known. Later calls are ignored. */
  breakOff(fault: Error): void {
    this.#end.reject(fault);
    if (this.#hasEnded) return;
    this.#close();
    this.#controller?.error(fault);
  }

  get #hasCapacity(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  #writeEvent(event: ProgressEvent | TerminalEvent): void {
    this.#heartbeat.refresh();
    this.#write(`data: ${JSON.stringify(event)}\n\n`);
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  #onDisconnect(): void {
    this.#close();
    this.#disconnect.abort(new Error("the client disconnected"));
  }

  #close(): void {
    this.#hasEnded = true;
    clearInterval(this.#heartbeat);
    this.#drained.resolve();
  }
}
