import { quietly, guardArguments } from "../input/byte-source.ts";
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

/** Number of bytes at the end of a chunk that are searched for a line end. The search in a decoded text takes a fortieth of the time. */
const maxSearched = 192;

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
 *
 * @example
 * ```ts from=examples/api/stream/create-automation-decoder.ts
 * import { createAutomationDecoder } from "@cloud-browser/stream";
 *
 * const types: string[] = [];
 * const decoder = createAutomationDecoder({ onEvent: ({ type }) => types.push(type) });
 * const encoder = new TextEncoder();
 * decoder.feed(encoder.encode(`data: {"type":"status",`)); // chunks may end anywhere
 * decoder.feed(encoder.encode(`"status":"starting"}\n\ndata: {"type":"done"}\n`));
 * decoder.end();
 * console.log(types.join(", ")); // status, done
 * ```
 */
export function createAutomationDecoder(options: AutomationDecoderOptions): AutomationDecoder {
  const { maxEventBytes: max = 2 ** 24, oversize, damage, onReport, onEvent } = guardArguments(() => ({ ...options }));
  assertOptions({
    onEvent: typeof onEvent === "function",
    onReport: isCallback(onReport),
    maxEventBytes: isPositive(max),
    oversize: ["throw", "skip", undefined].includes(oversize),
    damage: ["throw", "report", undefined].includes(damage),
  });
  /** Error of the first callback whose promise rejected; thrown by the next `feed`. */
  let rejected: StreamError | undefined;
  /** Handles the result of a callback: an asynchronous one, which untyped callers may pass, may reject. */
  const handleResult = (result: unknown): void => {
    if (!result || Object(result) !== result) return;
    quietly(
      () => result,
      (cause) => (rejected ??= new StreamError("misuse", "callback rejected", { cause })),
    );
  };
  const events = createEventAssembler(max, oversize, damage, onReport, onEvent, handleResult);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The incomplete line, without the bytes in `small`. */
  let held = "";
  /** Last bytes of the incomplete line, from small chunks: they are decoded together. */
  const small = new Uint8Array(4096);
  /** Number of bytes in `small`. */
  let smallBytes = 0;
  /** Size of the incomplete line in bytes, or up to three times as much. */
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

  const decode = (bytes: Uint8Array): string => {
    const wasSplit = isSplit;
    isSplit = (bytes[bytes.length - 1] ?? 0) > 127;
    // Where no character is split, both do the same. A text that is complete takes less time.
    return decoder.decode(bytes, wasSplit || isSplit ? streaming : undefined);
  };
  /** Adds to the size of the incomplete line, which is skipped when it is too large. */
  const grow = (bytes: number): void => {
    heldBytes += bytes;
    if (heldBytes > max) heldBytes = byteLength(held) + smallBytes;
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
  /** Adds bytes to those of small chunks. */
  const keep = (bytes: Uint8Array): void => {
    small.set(bytes, smallBytes);
    smallBytes += bytes.length;
  };
  /** Decodes the bytes of small chunks, and forgets them. */
  const decodeSmall = (): string => {
    const bytes = small.subarray(0, smallBytes);
    smallBytes = 0;
    return decode(bytes);
  };
  /** Reads the text of the next bytes, of which the last ones are of a chunk. */
  const read = (text: string, chunkBytes: number): void => {
    let from = afterCr && text.startsWith("\n") ? 1 : 0;
    if (text) afterCr = text.endsWith("\r");
    if (held || dropping) {
      from = offsetAfterLine(text);
      if (!from) {
        if (dropping) return;
        held += text;
        return grow(chunkBytes);
      }
      if (!dropping) events.read(release() + text.slice(0, from), 0); // a copy of one line only
      dropping = false;
    }
    heldBytes = 0;
    if (from === text.length) return;
    const rest = events.read(text, from);
    if (rest === text.length) return;
    held = cutText(text, rest, text.length); // it would keep all of the text in memory
    grow(3 * held.length); // to count its bytes takes longer than to parse it
  };
  const feed = (chunk: Uint8Array): void => {
    if (busy) throw new StreamError("misuse", "decoder is busy or ended");
    if (rejected) throw rejected;
    if (!ArrayBuffer.isView(chunk)) throw new StreamError("misuse", "chunk is not a Uint8Array");
    busy = true;
    const { length } = chunk;
    const end = offsetAfterLines(chunk) || (length > maxSearched ? length : 0);
    if (smallBytes > 0 && smallBytes + length > small.length) held += decodeSmall();
    if (end > 0) {
      const bytes = end < length ? chunk.subarray(0, end) : chunk;
      if (smallBytes > 0) {
        keep(bytes);
        read(decodeSmall(), end);
      } else read(decode(bytes), end);
    } else if (length > 0) afterCr = false;
    if (end < length && !dropping) {
      keep(end > 0 ? chunk.subarray(end) : chunk);
      grow(length - end);
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

/** Returns the offset after the first line of a text; 0 when it is incomplete. */
function offsetAfterLine(text: string): number {
  const lf = text.indexOf("\n") + 1;
  const cr = text.indexOf("\r") + 1;
  return cr && (!lf || cr < lf) && lf !== cr + 1 ? cr : lf;
}

/** Returns the offset after the last line end in the last bytes of a chunk; 0 when there is none. */
function offsetAfterLines(chunk: Uint8Array): number {
  const { length } = chunk;
  for (let end = length; end > 0 && length - end < maxSearched; end--) {
    const byte = chunk[end - 1];
    if (byte === 10 || byte === 13) return end;
  }
  return 0;
}
