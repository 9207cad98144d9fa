import type { DecodingOptions } from "./decoding-options.ts";
import { readDelta } from "./delta-lines.ts";
import { findOffset } from "./field-values.ts";
import { eventFrom, isObject, isTerminal, type StreamEvent } from "../events/event.ts";
import { createLearnedLayouts, maxLine } from "./learned-layouts.ts";
import { createJsonPrefix, tryParse, type JsonPrefix } from "./json-prefix.ts";
import { StreamError, type StreamErrorCode } from "../errors/stream-error.ts";
import type { StreamReportKind } from "../errors/stream-report.ts";

/** Assembles events from lines, which it numbers from 1. */
export interface EventAssembler {
  /** Reads the complete lines of a text, from an offset on, and returns the offset of the incomplete one at its end. */
  read(text: string, from: number): number;
  /** Skips a line that is too large. */
  skip(): void;
  /** Number of `data` lines so far. */
  readonly dataLines: number;
}

/** The name of a field other than `data`, or the start of a comment. */
const otherField = /(?:|event|id|retry)[:\n\r]/y;

/**
 * Number of failed attempts to read a line as a plain delta after which no more are made: the other lines of a stream are likely to be
 * alike.
 */
const maxPlain = 64;

/** A sentinel of other services, such as `[DONE]`: a word that is not JSON. */
const sentinel = /^\s*\[?[A-Z]{2,}\]?\s*$/;

/**
 * Creates an assembler, which joins `data` lines to JSON values in either framing of server-sent events (SSE), and delivers
 * these as events.
 *
 * It is idle, or has open lines: the lines of an incomplete JSON text. A blank line ends them.
 *
 * @param max - size limit of an event, in bytes
 * @param handleResult - called with what a callback returned
 */
