import type { DecodingOptions } from "./decoding-options.ts";
import { readDelta } from "./delta-lines.ts";
import { eventFrom, isObject, isTerminalEvent, type StreamEvent } from "../events/event.ts";
import { createJsonPrefix, parsed, type JsonPrefix } from "./json-prefix.ts";
import { StreamError, type StreamErrorCode } from "../errors/stream-error.ts";
import type { StreamReportKind } from "../errors/stream-report.ts";

/** Assembles events from lines, which are numbered from 1. */
export interface EventAssembler {
  /** Reads the line that begins at a place of a text of whole lines; returns where the next one begins. */
  line(text: string, at: number, number: number): number;
  /** Drops a line that is too large. */
  skip(number: number): void;
  /** Number of `data` lines so far. */
  readonly dataLines: number;
}

/** Last line of other services, such as `[DONE]`: a word, and no JSON. */
const sentinel = /^\s*\[?[A-Z]{2,}\]?\s*$/;

/**
 * Joins `data` lines to JSON values, whichever framing of server-sent events (SSE) they have, and delivers these as events.
 *
 * It is idle, or has open lines: those of a JSON text that has begun and is not complete. A blank line ends them.
 *
 * @param max - Largest event, in bytes.
 * @param take - Receives what a callback returned.
 */
export function createEventAssembler(
  max: number,
  oversize: DecodingOptions["oversize"],
  damage: DecodingOptions["damage"],
  onReport: DecodingOptions["onReport"],
  onEvent: (event: StreamEvent) => unknown,
  take: (result: unknown) => void,
): EventAssembler {
  /** Scans the JSON text of the open lines; undefined while idle. */
  let scan: JsonPrefix | undefined;
  /** Holds the open lines; none when they were too large: those that follow are dropped as they come. */
  let open: [text: string, line: number][] = [];
  /** Is the number of the first open line. */
  let openLine = 0;
  /** Counts the bytes of the open lines. */
  let openBytes = 0;
  /** Counts how often lines were joined anew for the line that is read. */
  let restarts = 0;
  /** Is true when the lines that come may be the rest of an event that was skipped. */
  let torn = false;
  /** Is true after the terminal event: what follows is reported, and not delivered. */
  let terminalSeen = false;

  /** Reports what is not an event; throws instead if the options say so. */
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

  /** The first of the open lines is broken: reports it, and reads the others again. */
  const restart = (): void => {
    const [first, ...others] = open;
    open = [];
    scan = undefined;
    restarts++;
    if (first) broken(...first);
    for (const other of others) read(...other);
  };
  /** Reads the text of a data line. */
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
    const value = brackets ? undefined : parsed(open.map(([part]) => part).join("\n"));
    if (value !== undefined) {
      open = [];
      scan = undefined;
      deliver(value, openLine);
    } else {
      const dropped = !open[0];
      restart();
      if (dropped && brackets < 0) read(text, line); // it is none of what was too large
    }
  };
  /** Makes it idle: no line that follows can belong to the open ones. */
  const close = (): void => {
    // oxlint-disable-next-line no-unmodified-loop-condition -- restart changes it
    while (scan) restart();
  };
  const skip = (number: number): void => {
    torn = true;
    restarts = 0;
    close(); // what waits for its other lines must not be completed without this one
    report("event-too-large", number);
  };

  const assembler = {
    skip,
    dataLines: 0,
    line(text: string, at: number, number: number): number {
      restarts = 0;
      const fits = text.length * 3 <= max; // so each of its lines does
      let end = at + 1;
      if (text[at] === "\n") {
        close();
        torn = false;
      } else if (fits && !scan && !terminalSeen && (end = readDelta(text, at, onEvent, take))) {
        assembler.dataLines++;
        torn = false;
      } else {
        end = text.indexOf("\n", at) + 1;
        const line = text.slice(at, end - 1);
        const data = line.replace(number > 1 ? /^data(?:: ?|$)/ : /^\uFEFF?data(?:: ?|$)/, "");
        if (!fits && byteLength(line) > max) skip(number);
        else if (data !== line) {
          assembler.dataLines++;
          if (!terminalSeen) read(data, number);
          else if (data) broken(data, number);
        }
      }
      return end;
    },
  };
  return assembler;
}

/** Returns the size of a text on the wire, in bytes. */
function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
