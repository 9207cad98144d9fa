import { cp, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Journal } from "../src/journal/journal.ts";
import type { Archive, DoneRecording } from "../src/recordings/archive.ts";
import { readState, type RecordingState } from "../src/recordings/recording-state.ts";
import { Recordings } from "../src/recordings/recordings.ts";
import { leaveBehind, still, type Moments } from "./recording/left-behind.ts";
import { makePlainJpeg } from "./recording/video.ts";

let root: string;
let folder: string;
let red: Buffer;
let moments: Moments;
const stores: Recordings[] = [];

beforeAll(async () => {
  red = await makePlainJpeg("red");
  moments = [
    [137, red],
    [4_137, still],
  ];
});
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "cb-archive-"));
  folder = join(root, "recordings");
});
afterEach(async () => {
  await Promise.all(stores.splice(0).map((recordings) => recordings.close()));
  await rm(root, { recursive: true });
});

/** An archive that keeps what it is told, and takes what it is given as a test says. */
class TestArchive implements Archive {
  readonly states: RecordingState[] = [];
  readonly recordings: (DoneRecording & { readonly files: readonly string[] })[] = [];
  answer: () => Promise<boolean> = () => Promise.resolve(true);

  onState(state: RecordingState): void {
    this.states.push(state);
  }

  async store(recording: DoneRecording): Promise<boolean> {
    const isTaken = await this.answer();
    this.recordings.push({ ...recording, files: await readdir(recording.folder).catch(() => []) });
    return isTaken;
  }
}

async function open(archive?: TestArchive): Promise<Recordings> {
  const recordings = await Recordings.open({
    folder,
    secret: Buffer.alloc(32, 1),
    publicUrl: () => "http://127.0.0.1:1",
    retryDelaysMs: { first: 50, longest: 200 },
    ...(archive && {
      archive: { onState: (state) => archive.onState(state), store: (recording) => archive.store(recording) },
    }),
  });
  stores.push(recordings);
  return recordings;
}

const patience = { timeout: 30_000, interval: 20 };

it("gives what is finished to an archive, tries again while that fails, and keeps nothing of it then", async () => {
  await leaveBehind(folder, "one", Date.now() - 10_000, moments);
  const archive = new TestArchive();
  archive.answer = () => Promise.reject(new Error("the store is closed"));
  const recordings = await open(archive);
  expect(recordings.unfinished).toEqual(["one"]);
  await recordings.recover();
  await vi.waitFor(() => {
    expect(recordings.view("one")).toMatchObject({
      state: "retrying",
      detail: expect.stringMatching(/being stored; attempt [2-9]\d* failed \(the store is closed\)/u),
    });
  }, patience);
  // No encoder is at fault.
  expect(await recordings.fault()).toBeUndefined();
  expect(archive.states.map(({ stage }) => stage.name)).toEqual(expect.arrayContaining(["ended"]));
  archive.answer = () => Promise.resolve(true);
  await vi.waitFor(() => expect(recordings.ids).toEqual([]), patience);
  expect(archive.recordings).toMatchObject([
    {
      state: { sessionId: "one", lengthMs: 4_137, stage: { name: "finished", startMs: 137, durationMs: 4_000 } },
      files: ["replay.mp4", "segment-000000.ts"],
    },
  ]);
  expect(await readdir(folder)).toEqual([]);
  await expect(recordings.replay("one")).rejects.toMatchObject({ code: "unknown-session" });
});

it("gives it also what has no picture", async () => {
  await leaveBehind(folder, "one", Date.now() - 10_000, []);
  const archive = new TestArchive();
  const recordings = await open(archive);
  await recordings.recover();
  await vi.waitFor(() => expect(recordings.ids).toEqual([]), patience);
  expect(archive.recordings).toMatchObject([{ state: { stage: { name: "empty" } }, files: [] }]);
});

it("keeps recordings in the folder that the archive refuses", async () => {
  await leaveBehind(folder, "one", Date.now() - 10_000, moments);
  const archive = new TestArchive();
  archive.answer = () => Promise.resolve(false);
  const recordings = await open(archive);
  await recordings.recover();
  expect(await recordings.replay("one", 10_000)).toMatchObject({ video_duration_ms: 4_000 });
  expect(archive.states.at(-1)?.stage.name).toBe("finished");
});

it("finishes a recording of another machine from its journal", async () => {
  const remains = await leaveBehind(join(root, "elsewhere"), "one", Date.now() - 10_000, moments);
  const state = await readState(remains);
  if (!state) throw new Error("there is no state");
  const recordings = await open();
  const fill = (into: string): Promise<void> =>
    cp(remains, into, { recursive: true, filter: (path) => !path.endsWith(".json") });
  await recordings.adopt(state, fill);
  expect(await recordings.replay("one", 10_000)).toMatchObject({ video_start_ms: 137, video_duration_ms: 4_000 });
  expect(await readdir(folder)).toEqual(["one"]);
});

it("leaves nothing of a failed adoption, in this process or one that dies meanwhile", async () => {
  const remains = await leaveBehind(join(root, "elsewhere"), "one", Date.now() - 10_000, moments);
  const state = await readState(remains);
  if (!state) throw new Error("there is no state");
  const recordings = await open();
  const failing = recordings.adopt(state, () => Promise.reject(new Error("the store is closed")));
  await expect(failing).rejects.toThrow("the store is closed");
  expect([await readdir(folder), recordings.ids]).toEqual([[], []]);
  await cp(remains, join(folder, ".draft-one"), { recursive: true });
  const next = await open();
  expect([await readdir(folder), next.ids]).toEqual([[], []]);
});

it("removes a recording that is tried again and again", async () => {
  await leaveBehind(folder, "one", Date.now() - 10_000, moments);
  const archive = new TestArchive();
  archive.answer = () => Promise.reject(new Error("the store is closed"));
  const recordings = await open(archive);
  await recordings.recover();
  await vi.waitFor(() => expect(recordings.view("one")?.state).toBe("retrying"), patience);
  await recordings.remove("one");
  expect([recordings.ids, recordings.view("one"), await readdir(folder)]).toEqual([[], undefined, []]);
});

it("knows how much of each file of a journal is safe", async () => {
  const own = await leaveBehind(folder, "other", 0, []);
  const journal = new Journal({ folder: own, onChunk: () => undefined, chunkMs: 4_000 });
  expect([...journal.files]).toEqual([]);
  for (const atMs of [100, 2_000, 5_000, 9_000]) await journal.picture(atMs, red);
  await journal.end(9_500);
  const names = (await readdir(own)).filter((name) => name.endsWith(".journal")).sort();
  expect(names.length).toBeGreaterThan(1);
  const sizes = names.map(async (name) => [name, (await stat(join(own, name))).size]);
  expect([...journal.files]).toEqual(await Promise.all(sizes));
});
