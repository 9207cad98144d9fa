import type { Adapter, Input, Sink } from "./adapter.ts";
import { labelChunking } from "./corpus.ts";

/**
 * Receives what adapters deliver: counts it, and compares it when asked to.
 *
 * There is one for all adapters and for all runs, so that its call sites are equally warm for each.
 */
export interface Tally extends Sink {
  /** Starts a run; with `payloads`, every event is compared with the one at its place. */
  begin(payloads?: readonly string[]): void;
  /** @throws {Error} which says what differs, when the run did not deliver the whole input. */
  finish(adapter: Adapter, input: Input): void;
}

/** Makes an empty tally. */
export function createTally(): Tally {
  let count = 0;
  let bytes = 0;
  let last: unknown;
  let expectedEvents: readonly string[] | undefined;
  let difference: string | undefined;
  const compare = (event: unknown, index: number): void => {
    const actual = JSON.stringify(getWire(event));
    // The text on the wire may have spaces.
    if (actual === expectedEvents?.[index] || actual === JSON.stringify(JSON.parse(expectedEvents?.[index] ?? "null")))
      return;
    difference ??= `event ${index} is ${shorten(actual)} instead of ${shorten(expectedEvents?.[index])}`;
  };
  return {
    receive(event) {
      if (expectedEvents) compare(event, count);
      count++;
      last = event; // keeps the object from being optimised away
    },
    receiveBytes(byteCount) {
      bytes += byteCount;
    },
    begin(payloads) {
      count = 0;
      bytes = 0;
      last = undefined;
      expectedEvents = payloads;
      difference = undefined;
    },
    finish(adapter, { corpus, chunking }) {
      const expectedCount = adapter.delivers === "bytes" ? corpus.bytes.length : corpus.payloads.length;
      const deliveredCount = adapter.delivers === "bytes" ? bytes : count;
      if (deliveredCount !== expectedCount)
        difference ??= `${deliveredCount} ${adapter.delivers} instead of ${expectedCount}`;
      else if (adapter.delivers === "events" && getType(last) !== "done") difference ??= "the last event is not `done`";
      if (difference) throw new Error(`${adapter.name}, ${corpus.name}, ${labelChunking(chunking)}: ${difference}`);
    },
  };
}

/** The object as it was on the wire: ours wraps a type that the interface does not list. */
function getWire(event: unknown): unknown {
  return getType(event) === "unknown" && isRecord(event) ? event["event"] : event;
}

function getType(event: unknown): unknown {
  return isRecord(event) ? event["type"] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function shorten(text: string | undefined): string {
  if (text === undefined) return "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}... (${text.length} characters)` : text;
}
