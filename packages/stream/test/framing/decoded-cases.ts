import { expect } from "vitest";
import { createAutomationDecoder, type StreamEvent, type StreamReport } from "../../src/index.ts";
import { listCuts } from "../chunking.ts";
import type cases from "../data/sse-cases.json";

/** All that a decoder says about chunks, in its order. */
export function decode(chunks: Iterable<Uint8Array>, maxEventBytes?: number): (StreamEvent | StreamReport)[] {
  const things: (StreamEvent | StreamReport)[] = [];
  const note = (thing: StreamEvent | StreamReport): void => void things.push(thing);
  const decoder = createAutomationDecoder({ onEvent: note, onReport: note, maxEventBytes });
  for (const chunk of chunks) decoder.feed(chunk);
  decoder.end();
  return things;
}

/** The same things as the case file writes them: events as on the wire, reports with the text of their line. */
function formatAsCases(things: (StreamEvent | StreamReport)[], text: string): unknown[] {
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
  readonly items: unknown[];
}

/**
 * Reads a case, however its bytes are cut. Returns each reading that differs from those before it, and what it should be.
 *
 * @param mostPlaces - At how many places it is cut in two. Default: all.
 */
export function readEach(
  { chunks_base64, want }: (typeof cases)[number],
  mostPlaces?: number,
): { readonly readings: readonly Reading[]; readonly expectedItems: unknown[] } {
  const chunks = chunks_base64.map((chunk) => new Uint8Array(Buffer.from(chunk, "base64")));
  const whole = new Uint8Array(Buffer.concat(chunks));
  const text = new TextDecoder().decode(whole);
  const expectedItems = want.map((item) => {
    if (item.event) return { event: JSON.parse(item.event) as unknown };
    return { report: item.report, of: expect.stringContaining(item.of ?? "") as unknown };
  });
  const readings = new Map<string, Reading>();
  for (const cut of [{ name: "as recorded", chunks }, ...listCuts(whole, mostPlaces)]) {
    const items = formatAsCases(decode(cut.chunks), text);
    const json = JSON.stringify(items);
    if (!readings.has(json)) readings.set(json, { cut: cut.name, items });
  }
  return { readings: [...readings.values()], expectedItems };
}
