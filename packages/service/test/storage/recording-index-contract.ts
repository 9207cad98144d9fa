import type { RecordingState } from "@cloud-browser/recorder";
import { expect, test } from "vitest";
import { deletedKeptMs } from "../../src/storage/recording-index.ts";
import type { Backend } from "./backend.ts";

export const begun = (sessionId: string): RecordingState => ({
  version: 1,
  sessionId,
  startedAtMs: 1,
  viewport: { width: 320, height: 180 },
  stage: { name: "recording" },
});
const ended = (sessionId: string, deleteAtMs = 1_000): RecordingState => ({
  ...begun(sessionId),
  lengthMs: 500,
  endedAtMs: 500,
  deleteAtMs,
  stage: { name: "ended" },
});
const finished = (sessionId: string, deleteAtMs = 1_000): RecordingState => ({
  ...ended(sessionId, deleteAtMs),
  stage: { name: "finished", startMs: 1, durationMs: 400 },
});
const deleted = (sessionId: string): RecordingState => ({ ...ended(sessionId), stage: { name: "deleted" } });
const listIds = (states: readonly RecordingState[]): readonly string[] =>
  states.map(({ sessionId }) => sessionId).sort();

/** What every index of recordings does. */
export function testRecordingIndex(start: () => Promise<Backend>): void {
  test("the state of a recording outlives the process that wrote it, and has no owner then", async () => {
    await using backend = await start();
    const { recordings } = await backend.open();
    await recordings.create(begun("a"));
    expect(await recordings.get(["a", "b"])).toEqual([{ state: begun("a"), folder: null, isHeld: true }]);
    expect(await recordings.change(finished("a"), "recordings/a/replay")).toBe(true);
    const again = await backend.open();
    expect(await again.recordings.get(["a"])).toEqual([
      { state: finished("a"), folder: "recordings/a/replay", isHeld: false },
    ]);
  });

  test("a recording is created once, and nothing is known of one that did not come about", async () => {
    await using backend = await start();
    const { recordings } = await backend.open();
    await recordings.create(begun("a"));
    await expect(recordings.create(begun("a"))).rejects.toThrow();
    await recordings.remove("a");
    expect(await recordings.get(["a"])).toEqual([]);
    expect(await recordings.change(ended("a"), null)).toBe(false);
    await recordings.create(ended("a"));
    expect(listIds(await recordings.takeDue(1_000, 10))).toEqual(["a"]);
  });

  test("a recording that is finished can be made due, also by another process; others can't", async () => {
    await using backend = await start();
    const { recordings: owner } = await backend.open();
    for (const id of ["open", "ended", "finished", "deleted"]) await owner.create(begun(id));
    await owner.change(ended("ended"), null);
    await owner.change(finished("finished", 5_000), "f");
    await owner.change(deleted("deleted"), null);
    for (const id of ["open", "ended", "deleted", "unknown"])
      expect([id, await owner.expire(id, 700)]).toEqual([id, false]);
    expect(await owner.takeDue(800, 10)).toEqual([]);
    expect(await owner.expire("finished", 700)).toBe(true);
    expect(await owner.takeDue(800, 10)).toEqual([finished("finished", 700)]);
    expect((await owner.get(["finished"]))[0]?.folder).toBe("f");
  });

  test("unfinished recordings without an owner are taken over, and writes of the previous owner are fenced", async () => {
    await using backend = await start();
    const { recordings: before } = await backend.open();
    for (const id of ["a", "b", "c"]) await before.create(begun(id));
    await before.change(ended("b"), null);
    await before.change(finished("c"), "c");
    const { recordings: next } = await backend.open();
    expect(listIds(await next.takeUnfinished(10))).toEqual(["a", "b"]);
    expect(await before.change(finished("a"), "before")).toBe(false);
    expect(await next.change(finished("a"), "next")).toBe(true);
    expect(await next.get(["a"])).toMatchObject([{ folder: "next", isHeld: true }]);
    await before.remove("b");
    expect(listIds(await next.takeUnfinished(10))).toEqual(["b"]);
  });

  test("takes over no more than the limit at a time", async () => {
    await using backend = await start();
    const { recordings: before } = await backend.open();
    for (const id of ["a", "b", "c"]) await before.create(begun(id));
    const { recordings: next } = await backend.open();
    expect(await next.takeUnfinished(2)).toHaveLength(2);
    expect(await next.takeUnfinished(0)).toHaveLength(2);
    expect(await next.takeUnfinished(2)).toHaveLength(3);
  });

  test("one recording is taken over as all are, and not when it is finished", async () => {
    await using backend = await start();
    const { recordings: before } = await backend.open();
    for (const id of ["a", "b"]) await before.create(begun(id));
    expect(await before.claim("a")).toBe("own");
    await before.change(finished("b"), "b");
    const { recordings: next } = await backend.open();
    expect(await next.claim("a")).toBe("own");
    expect(await next.claim("b")).toBe("taken");
    expect(await next.claim("nobody")).toBe("unknown");
    expect(listIds(await next.takeUnfinished(10))).toEqual(["a"]);
  });

  test("due recordings are deleted once, also those that another node has finished", async () => {
    await using backend = await start();
    const { recordings: before } = await backend.open();
    for (const id of ["a", "b", "c", "d"]) await before.create(begun(id));
    await before.change(finished("a", 1_000), "a");
    await before.change(finished("b", 2_000), "b");
    await before.change(ended("c", 900), null);
    expect(listIds(await before.takeDue(999, 10))).toEqual(["c"]);
    const { recordings: next } = await backend.open();
    expect(listIds(await next.takeDue(1_000, 10))).toEqual(["a", "c"]);
    expect(listIds(await next.takeDue(1_000, 1))).toEqual(["c"]);
    expect(await before.change(deleted("a"), null)).toBe(false);
    expect(await next.change(deleted("a"), null)).toBe(true);
    expect(await next.change(deleted("a"), null)).toBe(false);
    expect(listIds(await next.takeDue(1_000, 10))).toEqual(["c"]);
    expect(await next.claim("a")).toBe("taken");
  });

  test("recordings that are done are taken over once, when they have no owner any more", async () => {
    await using backend = await start();
    const { recordings: before } = await backend.open();
    for (const id of ["a", "b", "c", "d"]) await before.create(begun(id));
    await before.change(finished("a"), "recordings/a/replay");
    await before.change(finished("b"), null);
    await before.change(deleted("c"), null);
    expect(await before.takeDone(10)).toEqual([]);
    const { recordings: next } = await backend.open();
    expect(await next.takeDone(1)).toHaveLength(1);
    expect(await next.takeDone(10)).toHaveLength(1);
    expect(await next.takeDone(10)).toEqual([]);
    expect(await next.get(["a"])).toMatchObject([{ folder: "recordings/a/replay", isHeld: true }]);
    expect(await next.get(["d"])).toMatchObject([{ folder: null, isHeld: false }]);
    const { recordings: last } = await backend.open();
    const recordings = await last.takeDone(10);
    expect(recordings.toSorted((one, other) => (one.sessionId < other.sessionId ? -1 : 1))).toEqual([
      { sessionId: "a", folder: "recordings/a/replay" },
      { sessionId: "b", folder: null },
    ]);
  });

  test("that a recording was deleted is known for a week", async () => {
    await using backend = await start();
    const { recordings } = await backend.open();
    await recordings.create(begun("a"));
    await recordings.create(finished("b"));
    await recordings.change(deleted("a"), null);
    await recordings.forget(1_000 + deletedKeptMs);
    expect(await recordings.get(["a"])).toMatchObject([{ state: { stage: { name: "deleted" } } }]);
    await recordings.forget(1_001 + deletedKeptMs);
    expect(await recordings.get(["a"])).toEqual([]);
    expect(await recordings.get(["b"])).toHaveLength(1);
  });

  test("a failed write is an error", async () => {
    await using backend = await start();
    const { recordings } = await backend.open();
    await recordings.create(begun("a"));
    await backend.setWritable(false);
    await expect(recordings.create(begun("b"))).rejects.toThrow();
    await expect(recordings.change(ended("a"), null)).rejects.toThrow();
    await backend.setWritable(true);
    expect(await recordings.get(["a", "b"])).toEqual([{ state: begun("a"), folder: null, isHeld: true }]);
  });
}
