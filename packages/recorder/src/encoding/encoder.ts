import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chunkFile, segmentMs, type JournalChunk } from "../journal/chunk.ts";
import { runFfmpeg } from "./ffmpeg.ts";
import { parseJournal } from "../journal/journal-format.ts";
import { matroska } from "./matroska.ts";
import { mp4DurationMs } from "./mp4-duration.ts";
import { samplePictures } from "./pictures.ts";
import { splitSegments } from "./hls-segments.ts";
import { findChanges, splitStretches, type Stretch } from "../journal/stretches.ts";
import { patchTransportStream } from "./transport-stream.ts";

/** Width and height in pixels. */
export interface FrameSize {
  /** Width. */
  readonly width: number;
  /** Height. */
  readonly height: number;
}

/** Options of an encoding. */
export interface EncodeOptions {
  /** The ffmpeg to run. */
  readonly program: string;
  /** Folder of the recording. */
  readonly folder: string;
  /** Aborts it; partial files are removed. */
  readonly signal: AbortSignal;
  /** True when a client waits for it. Default: false. */
  readonly isUrgent?: boolean;
}

/** Folder of the finished files, in the folder of a recording. */
export const replayFolder = "replay";
/** The MP4 in it. */
export const replayFile = "replay.mp4";
/** Prefix of unfinished files and folders, which are deleted after a crash. */
export const draftPrefix = "draft-";

const playlistFile = "playlist.m3u8";
const chunkLimitMs = 180_000;
const joinLimitMs = 600_000;

/**
 * Encodes one chunk of a journal: H.264 at its true times, a key frame at the start of each segment.
 * Nothing to do when that was done already.
 */
export async function encodeChunk(
  chunk: JournalChunk,
  size: FrameSize,
  { program, folder, signal, isUrgent = false }: EncodeOptions,
): Promise<void> {
  const changes = findChanges(parseJournal(await readFile(join(folder, chunkFile(chunk.startMs, "journal")))), chunk);
  const stretches = splitStretches(changes, chunk.endMs - chunk.startMs);
  const once = `${draftPrefix}${randomUUID()}.mp4`;
  const whole = `${draftPrefix}${randomUUID()}.mp4`;
  const list = `${draftPrefix}${randomUUID()}.ffconcat`;
  const run = { program, folder, limitMs: chunkLimitMs, signal, isUrgent };
  try {
    const input = matroska(samplePictures(changes, stretches));
    await runFfmpeg({
      ...run,
      args: [...inputArgs, "-vf", filters(size), ...levelArgs(size), ...codecArgs, once],
      input,
    });
    const repeats = stretches.some(({ times }) => times > 1);
    if (repeats) {
      await requireWhole(join(folder, once), 0);
      await writeFile(join(folder, list), repetition(once, stretches));
      await runFfmpeg({ ...run, args: [...listArgs, list, ...copyArgs, "-f", "mp4", whole] });
    }
    const encoded = join(folder, repeats ? whole : once);
    await requireWhole(encoded, chunk.endMs - chunk.startMs);
    await rename(encoded, join(folder, chunkFile(chunk.startMs, "mp4")));
  } finally {
    await Promise.all([once, whole, list].map((draft) => rm(join(folder, draft), { force: true })));
  }
}

/**
 * Joins encoded chunks to the MP4 and the segments, without encoding anything again.
 *
 * @returns How long the MP4 plays, in whole milliseconds.
 */
