/** One message of a browser, as it came over the pipe. */
export interface DevtoolsMessage {
  /** The message, as JSON in UTF-8; only its beginning and its end if it exceeds the limit. */
  readonly bytes: Buffer;
  /** Length of the whole message, in bytes. */
  readonly length: number;
}

/** Fields of a message that are read without parsing it. */
export interface Envelope {
  /** Id of the command that it responds to; undefined for an event. */
  readonly id: number | undefined;
  /** Domain and name of an event. */
  readonly method: string | undefined;
  /** Session that it is for; undefined for the connection itself. */
  readonly sessionId: string | undefined;
}

/** Bytes that are kept of each end of a message that exceeds the limit. */
const edgeBytes = 1024;

/**
 * Splits the bytes of a DevTools pipe into messages, each of which ends with a zero byte. Memory for a message is bounded:
 * the middle of a longer one is dropped as it arrives.
 */
export class MessageReader {
  readonly #maxBytes: number;
  readonly #onMessage: (frame: DevtoolsMessage) => void;
  #parts: Buffer[] = [];
  #length = 0;

  /**
   * @param maxBytes - Longest message that is kept complete, in bytes.
   * @param onMessage - Called with each message.
   */
  constructor(maxBytes: number, onMessage: (frame: DevtoolsMessage) => void) {
    this.#maxBytes = maxBytes;
    this.#onMessage = onMessage;
  }

  /** Adds a chunk of bytes. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      this.#add(chunk.subarray(from, end));
      from = end + 1;
      const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
      const length = this.#length;
      this.#parts = [];
      this.#length = 0;
      if (bytes !== undefined && length > 0) this.#onMessage({ bytes, length });
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    if (part.length === 0) return;
    const wasTooLong = this.#length > this.#maxBytes;
    this.#length += part.length;
    this.#parts.push(part);
    if (this.#length <= this.#maxBytes) return;
    const all = Buffer.concat(this.#parts);
    // After repeated cuts, the first bytes and the last bytes are left.
    if (wasTooLong || all.length > 2 * edgeBytes) {
      this.#parts = [Buffer.concat([all.subarray(0, edgeBytes), all.subarray(-edgeBytes)])];
    }
  }
}

const answerHead = /^\{"id":(\d+)[,}]/;
const eventHead = /^\{"method":"([A-Za-z]+\.[A-Za-z]+)"/;
/** The comma excludes text of a page, in which quotation marks are escaped. */
const sessionTail = /,"sessionId":"([^"\\]+)"\}$/;
const headBytes = 128;
const tailBytes = 96;

/** Reads id, method and session from both ends of a message, as Chromium writes it: in constant time. */
export function readEnvelope({ bytes }: DevtoolsMessage): Envelope {
  const head = bytes.toString("latin1", 0, headBytes);
  const tail = bytes.toString("latin1", Math.max(0, bytes.length - tailBytes));
  const id = answerHead.exec(head)?.[1];
  return {
    id: id === undefined ? undefined : Number(id),
    method: eventHead.exec(head)?.[1],
    sessionId: sessionTail.exec(tail)?.[1],
  };
}

/** Replaces the id of a response. */
export function withId(bytes: Buffer, id: number): Buffer {
  const head = bytes.toString("latin1", 0, headBytes);
  const digits = answerHead.exec(head)?.[1] ?? "";
  return Buffer.concat([Buffer.from(`{"id":${id}`), bytes.subarray(`{"id":${digits}`.length)]);
}
