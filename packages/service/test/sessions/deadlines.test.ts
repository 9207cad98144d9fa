import { afterAll, beforeAll, expect, test } from "vitest";
import type { MonotonicClock } from "../../src/monotonic-clock.ts";
import { Deadlines } from "../../src/sessions/deadlines.ts";
import { startTestService, type TestService } from "../running-service.ts";

/** A clock that goes on when it is told to. */
class HandClock implements MonotonicClock {
  #now = 0;
  readonly #alarms = new Map<object, { readonly ms: number; readonly ring: () => void }>();

  now(): number {
    return this.#now;
  }

  callAfter(ms: number, ring: () => void): () => void {
    const alarm = {};
    this.#alarms.set(alarm, { ms: this.#now + ms, ring });
    return () => void this.#alarms.delete(alarm);
  }

  pass(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = [...this.#alarms].filter(([, alarm]) => alarm.ms <= until).toSorted(([, a], [, b]) => a.ms - b.ms);
      if (!next) break;
      const [id, alarm] = next;
      this.#now = Math.max(this.#now, alarm.ms);
      this.#alarms.delete(id);
      alarm.ring();
    }
    this.#now = until;
  }
}

const started = (limits: { idleMs: number; totalMs: number; unusedMs?: number }) => {
  const clock = new HandClock();
  const ends: [string, number][] = [];
  const deadlines = new Deadlines(clock, limits, (why) => ends.push([why, clock.now()]));
  return { clock, deadlines, ends };
};

test("a life that is never used ends sooner than one that is idle", () => {
  const { clock, deadlines, ends } = started({ idleMs: 900, totalMs: 10_000, unusedMs: 300 });
  clock.pass(299);
  deadlines.touch(); // its first page is there: that is no use
  expect(ends).toEqual([]);
  clock.pass(5_000);
  expect(ends).toEqual([["unused", 300]]);
});

test("one that was used once is bounded by its idle limit only", () => {
  const { clock, deadlines, ends } = started({ idleMs: 900, totalMs: 10_000, unusedMs: 300 });
  clock.pass(200);
  deadlines.use();
  deadlines.touch();
  clock.pass(899);
  expect(ends).toEqual([]);
  clock.pass(5_000);
  expect(ends).toEqual([["idle", 1_100]]);
});

test("one without a limit for the unused is idle, and none lives longer than it may", () => {
  const idle = started({ idleMs: 900, totalMs: 10_000 });
  idle.clock.pass(20_000);
  expect(idle.ends).toEqual([["idle", 900]]);
  const total = started({ idleMs: 900, totalMs: 200, unusedMs: 300 });
  total.clock.pass(20_000);
  expect(total.ends).toEqual([["time-limit", 200]]);
});

let running: TestService;
beforeAll(async () => {
  running = await startTestService({ limits: { unusedMs: 1 } });
});
afterAll(async () => running[Symbol.asyncDispose]());

test("a session that nobody uses ends as unused, and one that names its idle limit does not", async () => {
  const patient = await running.open({ idle_limit_s: 600 });
  // It ends while it is created, or soon after.
  const answer = await running.ask("POST", "/control/sessions", {});
  await answer.body?.cancel();
  const sessions = async (): Promise<unknown> => (await running.ask("GET", "/control/sessions")).json();
  await expect
    .poll(sessions, { timeout: 60_000 })
    .toMatchObject({ sessions: [{ end_reason: "unused" }, { session_id: patient.session_id, state: "active" }] });
});
