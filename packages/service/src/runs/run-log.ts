import type { ProgressEvent } from "@cloud-browser/automation";
import type { RunEvent, RunStore } from "../storage/run-store.ts";
import type { ReaderEnd } from "../event-stream.ts";
import { streamRunEvents, type RunEvents, type SomeEvents } from "./event-body.ts";

/** Most bytes of events that are kept of one run, without its terminal event; the newest stay, at least one. */
const keptBytes = 4 * 1024 * 1024;

/** Most bytes that the reader which started a run may lag behind before the run waits for it (back-pressure). */
const lagBytes = 64 * 1024;

/** How long events are collected for one write, in milliseconds. */
const batchMs = 100;

/** Overhead of an event beside its text, in bytes. */
const overheadBytes = 64;

/** Options of a log. */
export interface RunLogOptions {
  /** Id of the run. */
  readonly id: string;
  /** Store of the events. */
  readonly records: Pick<RunStore, "append">;
  /** Called when events could not be written; they are written with the next ones. */
  readonly onFault: (error: unknown) => void;
  /** Most bytes that are kept. Default: {@link keptBytes}. */
  readonly bytes?: number;
}

/**
 * The events of an active run, numbered from 1. Readers get them at once; they are written to the store in batches, and only the end of the
 * run waits for that.
 */
export class RunLog implements RunEvents {
  readonly #options: RunLogOptions;
  /** The newest events, without a gap. */
  readonly #events: RunEvent[] = [];
  #bytes = 0;
  #seq = 0;
  /** Number of the newest event in the store. */
  #written = 0;
  #outcome: string | undefined;
  #fault: Error | undefined;
  #more = Promise.withResolvers<void>();
  /** Number of the newest event that the reader which started the run has read; infinite without such a reader. Later ones are not dropped. */
  #readSeq = Infinity;
  /** Bytes that it has not read. */
  #lag = 0;
  #caughtUp: PromiseWithResolvers<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: RunLogOptions) {
    this.#options = options;
  }

  /** Adds an event. */
  add(event: ProgressEvent): void {
    this.#seq += 1;
    const entry = { seq: this.#seq, event: JSON.stringify(event) };
    this.#events.push(entry);
    this.#bytes += measureSize(entry);
    if (this.#readSeq < Infinity) this.#lag += countSentBytes(entry);
    this.#drop();
    this.#timer ??= setTimeout(() => void this.flush(), batchMs);
    this.#tellMore();
  }

  /**
   * Returns the events as the reader gets them that starts the run: all of them, without ids. The run waits for this reader. To be called
   * before the first event.
   *
   * @param onDisconnect - Called when it disconnects before the end.
   */
  open(onDisconnect: () => void): ReadableStream<Uint8Array> {
    this.#readSeq = 0;
    const events: RunEvents = {
      readAfter: async (after, bytes) => {
        const some = await this.readAfter(after, bytes);
        if (this.#readSeq === Infinity) return some; // it has disconnected meanwhile
        for (const entry of some.events) this.#lag -= countSentBytes(entry);
        this.#readSeq = some.events.at(-1)?.seq ?? after;
        if (this.#lag < lagBytes) this.#tellRoom();
        return some;
      },
      waitForMore: () => this.waitForMore(),
    };
    const close = (end: ReaderEnd): void => {
      this.#readSeq = Infinity;
      this.#lag = 0;
      this.#tellRoom();
      if (end === "disconnected") onDisconnect();
    };
    return streamRunEvents(events, 0, close, "none");
  }

  /** Resolves when the reader that started the run has got the events so far, but for the last 64 KiB, or has disconnected. */
  async waitForRoom(): Promise<void> {
    if (this.#lag < lagBytes || this.#outcome !== undefined || this.#fault) return;
    this.#caughtUp ??= Promise.withResolvers();
    await this.#caughtUp.promise;
  }

  /** Adds the terminal event. */
  end(outcome: string): void {
    this.#outcome = outcome;
    this.#tellRoom();
    this.#tellMore();
  }

  /** Disconnects readers after the last known event: the outcome of the run is unknown. */
  breakOff(fault: Error): void {
    this.#fault = fault;
    this.#tellRoom();
    this.#tellMore();
  }

  /** Writes pending events. Never rejects: failures are reported. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async readAfter(after: number, bytes: number): Promise<SomeEvents> {
    const oldest = this.#events[0]?.seq ?? 1;
    const events: RunEvent[] = [];
    let size = 0;
    for (let index = Math.max(0, after - oldest + 1); index < this.#events.length; index += 1) {
      const event = this.#events[index];
      if (event === undefined || (size > 0 && size + measureSize(event) > bytes)) break;
      size += measureSize(event);
      events.push(event);
    }
    if (events.length === 0 && this.#fault) throw this.#fault;
    return { events, outcome: events.length === 0 ? this.#outcome : undefined };
  }

  async waitForMore(): Promise<void> {
    await this.#more.promise;
  }

  #drop(): void {
    const { bytes = keptBytes } = this.#options;
    while (this.#bytes > bytes && this.#events.length > 1 && (this.#events[0]?.seq ?? 0) <= this.#readSeq)
      this.#bytes -= measureSize(this.#events.shift());
  }

  #tellRoom(): void {
    this.#caughtUp?.resolve();
    this.#caughtUp = undefined;
  }

  #tellMore(): void {
    this.#more.resolve();
    this.#more = Promise.withResolvers();
  }

  async #write(): Promise<void> {
    const { id, records, onFault } = this.#options;
    const oldest = this.#events[0]?.seq ?? 1;
    const events = this.#events.filter(({ seq }) => seq > this.#written);
    const newest = events.at(-1)?.seq;
    if (newest === undefined) return;
    try {
      await records.append(id, events, oldest);
      this.#written = newest;
    } catch (error) {
      onFault(error);
    }
  }
}

/** Bytes of an event as it is sent without an id: `data: `, its text and an empty line. */
function countSentBytes({ event }: RunEvent): number {
  return Buffer.byteLength(event) + 8;
}

function measureSize(entry: RunEvent | undefined): number {
  return entry === undefined ? 0 : Buffer.byteLength(entry.event) + overheadBytes;
}
