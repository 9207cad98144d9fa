import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { resolveInstalled } from "../target/installed.ts";
import type { RecordedFrame, Frames } from "../target/recorded-frames.ts";
import { readClockCode } from "./clock-code.ts";

/** Width to which frames are scaled, in pixels: the code has only eight cells in a row. */
const width = 192;
const height = 144;

/** Number of frames that are read of each second, and of the whole recording; later ones are ignored. */
const perSecond = 5;
const maxFrames = 300;

/** Time limit of a program, in milliseconds. */
const limitMs = 30_000;

/**
 * Finds ffmpeg: the one given, the package `@cloud-browser/ffmpeg-linux-x64` where it is installed, or the one on the PATH.
 *
 * @returns Its path; undefined when there is none that runs.
 */
export async function findFfmpeg(path?: string): Promise<string | undefined> {
  const candidates =
    path === undefined ? [resolveInstalled("@cloud-browser/ffmpeg-linux-x64/ffmpeg"), "ffmpeg"] : [path];
  for (const program of candidates) if (program !== undefined && (await runs(program))) return program;
  return undefined;
}

function runs(program: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(program, ["-hide_banner", "-version"], { timeout: limitMs }, (error) => resolve(error === null));
  });
}

/**
 * Decodes an MP4, and reads the code of each picture, five of each second for a minute at most.
 *
 * The file is written to a folder of its own below that for temporary files, and removed at the end. ffmpeg may open nothing
 * but that file, and is ended after 30 seconds.
 */
export async function decodeFrames(movie: Uint8Array, ffmpeg: string): Promise<Frames> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-recording-"));
  try {
    const file = join(folder, "recording.mp4");
    await writeFile(file, movie);
    return await listFrames(file, ffmpeg);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Width and height of a part of a picture that is reduced to one brightness, in pixels. */
const part = 24;

/** Returns the brightness of the parts of a picture. */
function findOutline(bytes: Uint8Array): number[] {
  const columns = width / part;
  const sums = Array.from({ length: columns * (height / part) }, () => 0);
  for (let at = 0; at < bytes.length; at += 3) {
    const pixel = at / 3;
    const cell = Math.floor(Math.floor(pixel / width) / part) * columns + Math.floor((pixel % width) / part);
    const light = ((bytes[at] ?? 0) + (bytes[at + 1] ?? 0) + (bytes[at + 2] ?? 0)) / 3;
    sums[cell] = (sums[cell] ?? 0) + light;
  }
  return sums.map((sum) => sum / part ** 2);
}

function listFrames(file: string, ffmpeg: string): Promise<Frames> {
  const reading = ["-protocol_whitelist", "file", "-max_pixels", "40000000", "-f", "mov", "-i", file, "-map", "0:v:0"];
  // A picture counts from the moment before it, and the last one however short: recorders may end with what the page showed last.
  const fps = `fps=${perSecond}:start_time=0:round=down:eof_action=pass`;
  const filter = `${fps},scale=${width}:${height}:flags=area`;
  const writing = ["-vf", filter, "-frames:v", String(maxFrames), "-pix_fmt", "rgb24", "-f", "rawvideo", "pipe:1"];
  const child = spawn(ffmpeg, ["-hide_banner", "-v", "error", "-nostdin", "-threads", "1", ...reading, ...writing], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const size = width * height * 3;
  const frames: RecordedFrame[] = [];
  let rest: Buffer = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length >= size; rest = rest.subarray(size)) {
      const bytes = rest.subarray(0, size);
      const code = readClockCode({ width, height, bytes });
      frames.push({ atMs: (frames.length * 1000) / perSecond, code, outline: findOutline(bytes) });
    }
  });
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
    const finish = (reason: string): void => {
      clearTimeout(timer);
      resolve(frames.length > 0 ? { frames } : { reason });
    };
    child.once("error", ({ message }) => finish(`ffmpeg could not be started (${message}).`));
    child.once("close", () => finish("ffmpeg decoded no frame of the MP4."));
  });
}
