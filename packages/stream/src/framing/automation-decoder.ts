import { quietly, withGiven } from "../input/byte-source.ts";
import type { DecodingOptions } from "./decoding-options.ts";
import { assertOptions, isCallback, isPositive } from "../input/check-options.ts";
import type { StreamEvent } from "../events/event.ts";
import { byteLength, createEventAssembler } from "./event-assembler.ts";
import { cutText } from "../events/cut-text.ts";
import { StreamError } from "../errors/stream-error.ts";

/** Callbacks of a decoder, and its bound. */
export interface AutomationDecoderOptions extends DecodingOptions {
  /** Called with each event, in order, at the end of its own line; not after the terminal event. Must not throw, and is not awaited. */
  readonly onEvent: (event: StreamEvent) => void;
}

/** A synchronous decoder: bytes in, events out. */
export interface AutomationDecoder {
  /**
   * Decodes the next chunk, whose boundaries may fall anywhere. Its memory may be reused afterwards.
   *
   * @throws {StreamError} `event-too-large`, `invalid-json` and `missing-type` as the options say, or `misuse` after `end`,
   * after an error, from within a callback, after a callback rejected (its `cause`), or when the chunk is not a `Uint8Array`.
   */
  feed(chunk: Uint8Array): void;
  /**
   * Marks the end of the input, which completes a last line without a line end. A second call does nothing.
   *
   * Does not check whether there was a terminal event.
   *
   * @throws {StreamError} as `feed` does.
   */
  end(): void;
  /** Number of `data` lines so far; 0 at the end means that the bytes were not an event stream. */
  readonly dataLines: number;
}

const streaming = { stream: true };

/**
 * Creates a decoder of automation streams, to which bytes are pushed.
 *
 * It accepts both kinds of SSE framing, a blank line between events or a single line end, and everything else that the grammar of
 * server-sent events allows. Malformed lines are reported and skipped. It does no I/O and sets no timers.
 *
 * A line that is a complete JSON value is delivered at its own end. Otherwise the lines after it are joined to it for as
 * long as they are a prefix of one JSON value. When they no longer are, the first of them is reported as malformed, and the
 * others are parsed again. That is unambiguous: after a complete JSON object, the same text can only have white space.
 *
 * Source: interface § Endpoints, interface § Events.
 *
 * @throws {StreamError} `misuse` when an option has the wrong type or range.
 */
