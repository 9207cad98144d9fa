import { Transform, type TransformCallback } from "node:stream";

/** Counts the bytes that pass, and fails when they are more than may be. */
export class LimitedBytes extends Transform {
  /** Bytes that have passed. */
  bytes = 0;
  /** True once more came than may be. */
  isExceeded = false;
  readonly #most: number;

  /** @param most - Most bytes. */
  constructor(most: number) {
    super();
    this.#most = most;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    this.isExceeded = this.bytes > this.#most;
    if (this.isExceeded) done(new Error(`more than ${this.#most} bytes`));
    else done(null, chunk);
  }
}
