import { execFile } from "node:child_process";
import { chmod } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { findFfmpeg } from "../../src/encoding/ffmpeg.ts";

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);

const probeForm = z.object({
  streams: z.array(
    z.object({
      codec_name: z.string(),
      profile: z.string(),
      level: z.number(),
      pix_fmt: z.string(),
      width: z.number(),
      height: z.number(),
    }),
  ),
  format: z.object({ duration: z.string() }),
  packets: z.array(z.object({ pts_time: z.string(), flags: z.string() })),
});

/** One packet of a video. */
export interface Packet {
  readonly atMs: number;
  readonly isKey: boolean;
}

/** What ffprobe says of a video file. */
export interface Probe {
  readonly durationMs: number;
  readonly codec: string;
  readonly profile: string;
  /** Its level of H.264, ten times: 31 is 3.1. */
  readonly level: number;
  readonly pixels: string;
  readonly width: number;
  readonly height: number;
  readonly packets: readonly Packet[];
}

/** The encoders of this machine: npm's, and the system's where it has one. */
export async function encoders(): Promise<string[]> {
  const system = await findFfmpeg("ffmpeg", "/nowhere").catch(() => undefined);
  return [await findFfmpeg(undefined, "/nowhere"), ...(system === undefined ? [] : [system])];
}

/** A JPEG of one colour. */
export async function makePlainJpeg(color: string, size = "320x180"): Promise<Buffer> {
  const input = ["-f", "lavfi", "-i", `color=${color}:s=${size}`];
  const { stdout } = await run(
    await findFfmpeg(undefined, "/nowhere"),
    ["-v", "error", ...input, "-frames:v", "1", "-f", "mjpeg", "-"],
    { encoding: "buffer" },
  );
  return stdout;
}

/** Asks ffprobe. Complaints of its decoder are errors. */
export async function probe(path: string): Promise<Probe> {
  const program = join(dirname(resolve("@ffprobe-installer/linux-x64/package.json")), "ffprobe");
  await chmod(program, 0o755).catch(() => undefined);
  const args = ["-v", "error", "-show_streams", "-show_format", "-show_packets", "-of", "json", path];
  const { stdout, stderr } = await run(program, args, { maxBuffer: 2 ** 26 });
  if (stderr !== "") throw new Error(stderr);
  const { streams, format, packets } = probeForm.parse(JSON.parse(stdout));
  const [stream, ...more] = streams;
  if (!stream || more.length > 0) throw new Error("A replay has one stream.");
  return {
    durationMs: Number(format.duration) * 1_000,
    codec: stream.codec_name,
    profile: stream.profile,
    level: stream.level,
    pixels: stream.pix_fmt,
    width: stream.width,
    height: stream.height,
    packets: packets.map(({ pts_time, flags }) => ({ atMs: Number(pts_time) * 1_000, isKey: flags.startsWith("K") })),
  };
}

/** Sampling interval of {@link readColors}, in milliseconds. */
export const sampleMs = 20;

/** The colours of the middle of a video, one every 20 ms, by name. */
export async function readColors(path: string): Promise<string[]> {
  const filter = `fps=${1_000 / sampleMs},crop=16:16,scale=1:1`;
  const args = ["-v", "error", "-i", path, "-vf", filter, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
  const { stdout, stderr } = await run(await findFfmpeg(undefined, "/nowhere"), args, {
    encoding: "buffer",
    maxBuffer: 2 ** 26,
  });
  if (stderr.length > 0) throw new Error(stderr.toString());
  return Array.from({ length: stdout.length / 3 }, (_, index) =>
    getName([...stdout.subarray(index * 3, index * 3 + 3)]),
  );
}

/** The colour of the middle of a JPEG, by name. */
export async function readColor(jpeg: Uint8Array): Promise<string> {
  const program = await findFfmpeg(undefined, "/nowhere");
  const output = ["-vf", "crop=16:16,scale=1:1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"];
  const decoding = run(program, ["-v", "error", "-f", "mjpeg", "-i", "-", ...output], { encoding: "buffer" });
  decoding.child.stdin?.end(jpeg);
  return getName([...(await decoding).stdout]);
}

/** Corners of the cube of colours. */
const colorNames = ["black", "blue", "lime", "cyan", "red", "magenta", "yellow", "white"] as const;

function getName(rgb: number[]): string {
  if (rgb.some((value) => value > 70 && value < 185)) return `mixed ${rgb.join(" ")}`;
  const [r = 0, g = 0, b = 0] = rgb.map((value) => Math.round(value / 255));
  return colorNames[r * 4 + g * 2 + b] ?? "";
}