export async function joinChunks(
  chunks: readonly JournalChunk[],
  { program, folder, signal, isUrgent = false }: EncodeOptions,
): Promise<number> {
  const name = `${draftPrefix}${randomUUID()}`;
  const draft = join(folder, name);
  try {
    await mkdir(draft);
    await writeFile(join(draft, "chunks.ffconcat"), concatenation(chunks));
    const args = [...listArgs, "chunks.ffconcat", ...mp4Args, ...segmentArgs];
    await runFfmpeg({ program, args, folder: draft, limitMs: joinLimitMs, signal, isUrgent });
    const durationMs = Math.round(await mp4DurationMs(join(draft, replayFile)));
    await patchSegments(draft, durationMs);
    await Promise.all(["chunks.ffconcat", playlistFile].map((file) => rm(join(draft, file))));
    await rm(join(folder, replayFolder), { recursive: true, force: true });
    await rename(draft, join(folder, replayFolder));
    return durationMs;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const inputArgs = ["-threads", "1", "-f", "matroska", "-i", "pipe:0", "-an", "-filter_threads", "1"];

/**
 * Each picture as it was, in the middle of a frame of one size, in the range of values that players expect.
 * H.264 wants even sizes.
 */
function filters(size: FrameSize): string {
  const [width, height] = [even(size.width), even(size.height)];
  const fit = `scale=w=${width}:h=${height}:force_original_aspect_ratio=decrease:in_range=full:out_range=tv`;
  return `${fit},pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p`;
}

function even(pixels: number): number {
  return Math.max(16, pixels - (pixels % 2));
}

/**
 * The level of H.264 that a size needs at 25 pictures a second. The encoder would take it from the clock of milliseconds, as if there were
 * a thousand: level 6, which many players refuse.
 */
function levelArgs(size: FrameSize): readonly string[] {
  const blocks = Math.ceil(even(size.width) / 16) * Math.ceil(even(size.height) / 16);
  const [level] = levels.find(([, most]) => blocks <= most) ?? [];
  return level === undefined ? [] : ["-level", level];
}

/** Levels of H.264 (its table A-1), with the most blocks of 16 by 16 pixels that a picture may have. */
const levels: readonly (readonly [level: string, mostBlocks: number])[] = [
  ["3.1", 3_600],
  ["4.0", 8_192],
  ["5.0", 22_080],
  ["5.1", 36_864],
];

/**
 * Measured on pages: `superfast` without looking ahead costs half of what `veryfast` does for files of the same size. Plain
 * entropy coding and the plainest search for motion cost a third less again, for files a twentieth larger: what moves on a
 * page moves by whole pixels.
 * No B-frames: times of showing and of decoding are the same, so chunks join without a gap.
 * Options that ffmpeg of 2018 knows, and of today.
 */
const codecArgs = [
  ["-vsync", "vfr", "-enc_time_base", "1:1000", "-threads", "1"],
  ["-c:v", "libx264", "-preset", "superfast", "-profile:v", "high", "-crf", "28", "-bf", "0"],
  ["-x264-params", "rc-lookahead=0:mbtree=0:scenecut=0:keyint=infinite:cabac=0:me=dia:subme=0"],
  // Half a millisecond more, for what dividing loses.
  ["-force_key_frames", `expr:gte(t+0.0005,n_forced*${segmentMs / 1_000})`],
  // JPEG's matrix, kept.
  ["-colorspace", "smpte170m", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"],
  ["-video_track_timescale", "90000", "-f", "mp4"],
].flat();

const listArgs = ["-f", "concat", "-safe", "0", "-i"];
const copyArgs = ["-map", "0:v", "-c", "copy", "-video_track_timescale", "90000"];
const mp4Args = [...copyArgs, "-movflags", "+faststart", replayFile];

const segmentArgs = [
  ["-map", "0:v", "-c", "copy", "-f", "hls", "-hls_time", String(segmentMs / 1_000), "-hls_list_size", "0"],
  ["-hls_playlist_type", "vod", "-hls_flags", "independent_segments", "-hls_segment_type", "mpegts"],
  ["-hls_segment_filename", "segment-%06d.ts", playlistFile],
].flat();

function concatenation(chunks: readonly JournalChunk[]): string {
  const entries = chunks.map(({ startMs, endMs }) => {
    const length = seconds(endMs - startMs);
    return `file '../${chunkFile(startMs, "mp4")}'\nduration ${length}\noutpoint ${length}\n`;
  });
  return `ffconcat version 1.0\n${entries.join("")}`;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(3);
}

/** Returns an ffconcat script that repeats each stretch `times` times. The last entry has no end: the final picture follows it. */
function repetition(file: string, stretches: readonly Stretch[]): string {
  let inMs = 0;
  const entries = stretches.flatMap(({ startMs, endMs, times }) => {
    const outMs = inMs + endMs - startMs;
    const entry = `file '${file}'\ninpoint ${seconds(inMs)}\n`;
    const end = `outpoint ${seconds(outMs)}\nduration ${seconds(endMs - startMs)}\n`;
    inMs = outMs;
    return Array<string>(times).fill(entry + end);
  });
  const last = entries.pop() ?? "";
  return `ffconcat version 1.0\n${entries.join("")}${last.replace(/outpoint.*$/su, "")}`;
}

/** Once a chunk is encoded its pictures are deleted: the exit code of ffmpeg alone does not prove that the file is complete. */
async function requireWhole(path: string, leastMs: number): Promise<void> {
  const durationMs = Math.round(await mp4DurationMs(path));
  if (durationMs < leastMs) throw new Error(`ffmpeg encoded only ${durationMs} of ${leastMs} ms`);
}

/** ffmpeg cuts on the key frames, but the lengths that its versions write into the playlist differ: those of the key frames are known. */
async function patchSegments(folder: string, durationMs: number): Promise<void> {
  const found = (await readdir(folder)).filter((file) => file.endsWith(".ts")).sort();
  const expected = splitSegments(durationMs).map(({ file }) => file);
  if (found.join() !== expected.join()) throw new Error("ffmpeg cut the HLS segments at other times than planned");
  for (const file of found) await patchTransportStream(join(folder, file));
}
