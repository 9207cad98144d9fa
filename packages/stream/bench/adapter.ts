import type { Chunking, Corpus } from "./corpus.ts";

/** What every adapter reads. */
export interface Input {
  /** The stream that the chunks were cut from. */
  readonly corpus: Corpus;
  /** How it was cut. */
  readonly chunking: Chunking;
  /** The chunks to read, in order. */
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
}

/** Where an adapter delivers what it read. */
export interface Sink {
  /** Takes one event, as a parsed object. */
  receive(event: unknown): void;
  /** Takes a number of bytes that were read. */
  receiveBytes(count: number): void;
}

/** One way to read a stream, that is to be measured. */
export interface Adapter {
  /** What the table calls it. */
  readonly name: string;
  /** `bytes` for a floor that reads without making events; it delivers a number of bytes only. */
  readonly delivers: "events" | "bytes";
  /** Reads the whole input once. A promise only where the way to read is asynchronous. */
  run(input: Input, sink: Sink): void | Promise<void>;
}
