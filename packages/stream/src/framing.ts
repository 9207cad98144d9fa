import { createJsonPrefix, type JsonPrefix, type JsonPrefixState } from "./json-prefix.ts";
import { StreamError } from "./stream-error.ts";

/** What framing makes of data lines; `line` is the number of the first line that belongs to it. */
export interface FramingTarget {
  /** One JSON value was read. */
  onValue(value: unknown, line: number): void;
  /** A line can't be part of any JSON value. */
  onBroken(line: number): void;
}

/** Puts data lines together to JSON values. */
export interface Framing {
  /** Takes the next data line. */
  line(data: DataLine): void;
  /** No line that follows can belong to those before: a blank line, or the end. */
  close(): void;
}

/** One data line. */
export interface DataLine {
  /** What follows `data:`, without the one optional space. */
  readonly text: string;
  /** Number of the line in the stream, from 1. */
  readonly line: number;
  /** Size on the wire, without the line end. */
  readonly bytes: number;
}

/** How often the lines of one block are joined anew after damage, before each is read by itself: keeps hostile input linear. */
const maxRestarts = 8;

/**
 * Reads JSON values from data lines, whether a blank line stands between them or not.
 *
 * A line that is a whole JSON value by itself is delivered at its own end. Otherwise the lines after it are joined to
 * it for as long as they can still become one JSON value. When they no longer can, the first of them is broken and the
 * others are read again.
 *
 * It never misreads: once some lines are a whole JSON object, what follows in the same text can only be white space.
 *
 * Source: interface § Endpoints.
 *
 * @param maxEventBytes - bound for the bytes of all lines of one value.
 * @throws {StreamError} `event-too-large` from `line`.
 */
export function createFraming(target: FramingTarget, maxEventBytes: number): Framing {
  let open: DataLine[] = []; // lines that are a valid, unfinished beginning of one JSON text
  let openBytes = 0;
  let prefix: JsonPrefix = createJsonPrefix();

  /** Reads one value from `lines[start]` on, over as many lines as it takes, but none from `limit` on. */
  const readOne = (
    lines: readonly DataLine[],
    start: number,
    limit: number,
  ): { end: number; state: JsonPrefixState } => {
    prefix = createJsonPrefix();
    for (let end = start; end < limit; end++) {
      const state = prefix.scan(lines[end]?.text ?? "");
      if (state !== "open") return { end: end + 1, state };
    }
    return { end: limit, state: "open" };
  };

  /** Reads again lines whose first one is known to be broken. With `closed`, nothing stays open. */
  const recover = (lines: readonly DataLine[], closed: boolean): void => {
    let restarts = 0;
    let at = 0;
    const breakOne = (): void => {
      const line = lines[at++];
      if (line) target.onBroken(line.line);
    };
    breakOne();
    while (at < lines.length) {
      const found = readOne(lines, at, restarts < maxRestarts ? lines.length : at + 1);
      if (found.state === "whole") {
        deliver(lines.slice(at, found.end));
        at = found.end;
      } else if (found.state === "open" && found.end === lines.length && !closed) {
        open = lines.slice(at);
        openBytes = sumOfBytes(open);
        return;
      } else {
        if (found.end - at > 1) restarts++;
        breakOne();
      }
    }
  };

  const deliver = (lines: readonly DataLine[]): void => {
    const first = lines[0];
    if (first) target.onValue(JSON.parse(lines.map(({ text }) => text).join("\n")), first.line);
  };
  const takeOpen = (): DataLine[] => {
    const lines = open;
    open = [];
    openBytes = 0;
    return lines;
  };

  return {
    line(data) {
      if (isBlank(data.text)) return;
      if (openBytes + data.bytes > maxEventBytes) {
        throw new StreamError("event-too-large", `an event has more than ${maxEventBytes} bytes`);
      }
      if (open.length === 0) {
        const value = parsed(data.text);
        if (value) return target.onValue(value.value, data.line);
        prefix = createJsonPrefix();
      }
      const state = prefix.scan(data.text);
      if (state === "broken") return recover([...takeOpen(), data], false);
      open.push(data);
      openBytes += data.bytes;
      if (state === "whole") deliver(takeOpen());
    },
    close() {
      if (open.length > 0) recover(takeOpen(), true);
    },
  };
}

/** White space as JSON has it; `trim` would also take a byte order mark. */
function isBlank(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

/** The JSON value in a box, as `null` is one too. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // not JSON, or not all of it: the caller finds out which
  }
}

function sumOfBytes(lines: readonly DataLine[]): number {
  let sum = 0;
  for (const { bytes } of lines) sum += bytes;
  return sum;
}
