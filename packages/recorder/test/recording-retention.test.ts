import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemClock, type Clock } from "../src/clock.ts";
import { Recordings } from "../src/recordings/recordings.ts";
import type { RecordingsOptions } from "../src/recordings/recordings-options.ts";
import { readState, writeState, type RecordingState } from "../src/recordings/recording-state.ts";

const dayMs = 24 * 3_600_000;

let folder: string;
let aheadMs: number;
let stores: Recordings[];
let warnings: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cb-retention-"));
  aheadMs = 0;
  stores = [];
  warnings = [];
});
afterEach(async () => {
  await Promise.all(stores.map((recordings) => recordings.close()));
  await rm(folder, { recursive: true });
});

/** A machine whose clock is set: timers know nothing of that, as those of the platform. */
const clock: Clock = {
  now: () => Date.now() + aheadMs,
  at: (momentMs, run) => systemClock.at(momentMs - aheadMs, run),
};

async function open(options: Partial<RecordingsOptions> = {}): Promise<Recordings> {
  const recordings = await Recordings.open({
    folder,
    clock,
    secret: Buffer.alloc(32, 1),
    publicUrl: () => "http://127.0.0.1:1",
    sweepMs: 20,
    onWarning: (id, what) => warnings.push(`${id} ${what}`),
    ...options,
  });
  stores.push(recordings);
  return recordings;
}

/** A finished recording of a session that ended a second ago. */
async function leaveFinished(id = "one", change: Partial<RecordingState> = {}): Promise<string> {
  const own = join(folder, id);
  await mkdir(join(own, "replay"), { recursive: true });
  await writeFile(join(own, "replay", "replay.mp4"), "video");
  const endedAtMs = Date.now() - 1_000;
  await writeState(own, {
    version: 1,
    sessionId: id,
    startedAtMs: endedAtMs - 5_000,
    viewport: { width: 320, height: 180 },
    endedAtMs,
    deleteAtMs: endedAtMs + dayMs,
    stage: { name: "finished", startMs: 0, durationMs: 4_000 },
    ...change,
  });
  return own;
}

const busy = { timeout: 20_000, interval: 20 };
/** Its files go first, then it is noted that they are gone. */
const isNoted = async (own: string): Promise<void> =>
  expect([await readdir(own), (await readState(own))?.stage.name]).toEqual([["recording.json"], "deleted"]);

it("deletes a recording that expired because the clock of the machine was set", async () => {
  const own = await leaveFinished();
  const recordings = await open();
  await recordings.replay("one");
  aheadMs = dayMs;
  await vi.waitFor(() => isNoted(own), busy);
  await expect(recordings.replay("one")).rejects.toMatchObject({ code: "recording-deleted" });
  expect(recordings.view("one")).toMatchObject({ state: "deleted", detail: expect.stringContaining("was deleted") });
});

it("retries a failed deletion, reports it, and serves nothing meanwhile", async () => {
  const own = await leaveFinished();
  const recordings = await open();
  await rename(own, `${own}.aside`);
  await writeFile(own, "no folder");
  aheadMs = dayMs;
  await vi.waitFor(() => expect(recordings.view("one")?.state).toBe("deletion-delayed"), busy);
  await expect(recordings.replay("one")).rejects.toMatchObject({ code: "recording-deleted" });
  expect(warnings).toEqual([expect.stringContaining("one could not be deleted when it expired; retrying: EEXIST")]);
  // In one step: an attempt between two would find an empty folder, and be done.
  await symlink(`${own}.aside`, `${own}.link`);
  await rename(`${own}.link`, own);
  await vi.waitFor(() => isNoted(own), busy);
  await vi.waitFor(() => expect(recordings.view("one")?.state).toBe("deleted"), busy);
  expect(warnings.slice(1)).toEqual(["one is deleted now"]);
});

it("keeps nothing longer than a day from now on, though its record says so", async () => {
  const nowMs = Date.now();
  await leaveFinished("one", { endedAtMs: nowMs + 9 * dayMs, deleteAtMs: nowMs + 10 * dayMs });
  const recordings = await open();
  expect(Date.parse(recordings.view("one")?.delete_at ?? "")).toBeLessThanOrEqual(Date.now() + dayMs);
});

it("finishes at its start an interrupted deletion", async () => {
  const own = await leaveFinished("one", { stage: { name: "deleted" } });
  await open();
  expect(await readdir(own)).toEqual(["recording.json"]);
});

it("loads a folder that appears while it runs, and deletes it when it expires", async () => {
  const recordings = await open();
  await leaveFinished("late");
  await vi.waitFor(() => expect(recordings.view("late")?.state).toBe("ready"), busy);
  aheadMs = dayMs;
  await vi.waitFor(() => isNoted(join(folder, "late")), busy);
});

it("waits for the state of a folder that is being copied, but no longer than a minute", async () => {
  const recordings = await open();
  await mkdir(join(folder, "slow"));
  await mkdir(join(folder, "broken"));
  await leaveFinished("other");
  await vi.waitFor(() => expect(recordings.view("other")?.state).toBe("ready"), busy);
  expect([recordings.view("slow"), recordings.view("broken")]).toEqual([undefined, undefined]);
  await leaveFinished("slow");
  await vi.waitFor(() => expect(recordings.view("slow")?.state).toBe("ready"), busy);
  aheadMs = 61_000;
  await vi.waitFor(() => expect(recordings.view("broken")?.state).toBe("failed"), busy);
});

it("starts though one of its folders can't be read", async () => {
  await mkdir(join(folder, "odd", "recording.json"), { recursive: true });
  await leaveFinished();
  const recordings = await open();
  expect(recordings.view("one")?.state).toBe("ready");
  await expect(recordings.replay("odd")).rejects.toMatchObject({ code: "recording-failed" });
});

it("reports that the files of a replay were removed from outside", async () => {
  const own = await leaveFinished();
  const recordings = await open();
  await rm(join(own, "replay"), { recursive: true });
  await expect(recordings.replay("one")).rejects.toMatchObject({ code: "recording-failed" });
});
