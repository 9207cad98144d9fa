import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chunkFile, chunksIn } from "../src/journal/chunk.ts";
import { Journal } from "../src/journal/journal.ts";
import { readTimeline, TimelineFile, timelineFile } from "../src/journal/timeline-file.ts";
import { journalSignature, parseJournal, recordHead, type JournalRecord } from "../src/journal/journal-format.ts";
import { samplePictures } from "../src/encoding/pictures.ts";
import { findChanges, splitStretches } from "../src/journal/stretches.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "cb-journal-"))));
afterEach(() => rm(folder, { recursive: true }));

const format = ({ kind, atMs, jpeg: picture }: JournalRecord): string => `${kind} ${atMs} ${String(picture)}`.trim();
const nothing = new Uint8Array();
const jpeg = (text: string): Buffer => Buffer.from(text);
const records: JournalRecord[] = [
  { kind: "picture", atMs: 3, jpeg: jpeg("first") },
  { kind: "still", atMs: 2_003, jpeg: nothing },
  { kind: "picture", atMs: 2_345, jpeg: jpeg("second picture") },
  { kind: "picture", atMs: 2 ** 40, jpeg: jpeg("x".repeat(300)) },
  { kind: "end", atMs: 2 ** 47, jpeg: nothing },
];
const bytes = Buffer.concat([journalSignature, ...records.flatMap((record) => [recordHead(record), record.jpeg])]);

describe("a journal", () => {
  it("reads as it was written", () => {
    expect(parseJournal(bytes).map(format)).toEqual(records.map(format));
  });

  it("that is cut anywhere loses the entry that was cut, and no other", () => {
    const ends = records.map(
      (_, index) =>
        Buffer.concat([journalSignature, ...records.slice(0, index + 1).flatMap((one) => [recordHead(one), one.jpeg])])
          .length,
    );
    for (let length = 0; length <= bytes.length; length += 1) {
      expect(parseJournal(bytes.subarray(0, length))).toHaveLength(ends.filter((end) => end <= length).length);
    }
  });

  it("that has a wrong bit anywhere is read up to there", () => {
    for (let at = 0; at < bytes.length; at += 1) {
      const wrong = Buffer.from(bytes);
      wrong[at] = (wrong[at] ?? 0) ^ 0x10;
      const entries = parseJournal(wrong);
      expect(entries.length).toBeLessThan(records.length);
      expect(entries.map(({ atMs }) => atMs)).toEqual(records.slice(0, entries.length).map(({ atMs }) => atMs));
    }
  });

  it("followed by zeros, as file systems leave them, ends where it was", () => {
    expect(parseJournal(Buffer.concat([bytes, Buffer.alloc(5_000)]))).toHaveLength(records.length);
  });
});

const read = async (name: string): Promise<string[]> => parseJournal(await readFile(join(folder, name))).map(format);

