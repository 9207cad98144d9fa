import { expect, test } from "vitest";
import type { SessionFilter } from "../../src/storage/session-store.ts";
import type { Backend } from "./backend.ts";

const day = 86_400_000;
const nothingSeen = async (): Promise<undefined> => undefined;

/** What every store of sessions does. */
export function testSessionStore(start: () => Promise<Backend>): void {
  test("a record outlives the process that wrote it", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 1);
    await sessions.locate("a", "http://x.example/'\"\\?q=ä😀", "X 😀");
    await sessions.end("a", 2, "requested");
    const again = await backend.open();
    expect(await again.sessions.get("a")).toEqual({
      session_id: "a",
      created_ms: 1,
      ended_ms: 2,
      end_reason: "requested",
      url: "http://x.example/'\"\\?q=ä😀",
      title: "X 😀",
      key: null,
      recorded: true,
    });
  });

  test("a failed creation leaves no record", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.locate("a", "http://x.example/", null);
    await sessions.end("a", 2, "requested");
    expect(await sessions.get("a")).toBeUndefined();
    expect(await sessions.list(10)).toEqual([]);
  });

  test("a session can't be created twice", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 1);
    await expect(sessions.create("a", 3)).rejects.toThrow();
    expect(await sessions.flush()).toBeUndefined();
    expect(await sessions.get("a")).toMatchObject({ created_ms: 1, ended_ms: null });
    await sessions.end("a", 2, "idle");
    await expect(sessions.create("a", 3)).rejects.toThrow();
    expect(await sessions.flush()).toBeUndefined();
    expect(await sessions.get("a")).toMatchObject({ created_ms: 1, ended_ms: 2, end_reason: "idle" });
  });

  test("the first end counts, also of many at once", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 1);
    const ends = Array.from({ length: 20 }, (_, index) =>
      sessions.end("a", 2 + index, index === 0 ? "idle" : "requested"),
    );
    await Promise.all(ends);
    expect(await sessions.get("a")).toMatchObject({ ended_ms: 2, end_reason: "idle" });
  });

  test("no session ends before it was created, whatever the clock says", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 5_000);
    await sessions.end("a", 4_000, "requested");
    expect(await sessions.get("a")).toMatchObject({ created_ms: 5_000, ended_ms: 5_000 });
  });

  test("a null title keeps the last title of the same address", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 1);
    await sessions.locate("a", "http://x.example/", "X");
    await sessions.locate("a", "http://x.example/", null);
    expect(await sessions.get("a")).toMatchObject({ title: "X" });
    await sessions.locate("a", "http://y.example/", null);
    expect(await sessions.get("a")).toMatchObject({ url: "http://y.example/", title: null });
  });

  test("a place that is told again is not written again", async () => {
    await using backend = await start();
    const { sessions, faults } = await backend.open();
    await sessions.create("a", 1);
    await sessions.locate("a", "http://x.example/", "X");
    await backend.setWritable(false);
    await sessions.locate("a", "http://x.example/", "X");
    await sessions.locate("a", "http://x.example/", null);
    expect(faults).toEqual([]);
    await sessions.locate("a", "http://x.example/", "Y");
    expect(faults).toHaveLength(1);
    await backend.setWritable(true);
  });

  test("the end keeps where a session was last, and nothing after it changes that", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    for (const id of ["a", "b"]) {
      await sessions.create(id, 1);
      await sessions.locate(id, "http://x.example/", "X");
    }
    await sessions.end("a", 2, "requested", { url: "http://y.example/", title: "Y" });
    await sessions.end("b", 2, "requested");
    for (const id of ["a", "b"]) await sessions.locate(id, "http://z.example/", "Z");
    expect(await sessions.get("a")).toMatchObject({ url: "http://y.example/", title: "Y" });
    expect(await sessions.get("b")).toMatchObject({ url: "http://x.example/", title: "X" });
  });

  test("of places that are told at once the last one counts", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    const ids = Array.from({ length: 50 }, (_, index) => `session-${index}`);
    await Promise.all(ids.map((id) => sessions.create(id, 1)));
    const moves = ids.flatMap((id) =>
      [1, 2, 3].map((step) => sessions.locate(id, `http://x.example/${id}/${step}`, null)),
    );
    await Promise.all(moves);
    const { sessions: again } = await backend.open();
    const places = (await again.list(100)).map(({ session_id, url }) => [session_id, url] as const);
    expect(new Map(places)).toEqual(new Map(ids.map((id) => [id, `http://x.example/${id}/3`])));
  });

  test("the newest are listed, the newest first", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    for (const [id, ms] of [
      ["b", 2],
      ["c", 3],
      ["a", 1],
    ] as const)
      await sessions.create(id, ms);
    await sessions.end("c", 4, "idle");
    expect((await sessions.list(10)).map(({ session_id }) => session_id)).toEqual(["c", "b", "a"]);
    expect((await sessions.list(2)).map(({ session_id }) => session_id)).toEqual(["c", "b"]);
  });

  test("all are listed page by page, also those of one moment, while others are created and some end", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    const ids = Array.from({ length: 9 }, (_, index) => `s${index}`);
    for (const [index, id] of ids.entries())
      await sessions.create(id, Math.floor(index / 4), index === 5 ? "team" : null);
    const listed: string[] = [];
    for (let after: string | undefined; listed.length < 20;) {
      const page = await sessions.list(2, { state: "active", key: null, after });
      if (page.length === 0) break;
      listed.push(...page.map(({ session_id }) => session_id));
      after = listed.at(-1);
      await sessions.create(`new ${listed.length}`, 10);
      await sessions.end(listed.at(-1) ?? "", 20, "requested");
    }
    expect(listed).toEqual(["s8", "s7", "s6", "s4", "s3", "s2", "s1", "s0"]);
    expect((await sessions.list(3, { after: "s4" })).map(({ session_id }) => session_id)).toEqual(["s3", "s2", "s1"]);
    expect(await sessions.list(3, { after: "unknown" })).toEqual([]);
  });

  test("a session that asked not to be recorded is known as such", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 1, null, false);
    await sessions.create("b", 2, "team", true);
    const { sessions: again } = await backend.open();
    expect((await again.list(2)).map(({ recorded }) => recorded)).toEqual([true, false]);
    expect(await again.get("a")).toMatchObject({ recorded: false });
  });

  test("a session is its key's, and is listed among those of its key", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 1, "team-a");
    await sessions.create("b", 2);
    await sessions.create("c", 3, "team-b");
    await sessions.create("d", 4, "team-a");
    await sessions.end("a", 5, "idle");
    const { sessions: again } = await backend.open();
    expect(await again.get("a")).toMatchObject({ key: "team-a" });
    expect(await again.get("b")).toMatchObject({ key: null });
    const listed = async (limit: number, key?: string | null): Promise<readonly string[]> =>
      (await again.list(limit, { key })).map(({ session_id }) => session_id);
    expect(await listed(10, "team-a")).toEqual(["d", "a"]);
    expect(await listed(1, "team-a")).toEqual(["d"]);
    expect(await listed(10, null)).toEqual(["b"]);
    expect(await listed(10, "team")).toEqual([]);
    expect(await listed(10)).toEqual(["d", "c", "b", "a"]);
    const inState = async (limit: number, filter: SessionFilter): Promise<readonly string[]> =>
      (await again.list(limit, filter)).map(({ session_id }) => session_id);
    expect(await inState(10, { state: "active" })).toEqual(["d", "c", "b"]);
    expect(await inState(10, { state: "ended" })).toEqual(["a"]);
    expect(await inState(1, { key: "team-a", state: "active" })).toEqual(["d"]);
    expect(await inState(10, { key: null, state: "ended" })).toEqual([]);
    expect(await sessions.countOpenElsewhere("team-a")).toBe(0);
  });

  test("one that ended more than a week ago is forgotten when another is created", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("old", 0);
    await sessions.end("old", 1, "idle");
    await sessions.create("open", 2);
    await sessions.create("new", 7 * day - 60_000);
    expect((await sessions.list(10)).map(({ session_id }) => session_id)).toEqual(["new", "open", "old"]);
    await sessions.create("newest", 7 * day + 2);
    expect((await sessions.list(10)).map(({ session_id }) => session_id)).toEqual(["newest", "new", "open"]);
  });

  test("orphaned sessions end when they were last seen, and old ones are deleted", async () => {
    await using backend = await start();
    const { sessions: dead } = await backend.open();
    await dead.create("old", 0);
    await dead.end("old", 1, "idle");
    for (const id of ["left", "set back", "unseen"]) await dead.create(id, 2_000);
    const { sessions } = await backend.open();
    const times = new Map([
      ["left", 5_000],
      ["set back", 1_000],
    ]);
    await sessions.recover(7 * day + 1_000, async (id) => times.get(id));
    const ended = (await sessions.list(10)).map(({ session_id, ended_ms, end_reason }) => [
      session_id,
      ended_ms,
      end_reason,
    ]);
    expect(ended.toSorted(([a], [b]) => String(a).localeCompare(String(b)))).toEqual([
      ["left", 5_000, "service-died"],
      ["set back", 2_000, "service-died"],
      ["unseen", 2_000, "service-died"],
    ]);
  });

  test("sessions of a live process are not treated as orphaned", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 1);
    await sessions.create("b", 1);
    await sessions.end("b", 2, "idle");
    await sessions.recover(10, nothingSeen);
    expect(await sessions.get("a")).toMatchObject({ ended_ms: null });
    expect(await sessions.get("b")).toMatchObject({ end_reason: "idle" });
  });

  test("a failed write is reported, readable, and repeated with the next change", async () => {
    await using backend = await start();
    const { sessions, faults } = await backend.open();
    await sessions.create("a", 1);
    await sessions.create("b", 1);
    await backend.setWritable(false);
    await sessions.locate("a", "http://x.example/", "X");
    await sessions.end("a", 2, "idle");
    await sessions.end("a", 3, "requested");
    await sessions.locate("a", "http://z.example/", "Z");
    const ended = { session_id: "a", ended_ms: 2, end_reason: "idle", url: "http://x.example/", title: "X" };
    expect(await sessions.get("a")).toMatchObject(ended);
    expect((await sessions.list(2)).find(({ session_id }) => session_id === "a")).toMatchObject(ended);
    expect(faults).toHaveLength(2);
    await backend.setWritable(true);
    const { sessions: others } = await backend.open();
    expect(await others.get("a")).toMatchObject({ ended_ms: null });
    await sessions.locate("b", null, null);
    expect(await others.get("a")).toMatchObject(ended);
  });

  test("a failed write is retried without another change", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 1);
    expect(await sessions.flush()).toBeUndefined();
    await backend.setWritable(false);
    await sessions.end("a", 2, "idle");
    expect(await sessions.flush()).toMatch(/readonly|permission denied/);
    await backend.setWritable(true);
    expect(await sessions.flush()).toBeUndefined();
    const { sessions: again } = await backend.open();
    expect(await again.get("a")).toMatchObject({ ended_ms: 2 });
  });

  test("an end that could not be written is read, as soon as it can be, as every process reads it", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await sessions.create("a", 1);
    expect(await sessions.settle("a")).toMatchObject({ ended_ms: null });
    await backend.setWritable(false);
    await sessions.end("a", 2, "requested");
    expect(await sessions.get("a")).toMatchObject({ ended_ms: 2 });
    await expect(sessions.settle("a")).rejects.toThrow(/readonly|permission denied/);
    await backend.setWritable(true);
    expect(await sessions.settle("a")).toMatchObject({ ended_ms: 2, end_reason: "requested" });
    expect(await sessions.settle("b")).toBeUndefined();
  });

  test("a session whose creation can't be written is refused, and is not there", async () => {
    await using backend = await start();
    const { sessions } = await backend.open();
    await backend.setWritable(false);
    await expect(sessions.create("a", 1)).rejects.toThrow();
    await backend.setWritable(true);
    expect(await sessions.flush()).toBeUndefined();
    expect(await sessions.list(10)).toEqual([]);
    await sessions.create("b", 1);
    expect(await sessions.get("b")).toMatchObject({ ended_ms: null });
  });
}
