import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chunksIn } from "../src/journal/chunk.ts";
import { encodeChunk, joinChunks } from "../src/encoding/encoder.ts";
import { findFfmpeg, runFfmpeg } from "../src/encoding/ffmpeg.ts";
import { mp4DurationMs } from "../src/encoding/mp4-duration.ts";
import { leaveBehind, still } from "./recording/left-behind.ts";
import { readColors, encoders, sampleMs, makePlainJpeg, probe } from "./recording/video.ts";

const size = { width: 321, height: 181 };
const never = new AbortController().signal;

let folder: string;
let red: Buffer;
let blue: Buffer;
let tall: Buffer;
const segmentStarts = Array.from({ length: 11 }, (_, index) => index * 4_000);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cb-encoding-"));
  [red, blue, tall] = await Promise.all([
    makePlainJpeg("red"),
    makePlainJpeg("blue"),
    makePlainJpeg("lime", "100x400"),
  ]);
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(await encoders())("a replay by %s", (program) => {
  let own: string;
  let durationMs: number;
  const replay = (file: string): string => join(own, "replay", file);

  beforeAll(async () => {
    const id = `by-${(await readdir(folder)).length}`;
    own = await leaveBehind(
      folder,
      id,
      0,
      [
        [137, red],
        [1_137, blue],
        [3_999, red],
        [4_137, tall],
        [5_137, blue],
        [9_876, still],
        [11_137, red],
        [21_137, still],
        [33_137, blue],
        [40_284, still],
      ],
      { chunkMs: 20_000 },
    );
    const chunks = await chunksIn(own);
    if (chunks.length !== 3) throw new Error("There are three chunks.");
    for (const chunk of chunks) await encodeChunk(chunk, size, { program, folder: own, signal: never });
    durationMs = await joinChunks(chunks, { program, folder: own, signal: never });
  });

  it("lasts as long as what was captured, to the millisecond", async () => {
    expect(durationMs).toBe(40_284 - 137);
    expect((await probe(replay("replay.mp4"))).durationMs).toBeCloseTo(durationMs, 0);
  });

  it("is H.264 that every player plays, of an even size", async () => {
    expect(await probe(replay("replay.mp4"))).toMatchObject({
      codec: "h264",
      profile: "High",
      level: 31,
      pixels: "yuv420p",
      width: 320,
      height: 180,
    });
  });

  it("can be played while it loads", async () => {
    const bytes = await readFile(replay("replay.mp4"), "latin1");
    expect(bytes.indexOf("moov")).toBeGreaterThan(0);
    expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
  });

  it("shows each picture at its time", async () => {
    const samples = await readColors(replay("replay.mp4"));
    const at = (sessionMs: number): string | undefined => samples[Math.round((sessionMs - 137) / sampleMs)];
    const moments = [200, 1_100, 1_180, 3_960, 4_040, 4_180, 5_100, 5_180, 11_090, 11_180];
    expect(moments.map(at)).toEqual(["red", "red", "blue", "blue", "red", "lime", "lime", "blue", "blue", "red"]);
    // What is encoded once and shown again: from the twelfth second to the twentieth, and from there to the thirty-second.
    const again = [14_000, 18_000, 20_200, 26_000, 33_090, 33_180, 40_200];
    expect(again.map(at)).toEqual(["red", "red", "red", "red", "red", "blue", "blue"]);
  });

  it("has a key frame every four seconds, and nothing is missing for longer than that", async () => {
    const { packets } = await probe(replay("replay.mp4"));
    expect(packets.filter(({ isKey }) => isKey).map(({ atMs }) => atMs)).toEqual(segmentStarts);
    const gaps = packets.slice(1).map(({ atMs }, index) => atMs - (packets[index]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(0);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(4_000.001);
  });

  it("has segments of four seconds that begin with a key frame and follow each other", async () => {
    const files = (await readdir(join(own, "replay"))).sort();
    expect(files).toEqual([
      "replay.mp4",
      ...segmentStarts.map((_, index) => `segment-${String(index).padStart(6, "0")}.ts`),
    ]);
    const starts = await Promise.all(files.slice(1).map(async (file) => (await probe(replay(file))).packets[0]));
    expect(starts.map((first) => first?.isKey)).toEqual(segmentStarts.map(() => true));
    const from = starts[0]?.atMs ?? 0;
    expect(starts.map((first) => Math.round((first?.atMs ?? 0) - from))).toEqual(segmentStarts);
  });

  it("leaves no draft", async () => {
    expect((await readdir(own)).filter((file) => file.startsWith("draft-"))).toEqual([]);
  });
});

describe("an encoder that is ended early", () => {
  it("has ended, and leaves nothing, when the call has", async () => {
    const own = await leaveBehind(
      folder,
      "early",
      0,
      Array.from({ length: 400 }, (_, at) => [at * 50, at % 2 === 0 ? red : blue]),
    );
    const [chunk] = await chunksIn(own);
    const before = await readdir(own);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 60);
    const options = { program: await findFfmpeg(undefined, folder), folder: own, signal: controller.signal };
    if (!chunk) throw new Error("There is a chunk.");
    await expect(encodeChunk(chunk, { width: 1920, height: 1080 }, options)).rejects.toThrow("aborted");
    expect(await readdir(own)).toEqual(before);
    const { stdout } = await promisify(execFile)("ps", ["--ppid", String(process.pid), "-o", "comm="]);
    expect(stdout).not.toContain("ffmpeg");
  });
});

/** Makes a program of a shell. */
async function script(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
  return path;
}

describe("ffmpeg", () => {
  it("is the configured one, and no other when that can't be started", async () => {
    const own = await script("own-ffmpeg", "echo ' V..... libx264  H.264'");
    expect(await findFfmpeg(own, folder)).toBe(own);
    await expect(findFfmpeg(join(folder, "none"), folder)).rejects.toMatchObject({ code: "encoder-missing" });
    await expect(findFfmpeg(await script("sick", "exit 3"), folder)).rejects.toMatchObject({
      code: "encoder-missing",
    });
  });

  it("has the encoder of recordings, or it is not taken", async () => {
    const lacking = await script("lacking", "echo ' V..... mpeg4  MPEG-4 part 2'");
    for (const program of [lacking, await script("other-program", "exit 0")])
      await expect(findFfmpeg(program, folder)).rejects.toMatchObject({ code: "encoder-missing" });
  });

  it("is the package's own when none is configured", async () => {
    expect(await findFfmpeg(undefined, folder)).toMatch(/ffmpeg-linux-x64\/ffmpeg$/);
  });

  it.each([
    ["that fails says why", "echo no such thing >&2; exit 4", 120_000, "exit 4): no such thing"],
    ["that takes too long is ended", "exec sleep 30", 100, "SIGKILL"],
    ["that reads nothing does no harm", "exec <&-; exit 5", 120_000, "exit 5"],
  ])("%s", async (name, text, limitMs, message) => {
    const input = [Buffer.alloc(1_000_000), Buffer.alloc(1_000_000)];
    const run = runFfmpeg({
      program: await script(name.replaceAll(" ", "-"), text),
      args: [],
      input,
      folder,
      limitMs,
      signal: never,
    });
    await expect(run).rejects.toThrow(message);
  });

  it.runIf(existsSync("/proc/self/autogroup"))("runs at low priority unless a client waits for it", async () => {
    const program = await script("that-tells-its-place", "sleep 1; nice > $5; cat /proc/self/autogroup >> $5");
    const readPlace = async (file: string, isUrgent: boolean): Promise<string> => {
      await runFfmpeg({ program, args: [file], folder, limitMs: 120_000, signal: never, isUrgent });
      return readFile(join(folder, file), "utf8");
    };
    expect(
      await Promise.all([readPlace("patient-1", false), readPlace("patient-2", false), readPlace("urgent", true)]),
    ).toEqual([
      expect.stringMatching(/^19\n.+ nice 10$/m),
      expect.stringMatching(/^19\n.+ nice 10$/m),
      expect.stringMatching(new RegExp(`^${getPriority()}\n.+ nice 0$`, "m")),
    ]);
  });
});

describe("the duration of an MP4", () => {
  it.each([
    ["is not found in an empty file", Buffer.alloc(0)],
    ["is not found in zeros", Buffer.alloc(500)],
    ["is not found in text", Buffer.from("no video at all, only a text of some length ".repeat(4))],
  ])("%s", async (name, bytes) => {
    const path = join(folder, name);
    await writeFile(path, bytes);
    await expect(mp4DurationMs(path)).rejects.toThrow("no movie header");
  });
});
