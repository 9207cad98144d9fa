/** One message of a browser, as it came over the pipe. */
export interface DevtoolsFrame {
  /** The message, as JSON in UTF-8; of one that is longer than may be only its beginning and its end. */
  readonly bytes: Buffer;
  /** Length of the whole message, in bytes. */
  readonly length: number;
}

/** Fields of a message that are read without parsing it. */
export interface Envelope {
  /** Number of the command that it answers; undefined: it is an event. */
  readonly id: number | undefined;
  /** Domain and name of an event. */
  readonly method: string | undefined;
  /** Session that it is for; undefined: the connection itself. */
  readonly sessionId: string | undefined;
}

/** Bytes that are kept of each end of a message that is too long. */
const keptBytes = 1024;

/**
 * Splits what comes over a DevTools pipe into messages, each of which ends with a zero byte. What is kept of a message is bounded:
 * the middle of a longer one is dropped as it comes.
 */
export class FrameReader {
  readonly #longest: number;
  readonly #tell: (frame: DevtoolsFrame) => void;
  #parts: Buffer[] = [];
  #length = 0;

  /**
   * @param longest - Longest message that is kept whole, in bytes.
   * @param tell - Told of each message.
   */
  constructor(longest: number, tell: (frame: DevtoolsFrame) => void) {
    this.#longest = longest;
    this.#tell = tell;
  }

  /** Takes what came. */
  take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      this.#add(chunk.subarray(from, end));
      from = end + 1;
      const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
      const length = this.#length;
      this.#parts = [];
      this.#length = 0;
      if (bytes !== undefined && length > 0) this.#tell({ bytes, length });
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    const wasTooLong = this.#length > this.#longest;
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#length <= this.#longest) return;
    const all = Buffer.concat(this.#parts);
    // What is cut twice has its first beginning, and its last end.
    if (wasTooLong || all.length > 2 * keptBytes) {
      this.#parts = [Buffer.concat([all.subarray(0, keptBytes), all.subarray(-keptBytes)])];
    }
  }
}

const answerHead = /^\{"id":(\d+)[,}]/;
const eventHead = /^\{"method":"([A-Za-z]+\.[A-Za-z]+)"/;
/** A comma before the name: no text of a page ends like this, for its quotation marks are escaped. */
const sessionTail = /,"sessionId":"([^"\\]+)"\}$/;
const headBytes = 128;
const tailBytes = 96;

/** Reads from both ends of a message what it is and whom it is for, as Chromium writes it: at a cost that does not grow with its length. */
export function envelopeOf({ bytes }: DevtoolsFrame): Envelope {
  const head = bytes.toString("latin1", 0, headBytes);
  const tail = bytes.toString("latin1", Math.max(0, bytes.length - tailBytes));
  const id = answerHead.exec(head)?.[1];
  return {
    id: id === undefined ? undefined : Number(id),
    method: eventHead.exec(head)?.[1],
    sessionId: sessionTail.exec(tail)?.[1],
  };
}

/** An answer under another number. */
export function withId(bytes: Buffer, id: number): Buffer {
  const head = bytes.toString("latin1", 0, headBytes);
  const digits = answerHead.exec(head)?.[1] ?? "";
  return Buffer.concat([Buffer.from(`{"id":${id}`), bytes.subarray(`{"id":${digits}`.length)]);
}
