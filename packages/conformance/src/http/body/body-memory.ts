import { createHash } from "node:crypto";
import { concatChunks, type Chunk } from "./chunks.ts";

/** Memory for each body once that of the run is used up, in bytes: enough for valid answers. */
const minimumMemory = 64 * 1024;

/** A body that is kept, and the memory that each further answer with the same bytes counts for. */
interface StoredBody {
  readonly whole: ArrayBuffer;
  readonly again: number;
}

/**
 * Memory for all bodies of one run. A body read after it is used up still gets 64 KiB. Bodies with the same bytes are kept once, and
 * count for what judging them again takes: a target whose page stays as it is answers most requests alike, however large it is.
 */
export class BodyMemory {
  readonly #bodies = new Map<string, StoredBody>();
  #remaining: number;

  constructor(bytes: number) {
    this.#remaining = bytes;
  }

  /** Returns the memory that one body gets, of the amount that it asks for. */
  grant(bytes: number): number {
    return Math.min(bytes, Math.max(this.#remaining, minimumMemory));
  }

  /** Subtracts the memory that a body has used. */
  subtract(bytes: number): void {
    this.#remaining -= bytes;
  }

  /**
   * Keeps a complete body. Returns the same chunks, as views of one piece of memory: that of an earlier body with the same bytes, or
   * a new one.
   *
   * @param weight - Memory that the body takes, when it is a new one.
   */
  keep(chunks: readonly Chunk[], weight: number): readonly Chunk[] {
    const hash = createHash("sha256");
    for (const { bytes } of chunks) hash.update(bytes);
    const digest = hash.digest("base64");
    const earlier = this.#bodies.get(digest);
    const { whole, again } = earlier ?? describeBody(concatChunks(chunks));
    this.#bodies.set(digest, { whole, again });
    this.subtract(earlier ? again : weight);
    let start = 0;
    return chunks.map(({ atMs, bytes: { length } }) => {
      start += length;
      return { atMs, bytes: new Uint8Array(whole, start - length, length) };
    });
  }
}

/** Describes a kept body. A value of JSON counts as 32 bytes, as when it is read; a byte inside a text as the sixteenth of one. */
function describeBody(whole: ArrayBuffer): StoredBody {
  return { whole, again: valuesIn(new Uint8Array(whole)) * 32 + whole.byteLength / 16 };
}

/** Counts the values of a JSON text, by the commas and brackets that are outside of strings. */
function valuesIn(bytes: Uint8Array): number {
  let values = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === 0x22) isInString = !isInString;
    else if (isInString && byte === 0x5c) at += 1;
    else if (!isInString && (byte === 0x2c || byte === 0x5b || byte === 0x7b)) values += 1;
  }
  return values;
}
