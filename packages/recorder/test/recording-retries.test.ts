import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { systemClock } from "../src/clock.ts";
import { findFfmpeg } from "../src/encoding/ffmpeg.ts";
import { Recordings } from "../src/recordings/recordings.ts";
import { leaveBehind, still } from "./recording/left-behind.ts";
import { makePlainJpeg, readColors, sampleMs } from "./recording/video.ts";

let root: string;
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), "cb-retries-"))));
afterEach(() => rm(root, { recursive: true }));

/** An ffmpeg that has a shell do something first whenever it has something to do, until it is mended. */
async function writeHamperedFfmpeg(hindrance: string): Promise<{ program: string; mend: () => Promise<void> }> {
  const program = join(root, "ffmpeg.sh");
  const mended = join(root, "mended");
  const real = await findFfmpeg(undefined, root);
  const text = `#!/bin/sh\ncase "$*" in *-encoders*) ;; *) [ -e "${mended}" ] || { ${hindrance}; } ;; esac\nexec "${real}" "$@"\n`;
  await writeFile(program, text, { mode: 0o755 });
  return { program, mend: () => writeFile(mended, "") };
}

/** Opens recordings that are encoded with a program, and retried soon. */
function openWith(program: string, folder: string, warnings: string[]): Promise<Recordings> {
  return Recordings.open({
    folder,
    clock: systemClock,
    secret: Buffer.alloc(32, 1),
    publicUrl: () => "http://127.0.0.1:1",
    ffmpeg: program,
    retryDelaysMs: { first: 100, longest: 400 },
    onWarning: (_, what) => warnings.push(what),
  });
}

it("retries encoding with backoff after ffmpeg was killed", async () => {
  const folder = join(root, "recordings");
  const red = await makePlainJpeg("red");
  const startedAtMs = Date.now() - 10_000;
  await leaveBehind(folder, "one", startedAtMs, [
    [137, red],
    [4_137, still],
  ]);
  const { program, mend } = await writeHamperedFfmpeg("kill -9 $$");
  const warnings: string[] = [];
  const recordings = await openWith(program, folder, warnings);
  await recordings.recover();
  await vi.waitFor(() => expect(warnings.length).toBeGreaterThanOrEqual(4), { timeout: 20_000, interval: 20 });
  const pauses = warnings.map((one) => /\(attempt (\d+)\), retrying at .*: ffmpeg failed \(SIGKILL\)/u.exec(one)?.[1]);
  expect(pauses.slice(0, 4)).toEqual(["1", "2", "3", "4"]);
  await vi.waitFor(
    async () => {
      expect(recordings.view("one")).toMatchObject({
        state: "retrying",
        next_attempt_at: expect.stringMatching(/^20/u),
      });
      await expect(recordings.replay("one")).rejects.toMatchObject({
        code: "recording-delayed",
        retryAfterMs: expect.any(Number),
        message: expect.stringContaining("SIGKILL"),
      });
    },
    { timeout: 20_000, interval: 5 },
  );
  expect(await recordings.fault()).toContain("1 recordings could not be encoded yet; retrying.");
  await mend();
  await vi.waitFor(() => recordings.replay("one"), { timeout: 20_000, interval: 20 });
  expect(recordings.view("one")).toMatchObject({ state: "ready", gaps: [] });
  expect(await recordings.fault()).toBeUndefined();
  const expectFinished = (): void => expect(warnings.at(-1)).toMatch(/^is finished, at attempt \d+$/u);
  await vi.waitFor(expectFinished, { timeout: 20_000, interval: 20 });
  await recordings.close();
});

// Old ones say that all is well when the end of a file could not be written.
it.each([
  ["half of a chunk", "*pipe:0*", 9],
  ["half of a replay", "*chunks.ffconcat*", 24],
])("retries encoding after ffmpeg could write only %s, and keeps all pictures", async (_, run, blocks) => {
  const folder = join(root, "recordings");
  const [red, blue] = await Promise.all([makePlainJpeg("red"), makePlainJpeg("blue")]);
  const expected = Array.from({ length: 60 }, (__, index) => (index % 2 === 0 ? "red" : "blue"));
  const moments = expected.map((color, index) => [137 + 100 * index, color === "red" ? red : blue] as const);
  await leaveBehind(folder, "one", Date.now() - 10_000, [...moments, [6_137, still]]);
  const limit = `case "$*" in ${run}) trap "" XFSZ; ulimit -f ${blocks} ;; esac`;
  const { program, mend } = await writeHamperedFfmpeg(limit);
  const warnings: string[] = [];
  const recordings = await openWith(program, folder, warnings);
  await recordings.recover();
  await expect(recordings.replay("one")).rejects.toMatchObject({ code: "recording-delayed" });
  expect(warnings[0]).toMatch(/could not be encoded \(attempt 1\), retrying at .*: .*(?:is incomplete|exit 1)/u);
  await mend();
  const replay = await vi.waitFor(() => recordings.replay("one"), { timeout: 20_000, interval: 20 });
  expect(replay).toMatchObject({ video_start_ms: 137, video_duration_ms: 6_000 });
  const samples = await readColors(join(folder, "one", "replay", "replay.mp4"));
  expect(expected.map((__, index) => samples[(100 * index + 40) / sampleMs])).toEqual(expected);
  await recordings.close();
});
