import { expect, test } from "vitest";
import { makeSuspensionClock, machineClock } from "../src/monotonic-clock.ts";

/** A machine whose time the test moves: none can be suspended here. */
function machine(): { monotonic: number; wall: number; boot: number | undefined; reads: number; now: () => number } {
  const at = { monotonic: 5_000, wall: 1_000_000, boot: 90_000 as number | undefined, reads: 0 };
  const now = makeSuspensionClock({
    monotonic: () => at.monotonic,
    wall: () => at.wall,
    sinceBoot: () => ((at.reads += 1), at.boot),
  });
  return Object.assign(at, { now });
}

test("a suspension of the machine counts, whatever is done to its time of day", () => {
  for (const setBy of [0, 30_000, -30_000, 60_000]) {
    const at = machine();
    const before = at.now();
    Object.assign(at, { wall: at.wall + 30_000 + setBy, boot: 120_000 });
    // A time of day that was set back by just as much hides it for a second at most.
    Object.assign(at, { monotonic: at.monotonic + 1_000, wall: at.wall + 1_000, boot: 121_000 });
    expect(at.now() - before).toBe(31_000);
  }
});

test("a time of day that is set counts for nothing", () => {
  for (const setBy of [3_600_000, -3_600_000, 150]) {
    const at = machine();
    const before = at.now();
    Object.assign(at, { wall: at.wall + setBy });
    expect(at.now() - before).toBe(0);
  }
});

test("it never goes back, and does without the time since the start", () => {
  const at = machine();
  Object.assign(at, { wall: at.wall + 20_000, boot: 110_000 });
  const after = at.now();
  Object.assign(at, { wall: at.wall + 20_000, boot: undefined });
  expect(at.now()).toBe(after);
  Object.assign(at, { wall: at.wall + 20_000, boot: 90_000 });
  expect(at.now()).toBe(after);
});

test("the time since the start is read once a second at most while nothing happens", () => {
  const at = machine();
  for (let ms = 0; ms < 10_000; ms += 1) {
    Object.assign(at, { monotonic: at.monotonic + 1, wall: at.wall + 1 });
    at.now();
  }
  expect(at.reads).toBeLessThanOrEqual(11);
});

test("the clock of this machine goes on", () => {
  const first = machineClock.now();
  expect(machineClock.now()).toBeGreaterThanOrEqual(first);
});