describe("the writer of a journal", () => {
  const chunks: unknown[] = [];
  const write = (chunkMs = 8_000): Journal => new Journal({ folder, onChunk: (chunk) => chunks.push(chunk), chunkMs });
  beforeEach(() => void (chunks.length = 0));

  it("has each entry in the file when the call has resolved", async () => {
    const journal = write();
    await journal.picture(10, jpeg("a"));
    expect(await read("chunk-000000000010.journal")).toEqual(["picture 10 a"]);
    await journal.still(20.4);
    expect(await read("chunk-000000000010.journal")).toEqual(["picture 10 a", "still 20"]);
    await journal.end(30);
    expect(await read("chunk-000000000010.journal")).toEqual(["picture 10 a", "still 20", "end 30"]);
  });

  it("begins the next chunk on a whole segment, with the picture that shows then", async () => {
    const journal = write();
    await journal.picture(100, jpeg("a"));
    await journal.picture(4_200, jpeg("b"));
    await journal.still(8_099);
    await journal.picture(9_000, jpeg("c"));
    await journal.end(9_500);
    expect(await read("chunk-000000000100.journal")).toEqual(["picture 100 a", "picture 4200 b", "still 8099"]);
    expect(await read("chunk-000000008100.journal")).toEqual(["picture 8100 b", "picture 9000 c", "end 9500"]);
    expect(chunks).toEqual([{ startMs: 100, endMs: 8_100 }]);
    expect(await chunksIn(folder)).toEqual([
      { startMs: 100, endMs: 8_100 },
      { startMs: 8_100, endMs: 9_500 },
    ]);
  });

  it("makes one chunk of a time in which the process slept", async () => {
    const journal = write();
    await journal.picture(0, jpeg("a"));
    await journal.still(3_600_500);
    await journal.end(3_600_600);
    expect(chunks).toEqual([{ startMs: 0, endMs: 3_600_000 }]);
  });

  it("begins a chunk early when there is much in it", async () => {
    const journal = write(32_000);
    await journal.picture(0, Buffer.alloc(9 * 2 ** 20));
    await journal.still(3_999);
    await journal.still(4_001);
    await journal.end(4_002);
    expect(chunks).toEqual([{ startMs: 0, endMs: 4_000 }]);
  });

  it("hold every picture, also when one grows too large in the middle of a segment", async () => {
    const journal = write(60_000);
    const moments = [0, 4_100, 4_200, 7_900, 8_300, 8_400];
    for (const atMs of moments) await journal.picture(atMs, Buffer.alloc(2 ** 20 + 2 ** 19));
    await journal.end(8_500);
    const momentsByChunk = (await chunksIn(folder)).map(async (chunk) => {
      const all = parseJournal(await readFile(join(folder, chunkFile(chunk.startMs, "journal"))));
      return all.filter(({ kind, atMs }) => kind === "picture" && atMs < chunk.endMs).map(({ atMs }) => atMs);
    });
    // The chunk that follows begins with the picture that shows then.
    expect(await Promise.all(momentsByChunk)).toEqual([
      [0, 4_100, 4_200, 7_900],
      [8_000, 8_300, 8_400],
    ]);
  });

  it("keeps the order of calls that are made at once, and never goes back in time", async () => {
    const journal = write();
    await Promise.all([
      journal.picture(50, jpeg("a")),
      journal.picture(40, jpeg("b")),
      journal.still(45),
      journal.end(60),
    ]);
    expect(await read("chunk-000000000050.journal")).toEqual(["picture 50 a", "picture 50 b", "still 50", "end 60"]);
    await expect(journal.picture(70, jpeg("c"))).rejects.toThrow("ended");
  });

  it("makes no file while there is no picture", async () => {
    const journal = write();
    await journal.still(10);
    await journal.end(20);
    expect(await readdir(folder)).toEqual([]);
  });

  it("says each time that it can't write, and does when it can", async () => {
    const missing = join(folder, "gone");
    const gaps: unknown[] = [];
    const journal = new Journal({
      folder: missing,
      onChunk: () => undefined,
      onGap: (fromMs) => gaps.push(["from", fromMs]),
      onGapEnd: (toMs) => gaps.push(["to", toMs]),
    });
    await expect(journal.picture(1, jpeg("a"))).rejects.toThrow("ENOENT");
    await expect(journal.still(2)).rejects.toThrow("ENOENT");
    await expect(journal.picture(3, jpeg("b"))).rejects.toThrow("ENOENT");
    await expect(journal.end(4)).rejects.toThrow("ENOENT");
    await mkdir(missing);
    await journal.end(5);
    expect(await read("gone/chunk-000000000003.journal")).toEqual(["picture 3 b", "end 4"]);
    expect(gaps).toEqual([
      ["from", 1],
      ["to", 3],
    ]);
  });
});

describe("the chunks of a folder", () => {
  it("end with the last thing that was captured, which shows for a moment", async () => {
    const journal = new Journal({ folder, onChunk: () => undefined });
    await journal.picture(100, jpeg("a"));
    expect(await chunksIn(folder)).toEqual([{ startMs: 100, endMs: 200 }]);
    await journal.still(2_100);
    expect(await chunksIn(folder)).toEqual([{ startMs: 100, endMs: 2_100 }]);
    await journal.end(2_200);
  });
});

const changes = (list: [number, string][], startMs: number, endMs: number): ReturnType<typeof findChanges> =>
  findChanges(
    list.map(([atMs, text]) => ({ kind: "picture", atMs, jpeg: jpeg(text) })),
    { startMs, endMs },
  );

const show = (list: [number, string][], startMs: number, endMs: number): string[] => {
  const all = changes(list, startMs, endMs);
  return [...samplePictures(all, splitStretches(all, endMs - startMs))].map(
    (one) => `${one.atMs}+${one.durationMs} ${String(one.jpeg)}`,
  );
};

