/** Recordings of the page with the clock, drawn and encoded: correct ones, and ones that break a sentence. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tickMs } from "../../src/site/clock-code.ts";

/** Options of drawing a recording. */
export interface MovieOptions {
  /** Age of the page, in milliseconds, at a time of the video. Default: the same. */
  readonly ageAt?: (ms: number) => number;
  /** Pictures a second. Default: 5. */
  readonly rate?: number;
  /** Width of black bars at both sides, in pixels. Default: 0. */
  readonly bars?: number;
  /** Number added to the mark of the page. Default: 0. */
  readonly otherMark?: number;
  /** Loss of the encoding, from 0 to 51. Default: 30. */
  readonly loss?: number;
  /** True to draw black frames. Default: false. */
  readonly black?: boolean;
}

const width = 320;
const height = 180;
const seconds = 3;

/** The MP4 of a recording of three seconds. */
export function drawMovie(ffmpeg: string, mark: number, options: MovieOptions): Uint8Array {
  const { ageAt = (ms: number) => ms, rate = 5 } = options;
  const pictures = Array.from({ length: seconds * rate }, (_, index) =>
    picture(mark, Math.floor(ageAt((index * 1000) / rate) / tickMs), options),
  );
  const folder = mkdtempSync(join(tmpdir(), "conformance-clock-"));
  try {
    const file = join(folder, "clock.mp4");
    const input = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`, "-r", String(rate), "-i", "-"];
    const output = [
      "-c:v",
      "libx264",
      "-pix_fmt",
      "yuv420p",
      "-crf",
      String(options.loss ?? 30),
      "-movflags",
      "+faststart",
      file,
    ];
    const { status, stderr } = spawnSync(ffmpeg, ["-v", "error", ...input, ...output], {
      input: Buffer.concat(pictures),
    });
    if (status !== 0) throw new Error(String(stderr));
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function picture(mark: number, tick: number, { bars = 0, otherMark = 0, black = false }: MovieOptions): Buffer {
  const bytes = Buffer.alloc(width * height * 3);
  if (black) return bytes;
  const gray = tick ^ (tick >> 1);
  const code = [0b1011_0010, (mark + otherMark) % 256, (gray >> 8) & 255, gray & 255];
  const page = width - 2 * bars;
  for (let y = 0; y < height; y += 1) {
    for (let x = bars; x < width - bars; x += 1) {
      const column = Math.floor((((x - bars) / page - 0.1) / 0.8) * 8);
      const row = Math.floor(((y / height - 0.1) / 0.8) * 4);
      const isCell = column >= 0 && column < 8 && row >= 0 && row < 4;
      const white = isCell && ((code[row] ?? 0) >> (7 - column)) & 1 ? 255 : 0;
      bytes.set(isCell ? [white, white, white] : [0, 0, 255], (y * width + x) * 3);
    }
  }
  return bytes;
}