export function createAutomationDecoder(options: AutomationDecoderOptions): AutomationDecoder {
  const { maxEventBytes: max = 2 ** 24, oversize, damage, onReport, onEvent } = withGiven(() => ({ ...options }));
  assertOptions({
    onEvent: typeof onEvent === "function",
    onReport: isCallback(onReport),
    maxEventBytes: isPositive(max),
    oversize: ["throw", "skip", undefined].includes(oversize),
    damage: ["throw", "report", undefined].includes(damage),
  });
  /** Error of the first callback whose promise rejected; thrown by the next `feed`. */
  let rejected: StreamError | undefined;
  /** Handles what a callback returned: an asynchronous one, which untyped callers may pass, may reject. */
  const take = (result: unknown): void => {
    if (!result || Object(result) !== result) return;
    quietly(
      () => result,
      (cause) => (rejected ??= new StreamError("misuse", "callback rejected", { cause })),
    );
  };
  const events = createEventAssembler(max, oversize, damage, onReport, onEvent, take);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The incomplete line, without the bytes in `small`. */
  let held = "";
  /** Bytes of small chunks without a line end, to be decoded together. */
  const small = new Uint8Array(4096);
  /** Number of bytes in `small`. */
  let smallBytes = 0;
  /** Its size in bytes. */
  let heldBytes = 0;
  /** True when the input so far may end within a character. */
  let isSplit = false;
  /** True while the rest of a line that was too large is skipped. */
  let dropping = false;
  /** True when the last text ended with CR: an LF at the start of the next one completes the same line end. */
  let afterCr = false;
  /** True after `end`. */
  let ended = false;
  /** True during `feed`, after `end`, and after an error, when bytes were lost: `feed` throws then. */
  let busy = false;

  /** Decodes a chunk as it comes: to find a line end in a text takes a fortieth of the time that it takes in bytes. */
  const decode = (chunk: Uint8Array): string => {
    const wasSplit = isSplit;
    isSplit = (chunk[chunk.length - 1] ?? 0) > 127 || (wasSplit && chunk.length === 0);
    // Where no character is split, both calls do the same. Of long texts the first one takes less time.
    return wasSplit || isSplit || chunk.length > 1024 ? decoder.decode(chunk, streaming) : decoder.decode(chunk);
  };
  /** Adds to the size of the incomplete line, which is skipped when it is too large. */
  const grow = (bytes: number): void => {
    heldBytes += bytes;
    if (heldBytes <= max) return;
    release();
    smallBytes = 0;
    if (!dropping) events.skip();
    dropping = true;
  };
  /** Returns the incomplete line, and forgets it. */
  const release = (): string => {
    const line = held;
    held = "";
    heldBytes = 0;
    return line;
  };
  /** Returns the bytes of small chunks together with a chunk, or before it, if they have no space for it. */
  const join = (chunk: Uint8Array): Uint8Array => {
    if (smallBytes === 0) return chunk;
    const before = smallBytes;
    smallBytes = 0;
    if (before + chunk.length > small.length) {
      held += decode(small.subarray(0, before));
      return chunk;
    }
    small.set(chunk, before);
    return small.subarray(0, before + chunk.length);
  };
  /** Reads bytes, of which the last ones are a chunk. */
  const read = (bytes: Uint8Array, chunkBytes: number): void => {
    let text = decode(bytes);
    const isAscii = text.length === bytes.length;
    let from = afterCr && text.startsWith("\n") ? 1 : 0;
    if (text) afterCr = text.endsWith("\r");
    if (heldBytes || dropping) {
      from = offsetAfterLine(text);
      if (!from) {
        if (!dropping) {
          held += text;
          grow(chunkBytes);
        }
        from = text.length;
      } else if (dropping) dropping = false;
      else if (text.length <= 4096 && held.length <= 4096) {
        text = release() + text;
        from = 0;
      } else events.read(release() + text.slice(0, from), 0); // a copy of one line only
    }
    if (from < text.length) {
      const rest = events.read(text, from);
      if (rest < text.length) {
        // What is cut out of a long text would keep all of it in memory.
        held = text.length > 4096 ? cutText(text, rest, text.length) : text.slice(rest);
        grow(isAscii ? held.length : byteLength(held));
      }
    }
  };
  const feed = (chunk: Uint8Array): void => {
    if (busy) throw new StreamError("misuse", "decoder is busy or ended");
    if (rejected) throw rejected;
    if (!ArrayBuffer.isView(chunk)) throw new StreamError("misuse", "chunk is not a Uint8Array");
    busy = true;
    if (isSmallPart(chunk)) {
      if (chunk.length > 0) afterCr = false;
      if (!dropping) {
        if (smallBytes + chunk.length > small.length) {
          held += decode(small.subarray(0, smallBytes));
          smallBytes = 0;
        }
        small.set(chunk, smallBytes);
        smallBytes += chunk.length;
        grow(chunk.length);
      }
    } else read(join(chunk), chunk.length);
    busy = false;
  };

  return {
    feed,
    end() {
      if (!ended) feed(Uint8Array.of(10, 10)); // completes the last line and the open block
      ended = busy = true;
    },
    get dataLines() {
      return events.dataLines;
    },
  };
}

/** Returns the offset after the first line of a text; 0 when it is incomplete. */
function offsetAfterLine(text: string): number {
  const lf = text.indexOf("\n") + 1;
  const cr = text.indexOf("\r") + 1;
  return cr && (!lf || cr < lf) && lf !== cr + 1 ? cr : lf;
}

/** Returns whether a chunk is small, and has no line end: such chunks take less time when they are decoded together. */
function isSmallPart(chunk: Uint8Array): boolean {
  return chunk.length <= 1024 && chunk[chunk.length - 1] !== 10 && !chunk.includes(10) && !chunk.includes(13);
}
