import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RunClock } from "../../src/runs/run-clock.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("the time of a run stands still while it waits for a person, however often that is, and is not given twice", () => {
  const end = vi.fn<() => void>();
  const clock = new RunClock(1_000, end);
  vi.advanceTimersByTime(600);
  const [resume, another] = [clock.pause(), clock.pause()];
  vi.advanceTimersByTime(10_000);
  resume();
  resume();
  vi.advanceTimersByTime(10_000);
  another();
  vi.advanceTimersByTime(399);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(end).toHaveBeenCalledOnce();
});

test("a run that is over ends no more, paused or not", () => {
  const end = vi.fn<() => void>();
  const clock = new RunClock(1_000, end);
  const resume = clock.pause();
  clock.stop();
  resume();
  vi.advanceTimersByTime(10_000);
  expect(end).not.toHaveBeenCalled();
});
