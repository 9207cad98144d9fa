import { expect, test, vi } from "vitest";
import { Handovers, type Question } from "../../src/handovers/handovers.ts";
import { ControlLease } from "../../src/sessions/control/control-lease.ts";
import { SteeringEvents, type SteeringEvent } from "../../src/sessions/control/steering-events.ts";
import type { Session } from "../../src/sessions/session.ts";
import { openDatabase } from "../../src/storage/sqlite/database.ts";
import { SqliteDatabase } from "../../src/storage/sqlite/sqlite-database.ts";
import { SqlHandoverStore } from "../../src/storage/sql/sql-handover-store.ts";
import { SqlSessionStore } from "../../src/storage/sql/sql-session-store.ts";

/** Requests of a session on a clock that the test moves, in a database that it may break. */
async function started() {
  const database = openDatabase(":memory:");
  const sessions = new SqlSessionStore(new SqliteDatabase(database));
  await sessions.create("s", 1);
  const timers = new Map<() => void, number>();
  let nowMs = 1_000;
  const clock = {
    now: () => nowMs,
    at: (atMs: number, due: () => void) => {
      timers.set(due, atMs);
      return () => void timers.delete(due);
    },
  };
  const events = new SteeringEvents();
  const log: SteeringEvent[] = [];
  events.observe((event) => void log.push(event));
  const faults: unknown[] = [];
  const store = new SqlHandoverStore(new SqliteDatabase(database));
  const handovers = new Handovers({ store, clock, events, onFault: (fault) => void faults.push(fault) });
  const ended = Promise.withResolvers<void>();
  const control = new ControlLease({ clock, graceMs: 100, onChange: () => {} });
  let holds = 0;
  const holdIdle = () => {
    holds += 1;
    return () => void (holds -= 1);
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a session is used
  const session = { id: "s", control, holdIdle, whenEnded: ended.promise } as unknown as Session;
  return {
    handovers,
    session,
    events: log,
    faults,
    control,
    holds: () => holds,
    pass: (ms: number) => {
      nowMs += ms;
      for (const [due, atMs] of timers) if (atMs <= nowMs && timers.delete(due)) due();
    },
    end: async () => {
      await sessions.end("s", nowMs, "requested");
      ended.resolve();
    },
    setWritable: (isWritable: boolean) => database.exec(`PRAGMA query_only = ${isWritable ? "OFF" : "ON"}`),
  };
}

const question: Question = { message: "log in", deadlineMs: 500, by: "program" };
const never = new AbortController().signal;

test.each(["done", "declined"] as const)("a person answers %s: once, and the control goes back", async (answer) => {
  const { handovers, session, control, events, holds } = await started();
  const { handover_id: id } = await handovers.ask(session, question);
  expect([control.state.request?.message, holds(), handovers.openCount]).toEqual(["log in", 1, 1]);
  control.take({}, false);
  const waited = [1, 2].map(() => handovers.wait("s", id, 60_000, never));
  const [one, other] = await Promise.allSettled([
    handovers.answer("s", id, answer, "as asked"),
    handovers.answer("s", id, answer === "done" ? "declined" : "done", null),
  ]);
  expect([one.status, other.status]).toEqual(["fulfilled", "rejected"]);
  for (const record of await Promise.all(waited)) expect(record).toMatchObject({ answer, note: "as asked" });
  expect([control.isHeld, control.state.request, holds(), handovers.openCount]).toEqual([false, null, 0, 0]);
  expect(await handovers.answer("s", id, answer, "again")).toMatchObject({ answer, note: "as asked" });
  expect(events.map(({ kind }) => kind)).toEqual(["asked", "answered"]);
});

test("it expires at its deadline, also when that can't be stored at once, and no answer counts after it", async () => {
  const { handovers, session, pass, setWritable, faults, events } = await started();
  const { handover_id: id } = await handovers.ask(session, question);
  setWritable(false);
  await expect(handovers.answer("s", id, "done", null)).rejects.toThrow();
  pass(500);
  await vi.waitFor(() => expect(faults).toHaveLength(1));
  expect((await handovers.get("s", id)).answer).toBeNull();
  setWritable(true);
  const waited = handovers.wait("s", id, 60_000, never);
  pass(1_000);
  expect(await waited).toMatchObject({ answer: "expired" });
  await expect(handovers.answer("s", id, "done", null)).rejects.toMatchObject({ code: "handover-answered" });
  expect(events.map(({ kind }) => kind)).toEqual(["asked", "answered"]);
});

test("the end of its session answers it, and is the answer ever after", async () => {
  const { handovers, session, end, pass, events } = await started();
  const { handover_id: id } = await handovers.ask(session, question);
  const waited = handovers.wait("s", id, 60_000, never);
  await end();
  expect(await waited).toMatchObject({ answer: "ended" });
  pass(10_000);
  expect(await handovers.get("s", id)).toMatchObject({ answer: "ended" });
  await expect(handovers.answer("s", id, "done", null)).rejects.toMatchObject({ code: "handover-answered" });
  expect(events.at(-1)).toMatchObject({ kind: "answered", answer: "ended" });
});

test("a session has one open request, which is found again by its key; a new one may follow", async () => {
  const { handovers, session } = await started();
  const keyed = { ...question, idempotencyKey: "k" };
  const [one, same] = await Promise.all([handovers.ask(session, keyed), handovers.ask(session, keyed)]);
  expect(same).toEqual(one);
  await expect(handovers.ask(session, question)).rejects.toMatchObject({ code: "handover-open" });
  await expect(handovers.ask(session, { ...keyed, message: "other" })).rejects.toMatchObject({ code: "usage" });
  await handovers.answer("s", one.handover_id, "done", null);
  expect(await handovers.ask(session, keyed)).toMatchObject({ handover_id: one.handover_id, answer: "done" });
  expect((await handovers.ask(session, question)).handover_id).not.toBe(one.handover_id);
  await expect(handovers.get("t", one.handover_id)).rejects.toMatchObject({ code: "unknown-handover" });
});

test("who waits is told after its time that nobody has answered, and may wait again", async () => {
  const { handovers, session } = await started();
  const { handover_id: id } = await handovers.ask(session, question);
  expect(await handovers.wait("s", id, 5, never)).toMatchObject({ answer: null });
  const left = new AbortController();
  const waited = handovers.wait("s", id, 60_000, left.signal);
  left.abort();
  await expect(waited).rejects.toThrow();
  expect(handovers.openCount).toBe(1);
});

test("a request that can't be stored is refused, and leaves none behind", async () => {
  const { handovers, session, setWritable } = await started();
  setWritable(false);
  await expect(handovers.ask(session, question)).rejects.toThrow();
  setWritable(true);
  expect(await handovers.ask(session, question)).toMatchObject({ answer: null });
});
