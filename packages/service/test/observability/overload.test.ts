import { beforeEach, expect, test, vi } from "vitest";
import { Overload } from "../../src/health/overload.ts";

let renewedAgoMs: number | undefined;
let over: number;
let overload: Overload;
let nowMs: number;

beforeEach(() => {
  renewedAgoMs = undefined;
  over = 0;
  overload = new Overload({ renewedAgoMs: () => renewedAgoMs, renewalMs: 3_000, onOver: () => (over += 1) });
  overload.close();
  nowMs = performance.now();
});

/** Lets time pass, with a tick after each of these times. */
function pass(...ticksMs: readonly number[]): void {
  for (const ms of ticksMs) overload.tick((nowMs += ms));
}

const many = (count: number, ms: number): number[] => Array.from({ length: count }, () => ms);

test.each([
  ["timers in time", many(50, 100)],
  ["one pause of half a second", [...many(20, 100), 600, ...many(3, 100)]],
  ["timers that are a quarter of a second late", many(50, 350)],
])("%s are no overload", (_, ticks) => {
  pass(...ticks);
  expect(overload.fault).toBeUndefined();
  expect(over).toBe(0);
});

test.each([
  ["a pause of three seconds", [...many(20, 100), 3_000]],
  ["timers that are most of a second late", [...many(20, 100), ...many(8, 900)]],
])("%s is an overload, until timers are in time again", (_, ticks) => {
  pass(...ticks);
  expect(overload.fault).toMatch(/^this process is \d\.\d s late with all that it does$/u);
  expect(over).toBe(0);
  pass(...many(40, 100));
  expect(overload.fault).toBeUndefined();
  expect(over).toBe(1);
});

test("a lease that was not renewed in time is an overload, at once", () => {
  renewedAgoMs = 3_000;
  pass(100);
  expect(overload.fault).toBeUndefined();
  renewedAgoMs = 3_001;
  expect(overload.fault).toBe("the lease of this node was last renewed 3.0 s ago, and is at risk");
  pass(100);
  renewedAgoMs = 100;
  pass(100);
  expect(overload.fault).toBeUndefined();
  expect(over).toBe(1);
});

test("it is measured by itself, and by the turns of this process", async () => {
  const blocked = new Overload({ renewedAgoMs: () => undefined, renewalMs: Infinity, onOver: () => undefined });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  await vi.waitFor(() => expect(blocked.fault).toContain("late"), { timeout: 10_000, interval: 1 });
  blocked.close();
});
