import { expect, test } from "vitest";
import type { Backend } from "./backend.ts";

const day = 86_400_000;

/** What every store of runs does. */
export function testRunStore(start: () => Promise<Backend>): void {
  test("a run outlives its process, with what it has cost to the last digit", async () => {
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
    });
    await runs.change("a", { session_id: "s" });
    await runs.change("a", { cost_usd: "0.100000000000000000001" });
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

  test("changes of one run are kept in their order", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1);
    const costs = Array.from({ length: 30 }, (_, index) => runs.change("a", { cost_usd: `0.${index + 1}` }));
    await Promise.all([...costs, runs.change("a", { session_id: "s" })]);
    const { runs: again } = await backend.open();
    expect(await again.get("a")).toMatchObject({ cost_usd: "0.30", session_id: "s" });
  });

  test("the runs of sessions are found by them", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    for (const id of ["a", "b", "c"]) {
      await runs.create(id, 1);
      await runs.change(id, { session_id: `session of ${id}` });
    }
    const found = await runs.ofSessions(["session of a", "session of c", "session of nobody"]);
    expect(found.map(({ thread_id }) => thread_id).toSorted()).toEqual(["a", "c"]);
    expect(await runs.ofSessions([])).toEqual([]);
  });

  test("a run is its key's, and is listed among those of its key", async () => {
    await using backend = await start();
    const { runs } = await backend.open();
    await runs.create("a", 1, "team-a");
    await runs.create("b", 2);
    await runs.create("c", 3, "team-a");
    await runs.create("d", 4, "team-a");
    for (const id of ["a", "b", "c"]) await runs.change(id, { ended_ms: 9, end: "done" });
    expect(await runs.get("d")).toMatchObject({ key: "team-a", ended_ms: null });
    const { runs: again } = await backend.open();
    const listed = async (limit: number, key?: string | null): Promise<readonly string[]> =>
      (await again.ended(limit, key)).map(({ thread_id }) => thread_id);
    expect(await again.get("a")).toMatchObject({ key: "team-a" });
    expect(await listed(10, "team-a")).toEqual(["c", "a"]);
    expect(await listed(1, "team-a")).toEqual(["c"]);
    expect(await listed(10, null)).toEqual(["b"]);
    expect(await listed(10)).toEqual(["c", "b", "a"]);
  });

  test("what a key has used since a moment is what goes on, and what cost those that ended since", async () => {
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
    expect(await runs.usage("team-a", 10)).toEqual({ open: 1, costsUsd: ["0.2"] });
    expect(await runs.usage("team-b", 10)).toEqual({ open: 1, costsUsd: [] });
    expect(await runs.usage("nobody", 0)).toEqual({ open: 0, costsUsd: [] });
    await runs.change("c", { ended_ms: 11, end: "done" });
    const { open, costsUsd } = await runs.usage("team-a", 0);
    expect([open, costsUsd.toSorted()]).toEqual([0, ["0.1", "0.2", "0.4"]]);
  });

  test("the newest that have ended are listed, the newest first", async () => {
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
    expect((await runs.ended(10)).map(({ thread_id }) => thread_id)).toEqual(["c", "b", "a"]);
    expect((await runs.ended(1)).map(({ thread_id }) => thread_id)).toEqual(["c"]);
  });

  test("what a process left open has ended, with what it cost as far as that is known, and an old one is forgotten", async () => {
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
    expect(await runs.ofSessions(["s"])).toEqual([await runs.get("left")]);
    expect(await runs.get("own")).toMatchObject({ ended_ms: null });
  });
}
