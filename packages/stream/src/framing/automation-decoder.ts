import { quietly, withGiven } from "../input/byte-source.ts";
import type { DecodingOptions } from "./decoding-options.ts";
import { assertOptions, isCallback, isPositive } from "../input/check-options.ts";
import type { StreamEvent } from "../events/event.ts";
import { createEventAssembler } from "./event-assembler.ts";
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

/** The last character of a line end. */
const lineEnd = /\n|\r(?!\n)/;

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
  /** Bytes of an incomplete line, with spare capacity behind them. */
  let held = new Uint8Array(0);
  /** Number of bytes in `held` that belong to that line. */
  let heldBytes = 0;
  /** True while the rest of a line that was too large is skipped. */
  let dropping = false;
  /** True when the last block ended with CR: an LF at the start of the next one completes the same line end. */
  let afterCr = false;
  /** True after `end`. */
  let ended = false;
  /** True during `feed`, after `end`, and after an error, when bytes were lost: `feed` throws then. */
  let busy = false;

  /** Decodes complete lines. */
  const readBlock = (bytes: Uint8Array): void => {
    // Complete lines leave no incomplete character, so both calls do the same. Of long texts this one takes less time.
    const text = bytes.length > 1024 ? decoder.decode(bytes, streaming) : decoder.decode(bytes);
    const from = dropping || (afterCr && text.startsWith("\n")) ? text.search(lineEnd) + 1 : 0;
    dropping = false;
    afterCr = text.endsWith("\r");
    events.read(text, from);
  };
  /** Keeps bytes of an incomplete line. */
  const hold = (bytes: Uint8Array): void => {
    const before = heldBytes;
    heldBytes += bytes.length;
    if (heldBytes > held.length) {
      const smaller = held;
      held = new Uint8Array(2 * heldBytes);
      held.set(smaller);
    }
    held.set(bytes, before);
  };
  const feed = (chunk: Uint8Array): void => {
    if (busy) throw new StreamError("misuse", "decoder is busy or ended");
    if (rejected) throw rejected;
    if (!ArrayBuffer.isView(chunk)) throw new StreamError("misuse", "chunk is not a Uint8Array");
    busy = true;
    const { length } = chunk;
    let end = length; // offset after the last LF or CR, where most chunks end
    if (chunk[end - 1] !== 10) {
      // `includes` is several times as fast as `lastIndexOf`, and many chunks have no line end.
      end = chunk.includes(10) ? chunk.lastIndexOf(10) + 1 : 0;
      if (chunk.includes(13, end)) end = chunk.lastIndexOf(13) + 1;
    }
    let from = 0;
    if (heldBytes && end) {
      // A short block is read together with the line that it completes, a long one by itself, without a copy.
      from = end;
      if (end > 2048) {
        from = offsetAfter(chunk, 10);
        from = offsetAfter(chunk.subarray(0, from), 13);
      }
      hold(chunk.subarray(0, from));
      const block = held.subarray(0, heldBytes);
      heldBytes = 0;
      if (held.length > 2 ** 20) held = new Uint8Array(0); // releases the memory of a huge line
      readBlock(block);
    }
    if (from < end) readBlock(from || end < length ? chunk.subarray(from, end) : chunk);
    if (end < length) hold(chunk.subarray(end));
    if (heldBytes > max) {
      heldBytes = 0;
      if (!dropping) events.skip();
      dropping = true;
    }
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

/** Returns the offset after the first such byte, or that of the end. */
function offsetAfter(bytes: Uint8Array, byte: number): number {
  return bytes.indexOf(byte) + 1 || bytes.length;
}
