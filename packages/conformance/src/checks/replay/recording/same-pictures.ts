import { readMp4 } from "./media/mp4.ts";

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
