import { expect, test } from "vitest";
import type { RunEvent } from "../../src/storage/run-store.ts";
import type { Backend } from "./backend.ts";

const day = 86_400_000;

/** Events with these numbers. */
function makeEvents(...numbers: readonly number[]): readonly RunEvent[] {
  return numbers.map((seq) => ({ seq, event: JSON.stringify({ type: "text_delta", delta: `${seq}` }) }));
}

/** What every store of runs does. */
export function testRunStore(start: () => Promise<Backend>): void {
  test("a run outlives its process, with its exact cost", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1);
    expect(await runs.get("a")).toEqual({
      thread_id: "a",
      session_id: null,
      started_ms: 1,
      ended_ms: null,
      end: null,
      reason: null,
      cost_usd: "0",
      function_id: null,
      key: null,
      task: null,
      steps: 0,
    });
    await runs.change("a", { session_id: "s" });
    await runs.change("a", { cost_usd: "0.100000000000000000001" });
    await runs.change("a", { steps: 2, task: "Fill Password with {{password}}" });
    await runs.change("a", { ended_ms: 2, end: "error", reason: "session_lost", function_id: "f" });
    const { runs: again } = await backend.open();
    expect(await again.get("a")).toEqual({
      thread_id: "a",
      session_id: "s",
      started_ms: 1,
      ended_ms: 2,
      end: "error",
      reason: "session_lost",
      cost_usd: "0.100000000000000000001",
      function_id: "f",
      key: null,
      task: "Fill Password with {{password}}",
      steps: 2,
    });
    expect(await again.get("b")).toBeUndefined();
  });

  test("the first end of a run counts", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1);
    await runs.change("a", { ended_ms: 2, end: "done" });
    await runs.change("a", { ended_ms: 3, end: "cancelled", reason: "requested" });
    expect(await runs.get("a")).toMatchObject({ ended_ms: 2, end: "done", reason: null });
  });

  test("the outcome of a run is the event of its first end", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1, null, "Open {{url}}");
    expect(await runs.get("a")).toMatchObject({ task: "Open {{url}}" });
    expect([await runs.readOutcome("a"), await runs.readOutcome("b")]).toEqual([null, null]);
    const outcome = '{"type":"done","metadata":{"data":{"name":"a\\u0000b"}}}';
    await runs.change("a", { ended_ms: 2, end: "done", outcome });
    await runs.change("a", { ended_ms: 3, end: "cancelled", outcome: '{"type":"cancelled"}' });
    expect(await runs.readOutcome("a")).toBe(outcome);
    expect(await runs.get("a")).not.toHaveProperty("outcome");
    const { runs: again } = await backend.open();
    expect(await again.readOutcome("a")).toBe(outcome);
  });

  test("events are stored in order, each once, and read from any number on", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1);
    await runs.create("b", 1);
    expect(await runs.readEvents("a", 0, 1_000)).toEqual([]);
    await runs.append("a", makeEvents(1, 2), 1);
    await runs.append("a", [{ seq: 2, event: "{}" }, ...makeEvents(3, 10, 9)], 1);
    await runs.append("b", makeEvents(7), 7);
    const { runs: again } = await backend.open();
    expect(await again.readEvents("a", 0, 1_000)).toEqual(makeEvents(1, 2, 3, 9, 10));
    expect(await again.readEvents("a", 2, 1_000)).toEqual(makeEvents(3, 9, 10));
    expect(await again.readEvents("a", 10, 1_000)).toEqual([]);
    expect(await again.readEvents("b", 0, 1_000)).toEqual(makeEvents(7));
    expect(await again.readEvents("c", 0, 1_000)).toEqual([]);
  });

  test("a read returns up to the requested bytes, and at least one event of any size", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1);
    const events = [1, 2, 3].map((seq) => ({ seq, event: JSON.stringify({ text: "é".repeat(50) }) }));
    await runs.append("a", events, 1);
    const counts = [1, 111, 222, 223, 1_000].map(async (bytes) => (await runs.readEvents("a", 0, bytes)).length);
    expect(await Promise.all(counts)).toEqual([1, 1, 2, 2, 3]);
    expect(await runs.readEvents("a", 1, 1)).toEqual(events.slice(1, 2));
  });

  test("events before the oldest to keep are deleted by the next append, and all of them with their run", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1);
    await runs.create("b", 1);
    await runs.append("a", makeEvents(1, 2, 3), 1);
    await runs.append("b", makeEvents(1), 1);
    await runs.append("a", makeEvents(4), 3);
    expect(await runs.readEvents("a", 0, 1_000)).toEqual(makeEvents(3, 4));
    await runs.change("a", { ended_ms: 2, end: "done" });
    await runs.recover(9 * day);
    expect(await runs.readEvents("a", 0, 1_000)).toEqual([]);
    expect(await runs.readEvents("b", 0, 1_000)).toEqual(makeEvents(1));
  });

  test("an ended run takes no more events, and an unknown run takes none", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1);
    await runs.append("a", makeEvents(1), 1);
    await runs.change("a", { ended_ms: 2, end: "done" });
    await runs.append("a", makeEvents(2), 2);
    await runs.append("nobody's", makeEvents(1), 1);
    expect(await runs.readEvents("a", 0, 1_000)).toEqual(makeEvents(1));
    expect(await runs.readEvents("nobody's", 0, 1_000)).toEqual([]);
  });

  test("an end that can't be written is visible here, and written later", async () => {
    await using backend = await start();
    const { runs, faults } = await backend.open();
    await runs.create("a", 1);
    await backend.setWritable(false);
    await expect(runs.append("a", makeEvents(1), 1)).rejects.toThrow();
    await runs.change("a", { ended_ms: 2, end: "done", cost_usd: "0.1", outcome: "{}" });
    await runs.change("a", { ended_ms: 3, end: "error", outcome: "[]" });
    expect(faults.length).toBeGreaterThan(0);
    expect(await runs.get("a")).toMatchObject({ ended_ms: 2, end: "done", cost_usd: "0.1" });
    expect(await runs.readOutcome("a")).toBe("{}");
    expect(await runs.listActive(10)).toEqual([]);
    expect(await runs.flush()).toEqual(expect.any(String));
    await expect(runs.settle("a")).rejects.toThrow();
    await backend.setWritable(true);
    expect(await runs.flush()).toBeUndefined();
    const { runs: again } = await backend.open();
    expect(await again.get("a")).toMatchObject({ ended_ms: 2, end: "done" });
    expect(await again.readOutcome("a")).toBe("{}");
  });

  test("`settled` writes a pending end before it returns the record", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1);
    expect(await runs.settle("a")).toMatchObject({ ended_ms: null });
    await backend.setWritable(false);
    await runs.change("a", { ended_ms: 2, end: "done" });
    await backend.setWritable(true);
    expect(await runs.settle("a")).toMatchObject({ ended_ms: 2, end: "done" });
    const { runs: again } = await backend.open();
    expect(await again.get("a")).toMatchObject({ end: "done" });
    expect(await runs.settle("b")).toBeUndefined();
  });

  test("changes of one run are stored in order", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1);
    const costs = Array.from({ length: 30 }, (_, index) => runs.change("a", { cost_usd: `0.${index + 1}` }));
    await Promise.all([...costs, runs.change("a", { session_id: "s" })]);
    const { runs: again } = await backend.open();
    expect(await again.get("a")).toMatchObject({ cost_usd: "0.30", session_id: "s" });
  });

  test("runs are found by their sessions", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    for (const id of ["a", "b", "c"]) {
      await runs.create(id, 1);
      await runs.change(id, { session_id: `session of ${id}` });
    }
    const found = await runs.listOfSessions(["session of a", "session of c", "session of nobody"]);
    expect(found.map(({ thread_id }) => thread_id).toSorted()).toEqual(["a", "c"]);
    expect(await runs.listOfSessions([])).toEqual([]);
  });

  test("a run is seen and listed by its key only", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1, "team-a");
    await runs.create("b", 2);
    await runs.create("c", 3, "team-a");
    await runs.create("d", 4, "team-a");
    await runs.create("e", 5);
    for (const id of ["a", "b", "c"]) await runs.change(id, { ended_ms: 9, end: "done" });
    expect(await runs.get("d")).toMatchObject({ key: "team-a", ended_ms: null });
    const { runs: again } = await backend.open();
    const listed = async (limit: number, key?: string | null): Promise<readonly string[]> =>
      (await again.listEnded(limit, key)).map(({ thread_id }) => thread_id);
    expect(await again.get("a")).toMatchObject({ key: "team-a" });
    expect(await listed(10, "team-a")).toEqual(["c", "a"]);
    expect(await listed(1, "team-a")).toEqual(["c"]);
    expect(await listed(10, null)).toEqual(["b"]);
    expect(await listed(10)).toEqual(["c", "b", "a"]);
    const active = async (limit: number, key?: string | null): Promise<readonly string[]> =>
      (await runs.listActive(limit, key)).map(({ thread_id }) => thread_id);
    expect(await active(10, "team-a")).toEqual(["d"]);
    expect(await active(10, null)).toEqual(["e"]);
    expect(await active(10)).toEqual(["e", "d"]);
    expect(await active(1)).toEqual(["e"]);
  });

  test("the usage of a key since a time is its active runs, and the cost of those that ended since", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    for (const [id, key] of [
      ["a", "team-a"],
      ["b", "team-a"],
      ["c", "team-a"],
      ["d", "team-b"],
      ["e", null],
    ] as const)
      await runs.create(id, 1, key);
    await runs.change("a", { cost_usd: "0.1", ended_ms: 9, end: "done" });
    await runs.change("b", { cost_usd: "0.2", ended_ms: 10, end: "error" });
    await runs.change("c", { cost_usd: "0.4" });
    await runs.change("e", { cost_usd: "0.8", ended_ms: 10, end: "error" });
    expect(await runs.readUsage("team-a", 10)).toEqual({ open: 1, costsUsd: ["0.2"] });
    expect(await runs.readUsage("team-b", 10)).toEqual({ open: 1, costsUsd: [] });
    expect(await runs.readUsage("nobody", 0)).toEqual({ open: 0, costsUsd: [] });
    await runs.change("c", { ended_ms: 11, end: "done" });
    const { open, costsUsd } = await runs.readUsage("team-a", 0);
    expect([open, costsUsd.toSorted()]).toEqual([0, ["0.1", "0.2", "0.4"]]);
  });

  test("ended runs are listed, the newest first", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    for (const [id, ms] of [
      ["b", 2],
      ["c", 3],
      ["a", 1],
      ["open", 4],
    ] as const) {
      await runs.create(id, ms);
      if (id !== "open") await runs.change(id, { ended_ms: 10 - ms, end: "done" });
    }
    expect((await runs.listEnded(10)).map(({ thread_id }) => thread_id)).toEqual(["c", "b", "a"]);
    expect((await runs.listEnded(1)).map(({ thread_id }) => thread_id)).toEqual(["c"]);
  });

  test("orphaned runs are ended with their known cost, and old ones are deleted", async () => {
    await using backend = await start();
    const { runs: dead } = await backend.open();
    await dead.create("old", 1);
    await dead.change("old", { ended_ms: 2, end: "done" });
    await dead.create("left", 3);
    await dead.change("left", { session_id: "s", cost_usd: "0.5" });
    const { runs } = await backend.open();
    await runs.create("own", 4);
    await runs.recover(9 * day);
    expect(await runs.get("old")).toBeUndefined();
    expect(await runs.get("left")).toMatchObject({ end: "service-died", ended_ms: 9 * day, cost_usd: "0.5" });
    expect(await runs.listOfSessions(["s"])).toEqual([await runs.get("left")]);
    expect(await runs.readOutcome("left")).toBeNull();
    await runs.recover(9 * day + 1);
    expect(await runs.get("left")).toMatchObject({ ended_ms: 9 * day });
    expect(await runs.get("own")).toMatchObject({ ended_ms: null });
  });
}
