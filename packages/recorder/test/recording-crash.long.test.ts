import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { systemClock } from "../src/clock.ts";
import { parseJournal } from "../src/journal/journal-format.ts";
import { Recordings } from "../src/recordings/recordings.ts";
import type { Replay } from "../src/recordings/replay.ts";
import { probe } from "./recording/video.ts";

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "cb-crash-"))));
afterEach(() => rm(folder, { recursive: true }));

/** How long a replay may take after the next start, in milliseconds: 5 s, and what a busy machine adds. */
const patienceMs = 15_000;

/** Starts a process; says what it has said, and when it has begun. */
function start(program: string, into: string): { child: ChildProcess; output: string[]; first: Promise<unknown> } {
  const args = ["--conditions=@cloud-browser/source", join(import.meta.dirname, "recording", program), into];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const output: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => output.push(line));
  return { child, output, first: once(lines, "line") };
}

async function kill(child: ChildProcess): Promise<void> {
  const close = once(child, "close");
  child.kill("SIGKILL");
  await close;
}

/** Starts anew on the folder; the replay, and the moments of its pictures from the start of the session. */
async function recover(): Promise<{ replay: Replay; moments: Set<number>; tookMs: number }> {
  const began = performance.now();
  const recordings = await Recordings.open({
    folder,
    clock: systemClock,
    secret: Buffer.alloc(32),
    publicUrl: () => "http://127.0.0.1:1",
  });
  await recordings.recover();
  const replay = await recordings.replay("one", patienceMs);
  const tookMs = performance.now() - began;
  await recordings.close();
  const { packets } = await probe(join(folder, "one", "replay", "replay.mp4"));
  return { replay, moments: new Set(packets.map(({ atMs }) => Math.round(atMs) + replay.video_start_ms)), tookMs };
}

it.each([0, 80, 160, 240])(
  "every picture that was safe is in the replay of a process killed after about %i ms",
  async (ms) => {
    const { child, output, first } = start("dying-journal.ts", join(folder, "one"));
    await first;
    await sleep(ms + Math.random() * 60);
    await kill(child);
    const { replay, moments, tookMs } = await recover();
    const missing = output.map(Number).filter((atMs) => !moments.has(atMs));
    expect(missing).toEqual([]);
    expect(replay.video_duration_ms + replay.video_start_ms).toBeGreaterThanOrEqual(Number(output.at(-1)) + 100);
    expect(tookMs).toBeLessThan(patienceMs);
    expect((await readdir(join(folder, "one"))).sort()).toEqual(["recording.json", "replay"]);
  },
);

it("a recorded browser session outlives the death of its process", async () => {
  const { child, first } = start("dying-browser.ts", folder);
  await first;
  await sleep(3_000 + Math.random() * 700);
  await kill(child);
  const journal = (await readdir(join(folder, "one"))).find((name) => name.endsWith(".journal")) ?? "";
  const captured = parseJournal(await readFile(join(folder, "one", journal))).filter(({ kind }) => kind === "picture");
  expect(captured.length).toBeGreaterThan(3);
  const { moments } = await recover();
  expect(captured.map(({ atMs }) => atMs).filter((atMs) => !moments.has(atMs))).toEqual([]);
});
