import type { RecordedFrame, Frames } from "../../../target/recorded-frames.ts";
import { readMp4 } from "./media/mp4.ts";

/** Minimum number of frames by which films are compared: a second of them. */
const fewest = 5;

/** Largest mean difference of brightness of two pictures that are the same in other encodings, of 255. */
const sameLight = 8;

/** Smallest difference between two pictures of a film that moves. */
const movingLight = 4;

/** Largest difference of the number of frames: a muxer may drop what stands still. */
const framesOff = 3;

function measureDifference(one: RecordedFrame, other: RecordedFrame): number {
  const sum = one.outline.reduce((total, light, at) => total + Math.abs(light - (other.outline[at] ?? 0)), 0);
  return sum / Math.max(1, one.outline.length);
}

/**
 * Returns whether two recordings are one film, whatever their bytes are: the second shows the page that the first one is of, or the same
 * pictures in the same order. Undefined where that can't be decided: one was not decoded, is short or stands still.
 *
 * @param mark - Number of the page that the first one is of.
 */
export function isSameFilm(first: Frames, second: Frames, mark: number): boolean | undefined {
  if ("reason" in first || "reason" in second) return undefined;
  if (second.frames.some(({ code }) => code?.mark === mark)) return true;
  const [one, other] = [first.frames, second.frames];
  const [start] = one;
  if (!start || Math.min(one.length, other.length) < fewest) return undefined;
  if (!one.some((frame) => measureDifference(start, frame) > movingLight)) return undefined;
  if (Math.abs(one.length - other.length) > framesOff) return false;
  return one.every((frame, at) => {
    const beside = other[at];
    return beside === undefined || measureDifference(frame, beside) <= sameLight;
  });
}

/** Share of the bytes of two videos that have to be the same for them to be one video; what is left may be a mark that is not shown. */
const sameShare = 0.95;

/**
 * Returns whether two MP4 files have the same pictures, whatever else is in them: nearly all bytes of their samples are the same, one
 * sample after the other. Two pages that look alike do not: every sample that shows something of them differs.
 */
export function haveSamePictures(one: Uint8Array, other: Uint8Array): boolean {
  const [first, second] = [listSamples(one), listSamples(other)];
  const all = Math.max(measureSize(first), measureSize(second));
  const same = first.filter((sample, at) => Buffer.compare(sample, second[at] ?? new Uint8Array()) === 0);
  return all > 0 && measureSize(same) >= all * sameShare;
}

const measureSize = (samples: readonly Uint8Array[]): number => samples.reduce((sum, { length }) => sum + length, 0);

/** Returns the samples of the video; those of a fragmented MP4 are not separated, and its boxes of them stand for them. */
function listSamples(bytes: Uint8Array): Uint8Array[] {
  const { tracks, data } = readMp4(bytes);
  const video = tracks.find(({ kind, places }) => kind === "video" && places.length > 0);
  const places = video?.places ?? data;
  return places.map(({ offset, size }) => bytes.subarray(offset, offset + size));
}
