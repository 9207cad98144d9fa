import { quietly } from "../input/byte-source.ts";
import type { DecodingOptions } from "./decoding-options.ts";
import { demand, isCallback, isPositive } from "../input/check-options.ts";
import type { StreamEvent } from "../events/event.ts";
import { createEventAssembler } from "./event-assembler.ts";
import { StreamError } from "../errors/stream-error.ts";

/** Callbacks of a decoder, and its bound. */
export interface AutomationDecoderOptions extends DecodingOptions {
  /** Receives each event, in order, at the end of its own line. Nothing after the terminal event. Must not throw; nobody waits for a promise of it. */
  readonly onEvent: (event: StreamEvent) => void;
}

/** The synchronous core: bytes in, events out. */
export interface AutomationDecoder {
  /**
   * Takes the next bytes, cut anywhere. They may be reused afterwards.
   *
   * @throws {StreamError} `event-too-large`, `invalid-json` and `missing-type` as the options say, or `misuse` after `end`,
   * after an error, from within a callback, after a callback rejected (its `cause`), or when it is no `Uint8Array`.
   */
  feed(chunk: Uint8Array): void;
  /**
   * Says that nothing follows, which completes a last line without line end. Doing so twice does nothing.
   *
   * Does not judge whether a terminal event came.
   *
   * @throws {StreamError} as `feed` does.
   */
  end(): void;
  /** Number of `data` lines so far. None at the end means that the bytes were no event stream. */
  readonly dataLines: number;
}

/**
 * Decodes an automation stream from bytes that are pushed in.
 *
 * Reads both framings, a blank line between events or a single line end, and everything else that server-sent events
 * may have. Damaged lines are reported, and the next good one is read. It knows no transport and no clock.
 *
 * A line that is a whole JSON value by itself is delivered at its own end. Otherwise the lines after it are joined to
 * it for as long as they can still become one JSON value. When they no longer can, the first of them is broken and the
 * others are read again. That never misreads: once some lines are a whole JSON object, what follows in the same text can
 * only be white space.
 *
 * Source: interface § Endpoints, interface § Events.
 *
 * @throws {StreamError} `misuse` when an option can't be used.
 */
export function createAutomationDecoder(options: AutomationDecoderOptions): AutomationDecoder {
  const { maxEventBytes: max = 2 ** 24, oversize, damage, onReport, onEvent } = { ...options };
  demand({
    onEvent: typeof onEvent === "function",
    onReport: isCallback(onReport),
    maxEventBytes: isPositive(max),
    oversize: ["throw", "skip", undefined].includes(oversize),
    damage: ["throw", "report", undefined].includes(damage),
  });
  /** Holds the error of the first callback whose promise rejected; the next `feed` throws it. */
  let rejected: StreamError | undefined;
  /** Takes what a callback gave: one without types may be asynchronous, and nobody else waits for its promise. */
  const take = (result: unknown): void => {
    if (typeof result !== "object" || result === null || !("then" in result)) return;
    quietly(
      () => result,
      (cause) => (rejected ??= new StreamError("misuse", "callback rejected", { cause })),
    );
  };
  const events = createEventAssembler(max, oversize, damage, onReport, onEvent, take);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Holds the beginning of a line whose end has not arrived, and has room behind it. */
  let held = new Uint8Array(0);
  /** Counts the bytes in `held` that are part of that line. */
  let heldBytes = 0;
  /** Is true within a line that was too large: its rest is dropped. */
  let dropping = false;
  /** Is true when the last block ended with a CR: an LF that comes now belongs to it. */
  let afterCr = false;
  /** Counts the lines that have begun. */
  let lines = 0;
  /** Is true after `end` did its work. */
  let ended = false;
  /** Is true within `feed`, after `end`, and after an error: bytes are lost then, so reading on would be wrong. */
  let busy = false;

  /** Reads whole lines. */
  const readBlock = (bytes: Uint8Array): void => {
    const decoded = decoder.decode(bytes);
    const text = decoded.includes("\r") ? decoded.replace(/\r\n?/g, "\n") : decoded;
    let at = dropping || (afterCr && decoded[0] === "\n") ? text.indexOf("\n") + 1 : 0;
    dropping = false;
    afterCr = decoded.endsWith("\r");
    while (at < text.length) at = events.line(text, at, ++lines);
  };
  const feed = (chunk: Uint8Array): void => {
    if (busy) throw new StreamError("misuse", "decoder is busy or ended");
    if (rejected) throw rejected;
    if (!ArrayBuffer.isView(chunk)) throw new StreamError("misuse", "chunk is not a Uint8Array");
    busy = true;
    const { length } = chunk;
    let end = length; // behind the last LF or CR; mostly a chunk ends there
    if (chunk[end - 1] !== 10) {
      // `includes` is several times as fast as `lastIndexOf`, and many a chunk has none.
      end = chunk.includes(10) ? chunk.lastIndexOf(10) + 1 : 0;
      if (chunk.includes(13, end)) end = chunk.lastIndexOf(13) + 1;
    }
    if (end && end === length && !heldBytes) readBlock(chunk);
    else {
      const before = heldBytes;
      heldBytes += length;
      if (heldBytes > held.length) {
        const smaller = held;
        held = new Uint8Array(2 * heldBytes);
        held.set(smaller);
      }
      held.set(chunk, before);
      if (end) {
        end += before;
        readBlock(held.subarray(0, end));
        // One huge line must not cost memory for ever.
        held = held.length > 2 ** 20 ? held.slice(end, heldBytes) : held.copyWithin(0, end, heldBytes);
        heldBytes -= end;
      }
    }
    if (heldBytes > max) {
      heldBytes = 0;
      if (!dropping) {
        events.skip(++lines);
      }
      dropping = true;
    }
    busy = false;
  };

  return {
    feed,
    end() {
      if (!ended) feed(Uint8Array.of(10, 10)); // ends the last line, and what waits for more lines
      ended = busy = true;
    },
    get dataLines() {
      return events.dataLines;
    },
  };
}
