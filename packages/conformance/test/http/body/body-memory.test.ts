import { describe, expect, test } from "vitest";
import { BodyMemory } from "../../../src/http/body/body-memory.ts";
import { findWhole, type Chunk } from "../../../src/http/body/chunks.ts";
import { bodyJson, bodyText, type RawResponse } from "../../../src/http/exchange.ts";

/** A body in pieces of some length, each a millisecond after the one before. */
function listChunks(text: string, length: number): Chunk[] {
  const bytes = Buffer.from(text);
  const count = Math.ceil(bytes.length / length);
  return Array.from({ length: count }, (_, at) => ({
    atMs: at,
    bytes: Uint8Array.from(bytes.subarray(at * length, (at + 1) * length)),
  }));
}

const answer = (chunks: readonly Chunk[]): RawResponse => ({ status: 200, headers: [], chunks, end: "complete" });
const page = JSON.stringify({ markdown: 'Ferries, "piers", [and](/more)\\ '.repeat(1_000) });
const plenty = 2 ** 30;

/** Memory that a body takes when it comes for the first time, and for the second. */
const used = (text: string): number[] => {
  const memory = new BodyMemory(plenty);
  return [1, 2].map(() => {
    const before = memory.grant(plenty);
    memory.keep(listChunks(text, 4_096), text.length * 2);
    return before - memory.grant(plenty);
  });
};

describe("bodies with the same bytes", () => {
  test("are kept once, each in the pieces in which it came", () => {
    const memory = new BodyMemory(plenty);
    const first = memory.keep(listChunks(page, 1_000), page.length);
    const second = memory.keep(listChunks(page, 777), page.length);
    const other = memory.keep(listChunks(`${page} `, 777), page.length);
    expect(findWhole(second)).toBe(findWhole(first));
    expect(findWhole(other)).not.toBe(findWhole(first));
    expect(second.map(({ atMs, bytes }) => [atMs, bytes.length])).toEqual(
      listChunks(page, 777).map(({ atMs, bytes }) => [atMs, bytes.length]),
    );
    for (const chunks of [first, second]) expect(bodyText(answer(chunks))).toBe(page);
    expect(bodyJson(answer(second))).toBe(bodyJson(answer(first)));
  });

  test("count in full once, and then for what judging them takes: little for a text, much for many values", () => {
    const [first, again = Infinity] = used(page);
    expect(first).toBe(page.length * 2);
    expect(again).toBeLessThan(page.length / 8);
    const values = JSON.stringify(Array.from({ length: 10_000 }, () => ({ a: "," })));
    expect(used(values)[1]).toBeGreaterThan(values.length);
  });

  test("may be empty", () => {
    const memory = new BodyMemory(plenty);
    expect(memory.keep([], 0)).toEqual([]);
    expect(bodyText(answer(memory.keep([], 0)))).toBe("");
  });
});

test("chunks that are not all of one piece of memory have no whole", () => {
  const [first, second] = new BodyMemory(plenty).keep(listChunks("0123456789", 5), 10);
  if (!first || !second) throw new Error("two chunks are kept");
  expect(findWhole([first, second])).toBe(first.bytes.buffer);
  expect(findWhole([first])).toBeUndefined();
  expect(findWhole([second, first])).toBeUndefined();
  expect(findWhole([first, ...listChunks("56789", 5)])).toBeUndefined();
  expect(bodyText(answer([second, first]))).toBe("5678901234");
});

test("all answers of a run share one memory, and the last still gets 64 KiB of it", () => {
  const memory = new BodyMemory(1_000_000);
  expect(memory.grant(600_000)).toBe(600_000);
  memory.subtract(600_000);
  expect(memory.grant(600_000)).toBe(400_000);
  memory.subtract(2_000_000);
  expect(memory.grant(600_000)).toBe(65_536);
});
