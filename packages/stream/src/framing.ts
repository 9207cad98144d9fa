import { createJsonPrefix } from "./json-prefix.ts";

/** Puts data lines together to JSON values. */
export interface Framing {
  /** Takes what a data line holds. */
  line(text: string, line: number): void;
  /** No line that follows can belong to those before: a blank line, or the end. */
  close(): void;
  /** Whether lines wait for more of their JSON value. */
  isOpen(): boolean;
}

/** How often lines are joined anew after damage, before each is read by itself: keeps hostile input linear. */
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
 * @param onValue - receives each JSON value, with the number of its first line.
 * @param onBroken - receives a line that can't be part of any JSON value, with its number.
 * @param onOverflow - receives the number of the first of several lines that together exceed the bound, and are dropped.
 * @param max - bound for the bytes that the lines of one value hold.
 */
export function createFraming(
  onValue: (value: unknown, line: number) => void,
  onBroken: (text: string, line: number) => void,
  onOverflow: (line: number) => void,
  max: number,
): Framing {
  let open: [text: string, line: number][] = []; // a valid, unfinished beginning of one JSON text
  let openBytes = 0;
  let restarts = 0;
  let discarding = false; // inside a value that was too large: its other lines are dropped as they come
  let scan = createJsonPrefix();

  const take = (): typeof open => {
    const lines = open;
    open = [];
    openBytes = 0;
    return lines;
  };
  /** The first of the open lines is broken: the others are read again. */
  const restart = (): void => {
    const [first, ...others] = take();
    restarts++;
    if (first) onBroken(...first);
    for (const other of others) read(...other);
  };
  const read = (text: string, line: number): void => {
    if (!isOpen()) {
      const value = parsed(text);
      if (value) return onValue(value[0], line);
    }
    if (/^[ \t]*$/.test(text)) return;
    if (!isOpen()) {
      if (restarts > maxRestarts) return onBroken(text, line);
      scan = createJsonPrefix();
    }
    const state = scan(text);
    if (discarding) {
      discarding = state === "open";
      if (state === "broken") read(text, line); // it is none of what was too large
      return;
    }
    open.push([text, line]);
    openBytes += 6 + byteLength(text); // `data: `, as on the wire
    if (openBytes > max) {
      discarding = state === "open";
      onOverflow(take()[0]?.[1] ?? line);
    } else if (state !== "open") {
      const value = state === "whole" && parsed(open.map(([part]) => part).join("\n"));
      if (value) onValue(value[0], take()[0]?.[1] ?? line);
      else restart();
    }
  };
  const isOpen = (): boolean => discarding || open.length > 0;

  return {
    isOpen,
    line(text, line) {
      read(text, line);
      if (!isOpen()) restarts = 0;
    },
    close() {
      while (open.length > 0) restart();
      restarts = 0;
      discarding = false;
    },
  };
}

/** Size on the wire. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The JSON value in a box, as `null` is one too. */
function parsed(text: string): [value: unknown] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    return undefined; // not JSON, or not all of it
  }
}