const times = (moments: number[], endMs: number): string[] =>
  splitStretches(
    changes(
      moments.map((atMs) => [atMs, "x"]),
      0,
      endMs,
    ),
    endMs,
  ).map((one) => `${one.startMs}-${one.endMs} x ${one.times}`);

describe("the stretches of a chunk", () => {
  it.each<[string, number[], number, string[]]>([
    ["are one when something changes in every segment", [0, 100, 4_100, 8_100], 12_000, ["0-12000 x 1"]],
    ["are one segment many times when nothing changes", [0], 16_000, ["0-4000 x 4"]],
    ["leave the last part of a segment as it is", [0], 9_500, ["0-4000 x 2", "8000-9500 x 1"]],
    ["repeat from the first whole segment of a picture on", [0, 1_000], 16_000, ["0-4000 x 1", "4000-8000 x 3"]],
    ["begin anew at a change where a segment starts", [0, 8_000], 16_000, ["0-4000 x 2", "8000-12000 x 2"]],
    ["go on after a change", [0, 9_000], 20_000, ["0-4000 x 2", "8000-12000 x 1", "12000-16000 x 2"]],
  ])("%s", (_, moments, endMs, expected) => {
    expect(times(moments, endMs)).toEqual(expected);
  });
});

/** The last pictures of a chunk as they are shown, a millisecond apart. */
const ending = (untilMs: number, name: string): string[] =>
  Array.from({ length: 9 }, (_, index) => `${untilMs - 8 + index}+1 ${name}`);

describe("the pictures of a chunk", () => {
  it.each<[string, [number, string][], number, number, string[]]>([
    [
      "show until the next one",
      [
        [5, "a"],
        [300, "b"],
      ],
      5,
      405,
      ["0+295 a", "295+97 b", ...ending(400, "b")],
    ],
    [
      "are repeated where a segment starts, and before it ends",
      [[0, "a"]],
      0,
      5_000,
      ["0+1333 a", "1333+1333 a", "2666+1334 a", "4000+992 a", ...ending(5_000, "a")],
    ],
    [
      "of segments that are all the same come once",
      [
        [0, "a"],
        [9_000, "b"],
      ],
      0,
      25_000,
      [
        "0+1333 a",
        "1333+1333 a",
        "2666+1334 a",
        "4000+1000 a",
        "5000+1500 b",
        "6500+1500 b",
        "8000+1333 b",
        "9333+1333 b",
        "10666+1334 b",
        "12000+992 b",
        ...ending(13_000, "b"),
      ],
    ],
    [
      "stand on each segment, however close others are",
      [
        [0, "a"],
        [3_999, "b"],
      ],
      0,
      4_100,
      ["0+1333 a", "1333+1333 a", "2666+1332 a", "3998+1 a", "3999+1 b", "4000+92 b", ...ending(4_100, "b")],
    ],
    [
      "are the last ones of their moments",
      [
        [0, "a"],
        [9, "b"],
        [9, "c"],
      ],
      0,
      120,
      ["0+9 a", "9+103 c", ...ending(120, "c")],
    ],
    ["begin with the chunk", [[70, "a"]], 50, 150, ["0+92 a", ...ending(100, "a")]],
    [
      "end with the chunk",
      [
        [0, "a"],
        [98, "b"],
        [100, "c"],
      ],
      0,
      100,
      ["0+92 a", ...ending(100, "a").slice(0, 6), ...ending(100, "b").slice(6)],
    ],
  ])("%s", (_, list, startMs, endMs, expected) => {
    expect(show(list, startMs, endMs)).toEqual(expected);
  });
});

describe("the file of a timeline", () => {
  it("has each line once, in order, and tells how many bytes are safe", async () => {
    const file = new TimelineFile(folder);
    expect(await readTimeline(folder)).toBe("");
    file.add("1");
    await file.flush();
    file.add("2 ü");
    file.add("3");
    await Promise.all([file.flush(), file.flush()]);
    expect(await readTimeline(folder)).toBe("1\n2 ü\n3\n");
    expect(file.bytes).toBe(9);
  });

  it("that could not be written is tried again, without what was torn", async () => {
    const path = join(folder, timelineFile);
    await symlink("/dev/full", path);
    const file = new TimelineFile(folder);
    file.add("first");
    await expect(file.flush()).rejects.toThrow(/ENOSPC/);
    await rm(path);
    await writeFile(path, "fir");
    file.add("second");
    await file.flush();
    expect(await readTimeline(folder)).toBe("first\nsecond\n");
    expect(file.bytes).toBe(13);
  });
});
