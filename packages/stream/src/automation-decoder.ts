import { quietly } from "./byte-source.ts";
import { demand, isCallback, isPositive } from "./demand.ts";
import { readDelta } from "./delta-lines.ts";
import { eventFrom, isObject, isTerminalEvent, type StreamEvent } from "./event.ts";
import { createJsonPrefix, parsed, type JsonPrefix } from "./json-prefix.ts";
import { StreamError, type StreamErrorCode } from "./stream-error.ts";
import type { StreamReport, StreamReportKind } from "./stream-report.ts";

/** Options of a decoder: what it does with damage, and its bound. */
export interface DecodingOptions {
  /** Receives what is not an event. Default: nobody. Must not throw. */
  readonly onReport?: ((report: StreamReport) => void) | undefined;
  /** Largest event, and largest line without an end, in bytes as on the wire, a byte order mark included. Default: 16 MiB (16777216). */
  readonly maxEventBytes?: number | undefined;
  /**
   * How an event that is larger is handled. `throw`: reading ends with `event-too-large`. `skip`: it is reported and
   * dropped, and the next line is read. Default: `throw`.
   */
  readonly oversize?: "throw" | "skip" | undefined;
  /**
   * How a line that holds no event is handled. `report`: it is reported, and the next line is read. `throw`: reading
   * ends with `invalid-json` or `missing-type`. Default: `report`.
   */
  readonly damage?: "report" | "throw" | undefined;
}

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

