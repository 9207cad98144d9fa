import type { FunctionRecord } from "@cloud-browser/automation";
import { expect, test } from "vitest";
import type { Backend } from "./backend.ts";

const makeFunction = (id: string, second = 0): FunctionRecord => ({
  function_id: id,
  function_name: "read \0 \uD800 😀",
  created_at: `2026-11-21T10:00:${String(second).padStart(2, "0")}.000+00:00`,
  query: "Read",
  variables: [],
  steps: [],
});

/** What every store of functions does. */
export function testFunctionStore(start: () => Promise<Backend>): void {
  test("a function outlives the process that made it, whatever text is in it", async () => {
    await using backend = await start();
    const { functions } = await backend.open();
    await functions.save(makeFunction("a"));
    const { functions: again } = await backend.open();
    expect(await again.get("a")).toEqual(makeFunction("a"));
    expect(await again.get("b")).toBeUndefined();
  });

  test("all are listed, the newest first", async () => {
    await using backend = await start();
    const { functions } = await backend.open();
    for (const [id, second] of [
      ["b", 2],
      ["c", 3],
      ["a", 1],
    ] as const)
      await functions.save(makeFunction(id, second));
    expect((await functions.list()).map(({ function_id }) => function_id)).toEqual(["c", "b", "a"]);
  });

  test("a function is seen by its key only, pending, written or replaced", async () => {
    await using backend = await start();
    const { functions } = await backend.open();
    await functions.save(makeFunction("a", 1), "team-a");
    await functions.save(makeFunction("b", 2));
    await functions.replace({ ...makeFunction("a", 1), query: "Read again" });
    await backend.setWritable(false);
    await functions.save(makeFunction("c", 3), "team-a");
    await functions.replace({ ...makeFunction("a", 1), query: "Read once more" });
    const listed = async (key?: string | null): Promise<readonly string[]> =>
      (await functions.list(key)).map(({ function_id, query }) => `${function_id} ${query}`);
    expect(await listed("team-a")).toEqual(["c Read", "a Read once more"]);
    expect(await listed(null)).toEqual(["b Read"]);
    expect(await listed("team-b")).toEqual([]);
    expect(await functions.get("a", "team-a")).toMatchObject({ query: "Read once more" });
    for (const id of ["a", "c"]) expect(await functions.get(id, null)).toBeUndefined();
    await backend.setWritable(true);
    expect(await functions.flush()).toBeUndefined();
    for (const id of ["a", "c"]) expect(await functions.delete(id, null)).toBe(false);
    expect(await functions.delete("b", "team-a")).toBe(false);
    const { functions: again } = await backend.open();
    expect((await again.list("team-a")).map(({ function_id }) => function_id)).toEqual(["c", "a"]);
    expect(await again.delete("a", "team-a")).toBe(true);
    expect((await again.list()).map(({ function_id }) => function_id)).toEqual(["c", "b"]);
  });

  test("a function that was deleted while a run repaired it does not come back", async () => {
    await using backend = await start();
    const { functions } = await backend.open();
    await functions.save(makeFunction("a"));
    await functions.save(makeFunction("b"));
    expect(await functions.delete("a")).toBe(true);
    for (const id of ["a", "b"]) await functions.replace({ ...makeFunction(id), query: "Read again" });
    expect(await functions.list()).toEqual([{ ...makeFunction("b"), query: "Read again" }]);
    expect(await functions.get("a")).toBeUndefined();
  });

  test("a function that can't be written is readable and retried; one that can't be deleted still exists", async () => {
    await using backend = await start();
    const { functions, faults } = await backend.open();
    await functions.save(makeFunction("a"));
    await backend.setWritable(false);
    await functions.save(makeFunction("b", 5));
    await functions.replace({ ...makeFunction("a"), query: "Read again" });
    const known = (await functions.list()).map(({ function_id, query }) => `${function_id} ${query}`);
    expect(known).toEqual(["b Read", "a Read again"]);
    expect(await functions.get("b")).toEqual(makeFunction("b", 5));
    expect(faults).toHaveLength(2);
    expect(await functions.flush()).toMatch(/readonly|permission denied/);
    await expect(functions.delete("a")).rejects.toMatchObject({ code: "storage-failed" });
    await backend.setWritable(true);
    const { functions: others } = await backend.open();
    expect(await others.list()).toEqual([makeFunction("a")]);
    expect(await functions.flush()).toBeUndefined();
    expect(await others.get("a")).toMatchObject({ query: "Read again" });
    expect(await functions.delete("b")).toBe(true);
    expect(await functions.delete("b")).toBe(false);
    expect((await others.list()).map(({ function_id }) => function_id)).toEqual(["a"]);
  });

  test("a function that is deleted while it is pending is gone", async () => {
    await using backend = await start();
    const { functions } = await backend.open();
    const saving = functions.save(makeFunction("a"));
    const deleting = functions.delete("a");
    await Promise.all([saving, deleting]);
    expect(await functions.flush()).toBeUndefined();
    expect(await functions.list()).toEqual([]);
  });
}
