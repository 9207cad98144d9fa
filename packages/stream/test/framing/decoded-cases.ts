import { expect } from "vitest";
import { createAutomationDecoder, type StreamEvent, type StreamReport } from "../../src/index.ts";
import { cuts } from "../chunking.ts";
import type cases from "../data/sse-cases.json";

/** All that a decoder says about chunks, in its order. */
export function decoded(chunks: Iterable<Uint8Array>, maxEventBytes?: number): (StreamEvent | StreamReport)[] {
  const got: (StreamEvent | StreamReport)[] = [];
  const note = (thing: StreamEvent | StreamReport): void => void got.push(thing);
  const decoder = createAutomationDecoder({ onEvent: note, onReport: note, maxEventBytes });
  for (const chunk of chunks) decoder.feed(chunk);
  decoder.end();
  return got;
}

/** The same things as the case file writes them: events as on the wire, reports with the text of their line. */
function asInCases(things: (StreamEvent | StreamReport)[], text: string): unknown[] {
  const lines = text.split(/\r\n|\n|\r/);
  return things.map((thing) => {
    if ("type" in thing) return { event: thing.type === "unknown" ? thing.event : thing };
    const { line, ...report } = thing;
    return { report, of: lines[line - 1] };
  });
}

/** What was read of a cut. */
export interface Reading {
  readonly cut: string;
  readonly got: unknown[];
}

/**
 * Reads a case, however its bytes are cut. Returns each reading that differs from those before it, and what it should be.
 *
 * @param mostPlaces - At how many places it is cut in two. Default: all.
 */
export function readEach(
  { chunks_base64, want }: (typeof cases)[number],
  mostPlaces?: number,
): { readonly readings: readonly Reading[]; readonly expected: unknown[] } {
  const chunks = chunks_base64.map((chunk) => new Uint8Array(Buffer.from(chunk, "base64")));
  const whole = new Uint8Array(Buffer.concat(chunks));
  const text = new TextDecoder().decode(whole);
  const expected = want.map((item) => {
    if (item.event) return { event: JSON.parse(item.event) as unknown };
    return { report: item.report, of: expect.stringContaining(item.of ?? "") as unknown };
  });
  const readings = new Map<string, Reading>();
  for (const cut of [{ name: "as recorded", chunks }, ...cuts(whole, mostPlaces)]) {
    const got = asInCases(decoded(cut.chunks), text);
    const written = JSON.stringify(got);
    if (!readings.has(written)) readings.set(written, { cut: cut.name, got });
  }
  return { readings: [...readings.values()], expected };
}