/** Last line of other services, such as `[DONE]`: a word, and no JSON. */
const sentinel = /^\s*\[?[A-Z]{2,}\]?\s*$/;

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
  const {
    maxEventBytes: max = 2 ** 24,
    oversize,
    damage,
    onReport,
    ...given
  }: AutomationDecoderOptions = { ...options };
  const onEvent: (event: StreamEvent) => unknown = given.onEvent;
  demand({
    onEvent: typeof onEvent === "function",
    onReport: isCallback(onReport),
    maxEventBytes: isPositive(max),
    oversize: ["throw", "skip", undefined].includes(oversize),
    damage: ["throw", "report", undefined].includes(damage),
  });
  let rejected: StreamError | undefined; // what a callback's promise came to
  /** Takes what a callback gave: one without types may be asynchronous, and nobody else waits for its promise. */
  const take = (result: unknown): void => {
    if (typeof result !== "object" || result === null || !("then" in result)) return;
    quietly(
      () => result,
      (cause) => (rejected ??= new StreamError("misuse", "a callback rejected", { cause })),
    );
  };
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = new Uint8Array(0); // the beginning of a line whose end has not arrived, and room
  let heldBytes = 0;
  let dropping = false; // inside a line that was too large
  let afterCr = false; // an LF that comes now belongs to it
  let lines = 0;
  let dataLines = 0;
  let scan: JsonPrefix | undefined; // while a JSON text is unfinished
  let open: [text: string, line: number][] = []; // its lines; none when they were too large: the others are dropped as they come
  let openLine = 0; // number of its first line
  let openBytes = 0;
  let restarts = 0; // how often lines were joined anew for the line that comes
  let torn = false; // the lines that come may be the rest of an event that was skipped
  let terminalSeen = false;
  let ended = false;
  let busy = false; // stays true when something threw: bytes are lost then, so reading on would be wrong

  /** Tells of what is no event; by throwing, if the options say so. */
  const report = (kind: StreamErrorCode & StreamReportKind, line: number): void => {
    const tooLarge = kind === "event-too-large";
    if (!terminalSeen && (tooLarge ? oversize !== "skip" : damage === "throw" && !torn)) throw new StreamError(kind);
    if (tooLarge) torn = true;
    take(onReport?.({ kind: terminalSeen ? "after-terminal" : kind, line }));
  };
  const broken = (text: string, line: number): void => {
    if (sentinel.test(text)) take(onReport?.({ kind: "sentinel", line }));
    else report("invalid-json", line);
  };
  const deliver = (value: unknown, line: number): void => {
    const event = eventFrom(value);
    // Lines that are read again after damage can hold events behind the terminal one.
    if (!event || terminalSeen) return report(isObject(value) ? "missing-type" : "invalid-json", line);
    terminalSeen = isTerminalEvent(event);
    torn = false;
    take(onEvent(event));
  };

  /** The first of the open lines is broken: the others are read again. */
  const restart = (): void => {
    const [first, ...others] = open;
    open = [];
    scan = undefined;
    restarts++;
    if (first) broken(...first);
    for (const other of others) read(...other);
  };
  /** Reads what a data line holds. */
  const read = (text: string, line: number): void => {
    if (!/[^ \t]/.test(text)) return;
    if (!scan) {
      const value = parsed(text);
      if (value !== undefined) return deliver(value, line);
      if (restarts > 8) return broken(text, line); // keeps hostile input linear
      scan = createJsonPrefix();
      openLine = line;
      openBytes = 0;
    }
    const brackets = scan(text);
    if (openBytes <= max) {
      open.push([text, line]);
      openBytes += 5 + byteLength(text); // `data:` is on the wire, too
      if (openBytes > max) {
        open = [];
        report("event-too-large", openLine);
      }
    }
    if (brackets > 0) return;
    const value = brackets === 0 ? parsed(open.map(([part]) => part).join("\n")) : undefined;
    if (value !== undefined) {
      open = [];
      scan = undefined;
      deliver(value, openLine);
    } else {
      const dropped = open.length === 0;
      restart();
      if (dropped && brackets < 0) read(text, line); // it is none of what was too large
    }
  };
  /** No line that follows can belong to those before. */
  const close = (): void => {
    if (scan) {
      restart();
      close();
    }
  };
  const onLongLine = (): void => {
    torn = true;
    restarts = 0;
    close(); // what waits for its other lines must not be completed without this one
    report("event-too-large", lines);
  };
  const readLine = (line: string): void => {
    if (lines === 1) line = line.replace(/^\uFEFF/, "");
    const data = line.replace(/^data(?:: ?|$)/, "");
    if (data === line) return;
    dataLines++;
    if (!terminalSeen) read(data, lines);
    else if (data) broken(data, lines);
  };
  /** Reads whole lines. */
  const readBlock = (bytes: Uint8Array): void => {
    const decoded = decoder.decode(bytes);
    const text = decoded.includes("\r") ? decoded.replace(/\r\n?/g, "\n") : decoded;
    const fits = text.length * 3 <= max; // so each of its lines does
    let at = dropping || (afterCr && decoded[0] === "\n") ? text.indexOf("\n") + 1 : 0;
    dropping = false;
    afterCr = decoded.endsWith("\r");
    for (let end; at < text.length; at = end) {
      lines++;
      restarts = 0;
      if (text[at] === "\n") {
        end = at + 1;
        close();
        torn = false;
      } else if (fits && !scan && !terminalSeen && (end = readDelta(text, at, onEvent, take))) {
        dataLines++;
        torn = false;
      } else {
        end = text.indexOf("\n", at) + 1;
        const line = text.slice(at, end - 1);
        if (!fits && byteLength(line) > max) onLongLine();
        else readLine(line);
      }
    }
  };
  const feed = (chunk: Uint8Array): void => {
    if (busy) throw new StreamError("misuse", "the decoder is busy or ended");
    if (rejected) throw rejected;
    if (!ArrayBuffer.isView(chunk)) throw new StreamError("misuse", "the chunk is not a Uint8Array");
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
        lines++;
        onLongLine();
      }
      dropping = true;
    }
    busy = false;
  };

  return {
    feed,
    end() {
      if (ended) return;
      feed(Uint8Array.of(10, 10)); // ends the last line, and what waits for more lines
      ended = busy = true;
    },
    get dataLines() {
      return dataLines;
    },
  };
}

/** Size on the wire. */
function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
