import { EventEmitter } from "node:events";
import type { BrowserContext } from "playwright-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onConsoleFlood } from "../../src/pages/page-failures.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Seconds, and what comes in each: messages, written some time before, in each of so many seconds until then, and errors. */
type Load = readonly {
  readonly messages?: number;
  readonly agoMs?: number;
  readonly seconds?: number;
  readonly errors?: number;
}[];

/** Counts how often the end of a session is called for, whose pages say so much. */
function countFloods(load: Load): number {
  const pages = new EventEmitter();
  const onFlood = vi.fn<() => void>();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is used of a context
  onConsoleFlood(pages as unknown as BrowserContext, onFlood);
  for (const { messages = 0, agoMs = 0, seconds = 1, errors = 0 } of load) {
    for (let before = seconds - 1; before >= 0; before -= 1) {
      const message = { timestamp: () => Date.now() - agoMs - before * 1_000 };
      for (let count = 0; count < messages; count += 1) pages.emit("console", message);
    }
    for (let count = 0; count < errors; count += 1) pages.emit("weberror", {});
    vi.advanceTimersByTime(1_000);
  }
  return onFlood.mock.calls.length;
}

test.each<readonly [what: string, load: Load]>([
  ["one second of it, however loud", [{ messages: 50_000 }]],
  ["loud seconds with silence between", [{ messages: 50_000 }, {}, { messages: 50_000 }]],
  ["as much as can be read, for long", Array.from({ length: 60 }, () => ({ messages: 3_000 }))],
  ["as many errors, for long", Array.from({ length: 60 }, () => ({ errors: 1_000 }))],
  [
    "little of each second, read at once when the machine has time again",
    [{ messages: 200, agoMs: 2_000, seconds: 30 }],
  ],
  ["what was written long ago, if it is little", Array.from({ length: 60 }, () => ({ messages: 1_000, agoMs: 5_000 }))],
])("no flood is %s", (_, load) => {
  expect(countFloods(load)).toBe(0);
});

test.each<readonly [what: string, load: Load]>([
  ["more than can be read, in two seconds after each other", [{ messages: 3_001 }, { messages: 3_001 }]],
  ["so many errors", [{ errors: 1_001 }, { errors: 1_001 }]],
  ["what is read long after it was written, because there is so much", [{ messages: 1_001, agoMs: 1_001 }]],
])("a flood is %s, reported once", (_, load) => {
  expect(countFloods([...load, ...load])).toBe(1);
});
