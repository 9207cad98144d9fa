import { expect, test } from "vitest";
import type { FileRecord } from "../../src/storage/file-index.ts";
import type { Backend } from "./backend.ts";

const makeFile = (session_id: string, file_id: string, created_ms = 1): FileRecord => ({
  session_id,
  file_id,
  origin: "download",
  state: "in_progress",
  reason: null,
  name: "a \u{1F600}.txt",
  size: 2 ** 40,
  created_ms,
});

/** What every index of files does. */
export function testFileIndex(start: () => Promise<Backend>): void {
  test("files of a session are listed in their order, each in its last state", async () => {
    await using backend = await start();
    const { sessions, files } = await backend.open();
    await sessions.create("s", 1);
    for (const [id, at] of [
      ["b", 2],
      ["a", 2],
      ["c", 1],
    ] as const)
      await files.save(makeFile("s", id, at), 10);
    await files.save({ ...makeFile("s", "c", 1), state: "failed", reason: "full" }, 10);
    const listed = await files.list("s", 5);
    expect(listed.map(({ file_id }) => file_id)).toEqual(["c", "a", "b"]);
    expect(listed[0]).toEqual({ ...makeFile("s", "c", 1), state: "failed", reason: "full" });
    expect(await files.list("other", 5)).toEqual([]);
  });

  test("they are kept while their session is open, and for their time after its end", async () => {
    await using backend = await start();
    const { sessions, files } = await backend.open();
    for (const id of ["open", "ended", "gone"]) await files.save(makeFile(id, "a"), 1_000);
    for (const id of ["open", "ended"]) await sessions.create(id, 1);
    await sessions.end("ended", 5_000, "requested");
    await sessions.settle("ended");
    const all = ["open", "ended", "gone", "other"];
    expect([...(await files.findKept(all, 5_999))].toSorted()).toEqual(["ended", "open"]);
    expect(await files.list("ended", 5_999)).toHaveLength(1);
    expect(await files.listDue(5_999, 10)).toEqual(["gone"]);
    expect([...(await files.findKept(all, 6_000))]).toEqual(["open"]);
    expect(await files.list("ended", 6_000)).toEqual([]);
    expect((await files.listDue(6_000, 10)).toSorted()).toEqual(["ended", "gone"]);
    expect(await files.listDue(6_000, 1)).toHaveLength(1);
    await files.remove("gone");
    expect(await files.listDue(6_000, 10)).toEqual(["ended"]);
  });

  test("those of a session that has ended can be made due at once, and those of one that is open can't", async () => {
    await using backend = await start();
    const { sessions, files } = await backend.open();
    await sessions.create("s", 1);
    await files.save(makeFile("s", "a"), 10_000);
    await files.expire("s");
    expect(await files.listDue(1_000, 10)).toEqual([]);
    await sessions.end("s", 500, "requested");
    await sessions.settle("s");
    expect(await files.list("s", 1_000)).toHaveLength(1);
    await files.expire("s");
    expect(await files.list("s", 1_000)).toEqual([]);
    expect(await files.listDue(1_000, 10)).toEqual(["s"]);
  });
}