export function createEventAssembler(
  max: number,
  oversize: DecodingOptions["oversize"],
  damage: DecodingOptions["damage"],
  onReport: DecodingOptions["onReport"],
  onEvent: (event: StreamEvent) => unknown,
  handleResult: (result: unknown) => void,
): EventAssembler {
  /** Number of lines so far. */
  let lines = 0;
  /** Number of `data` lines so far. */
  let dataLines = 0;
  /** Scanner of the JSON text of the open lines; undefined while idle. */
  let scan: JsonPrefix | undefined;
  /** The open lines; empty when they were too large, and the lines after them are dropped. */
  let open: [text: string, line: number][] = [];
  /** Number of the first open line. */
  let openLine = 0;
  /** Size of the open lines, in bytes. */
  let openBytes = 0;
  /** Work of parsing the open lines again for the current line: 1 for each time, and 1 for each thousand lines. */
  let restarts = 0;
  /** True when the next lines may be the rest of an event that was skipped. */
  let torn = false;
  const layouts = createLearnedLayouts();
  /** Number of lines that are still tried as plain deltas first, although a layout fits. */
  let plain = maxPlain;
  /** True after the terminal event: `data` lines after it are reported, and not delivered. */
  let terminalSeen = false;

  /** Reports a line that is not an event, or throws, as the options say. */
  const report = (kind: StreamErrorCode & StreamReportKind, line: number): void => {
    const tooLarge = kind === "event-too-large";
    if (!terminalSeen && (tooLarge ? oversize !== "skip" : damage === "throw" && !torn)) throw new StreamError(kind);
    if (tooLarge) torn = true;
    handleResult(onReport?.({ kind: terminalSeen ? "after-terminal" : kind, line }));
  };
  const broken = (text: string, line: number): void => {
    if (sentinel.test(text)) handleResult(onReport?.({ kind: "sentinel", line }));
    else report("invalid-json", line);
  };
  const deliver = (value: unknown, line: number): void => {
    const event = eventFrom(value);
    // Lines that are parsed again can have events after the terminal one.
    if (!event || terminalSeen) return report(isObject(value) ? "missing-type" : "invalid-json", line);
    terminalSeen = isTerminal(event);
    torn = false;
    handleResult(onEvent(event));
  };

  /** Reports the first of the open lines as malformed, and parses the others again. */
  const restart = (): void => {
    const [first, ...others] = open;
    open = [];
    scan = undefined;
    restarts += 1 + others.length / 1000;
    if (first) broken(...first);
    for (const other of others) readData(...other);
  };
  /** Reads the text of a data line. */
  const readData = (text: string, line: number): void => {
    if (!/[^ \t]/.test(text)) return;
    if (!scan) {
      // To scan an incomplete line takes a tenth of the time in which JSON.parse throws.
      const value = restarts >= 9 ? undefined : tryParse(text);
      if (value !== undefined) return deliver(value, line);
      scan = createJsonPrefix();
      openLine = line;
      openBytes = 0;
    }
    const brackets = scan(text);
    if (openBytes <= max) {
      open.push([text, line]);
      openBytes += 5 + byteLength(text); // with the 5 bytes of `data:`
      if (openBytes > max) {
        open = [];
        report("event-too-large", openLine);
      }
    }
    if (brackets > 0 && !(restarts >= 9)) return; // bounds the work of hostile input: then each line stands alone
    const value = brackets ? undefined : tryParse(open.map(([part]) => part).join("\n"));
    if (value !== undefined) {
      open = [];
      scan = undefined;
      deliver(value, openLine);
    } else {
      const dropped = !open[0];
      restart();
      if (dropped && brackets < 0) readData(text, line); // it does not belong to the event that was too large
    }
  };
  /** Ends the open lines: no later line can belong to them. */
  const close = (): void => {
    // oxlint-disable-next-line no-unmodified-loop-condition -- restart changes it
    while (scan) restart();
  };
  const skip = (): void => {
    torn = true;
    restarts = 0;
    close(); // the open lines must not be completed without this one
    report("event-too-large", lines);
  };

  /** Reads a line between two offsets of a text. */
  const readLine = (text: string, start: number, end: number): void => {
    if ((end - start) * 3 > max && byteLength(text.slice(start, end)) > max) return skip();
    const at = lines === 1 && text.charCodeAt(start) === 0xfe_ff ? start + 1 : start; // a byte order mark
    if (!isData(text, at) && !(end === at + 4 && text.startsWith("data", at))) {
      otherField.lastIndex = at;
      if (!otherField.test(text)) handleResult(onReport?.({ kind: "unknown-field", line: lines }));
      return;
    }
    dataLines++;
    const data = text.slice(at + (text.charCodeAt(at + 5) === 32 ? 6 : 5), end);
    if (!terminalSeen) readData(data, lines);
    else if (data) broken(data, lines);
  };

  return {
    read(text, from) {
      layouts.begin();
      const fits = text.length * 3 <= max; // then each of its lines is within the limit, too
      /** Offsets of the next LF and CR; the length of the text when there is none. */
      let [lf, cr] = [-1, -1];
      let at = from;
      while (at < text.length) {
        lines++;
        restarts = 0;
        const code = text.charCodeAt(at);
        if (code === 10 || code === 13) {
          close();
          torn = false;
          at = offsetAfter(text, at);
          continue;
        }
        // Most lines are one event, and for them the shortest way counts.
        const isUsual = code === 100 && fits && !scan && !terminalSeen;
        const next = isUsual && plain > 0 ? readDelta(text, at, onEvent, handleResult) : 0;
        if (next) {
          dataLines++;
          torn = false;
          // Of long lines, JSON.parse takes the least time.
          if (next - at > maxLine) plain = 0;
          else if (plain < maxPlain) plain++;
          at = next;
          if (text.charCodeAt(at) === 10) {
            lines++;
            at++;
          }
          continue;
        }
        let event = isUsual ? layouts.read(text, at) : undefined;
        if (event) {
          if (plain > 0) plain -= 8;
          at = offsetAfter(text, layouts.place.at);
        } else {
          if (lf < at) lf = findOffset(text, "\n", at);
          if (cr < at) cr = findOffset(text, "\r", at);
          const end = lf < cr ? lf : cr;
          if (end === text.length) {
            lines--;
            break;
          }
          if (isUsual && plain > 0) plain -= 4;
          // Before JSON.parse throws, which takes long.
          const isWhole = isUsual && text.charCodeAt(end - 1) === 125 && isData(text, at);
          event = isWhole ? eventFrom(tryParse(text.slice(at + 5, end))) : undefined;
          if (event) {
            terminalSeen = event.type.length < 10 && isTerminal(event); // a length takes less time than most comparisons
            // Where four of five lines are plain deltas, the others are not worth it.
            if (!terminalSeen && plain < maxPlain / 2) layouts.learn(text, at, end, event);
          } else readLine(text, at, end);
          at = offsetAfter(text, end);
        }
        if (event) {
          dataLines++;
          torn = false;
          const result: unknown = onEvent(event);
          if (result) handleResult(result);
          if (text.charCodeAt(at) === 10) {
            lines++; // a blank line ends nothing here
            at++;
          }
        }
      }
      return at;
    },
    skip() {
      lines++;
      skip();
    },
    get dataLines() {
      return dataLines;
    },
  };
}

/** Returns the size of a text in UTF-8, in bytes. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Returns the offset after the line end at an offset. */
function offsetAfter(text: string, at: number): number {
  return text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10 ? at + 2 : at + 1;
}

/** Returns whether a line has data. Engines compare up to three characters without a call. */
function isData(text: string, at: number): boolean {
  return text.startsWith("dat", at) && text.startsWith("a:", at + 3);
}
