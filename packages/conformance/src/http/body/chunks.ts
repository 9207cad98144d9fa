/** A chunk of bytes as it arrived, with its time. */
export interface Chunk {
  /** Milliseconds since the request was sent. */
  readonly atMs: number;
  /** The bytes; any number of them. */
  readonly bytes: Uint8Array;
}

/** Copies chunks into one piece of memory. */
export function concatChunks(chunks: readonly Chunk[]): ArrayBuffer {
  const whole = new Uint8Array(chunks.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let start = 0;
  for (const { bytes } of chunks) {
    whole.set(bytes, start);
    start += bytes.length;
  }
  return whole.buffer;
}

/** Returns the memory that all chunks of a body are views of, one behind the other; undefined when each has its own. */
export function findWhole(chunks: readonly Chunk[]): ArrayBufferLike | undefined {
  const whole = chunks[0]?.bytes.buffer;
  let length = 0;
  for (const { bytes } of chunks) {
    if (bytes.buffer !== whole || bytes.byteOffset !== length) return undefined;
    length += bytes.length;
  }
  return whole?.byteLength === length ? whole : undefined;
}
