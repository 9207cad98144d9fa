import { createFile, Log, MP4BoxBuffer, type Movie as Described, type Sample } from "mp4box";

/** A piece of a file, in bytes. */
export interface ByteSpan {
  /** Offset of its first byte. */
  readonly offset: number;
  /** Its length. */
  readonly size: number;
}

/** A track of a movie. */
export interface Mp4Track {
  /** Media type of the track. */
  readonly kind: "video" | "audio" | "other";
  /** Number of samples: of a video, its frames. */
  readonly samples: number;
  /** Total size of the samples, in bytes. */
  readonly bytes: number;
  /** Number of samples that lie outside of the file; 0 for a fragmented MP4, where it is not checked. */
  readonly samplesOutside: number;
  /** Places of its samples in the file; empty for a fragmented MP4. */
  readonly places: readonly ByteSpan[];
  /** Duration in the track header, in milliseconds; undefined when it has none. */
  readonly headerMs: number | undefined;
  /** Sum of the sample durations, in milliseconds; undefined without samples. */
  readonly samplesMs: number | undefined;
}

/** Metadata from the boxes of an MP4 file. Source: ISO/IEC 14496-12. */
export interface Mp4 {
  /** Types of the boxes at the top, as far as they were read. */
  readonly boxes: readonly string[];
  /** Type of the first box at the top that the end of the file cuts off; undefined when none is. */
  readonly cutBox: string | undefined;
  /** Duration in the movie header, in milliseconds; undefined when it has none. */
  readonly durationMs: number | undefined;
  /** Its tracks; empty when its headers could not be read. */
  readonly tracks: readonly Mp4Track[];
  /** Parts of the file in which its samples may lie: the content of the boxes `mdat`, as far as it is in the file. */
  readonly data: readonly ByteSpan[];
}

/** A box at the top of a file. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of top-level boxes that are read: a hostile file could have millions. */
const boxLimit = 10_000;

/** Maximum size of headers that are parsed, in bytes: enough for hours of video. */
const headerLimit = 4 * 1024 * 1024;

/** Maximum number of samples that headers may declare in a run-length form: the parser allocates an object for each. */
const sampleLimit = 300_000;

/** Types of the boxes with metadata; the samples themselves are not parsed. */
const headerTypes: ReadonlySet<string> = new Set(["ftyp", "styp", "moov", "moof", "sidx"]);

/**
 * Reads the boxes of an MP4 file. A truncated file, or one that is not an MP4, gives what could be read. Never throws; time
 * and memory are bounded for any input.
 *
 * Source: ISO/IEC 14496-12.
 */
export function readMp4(bytes: Uint8Array): Mp4 {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const top = listBoxes(view);
  const boxes = top.map(({ type }) => type);
  const headers = top.filter(({ type, end }) => headerTypes.has(type) && end <= view.length);
  const size = headers.reduce((sum, { start, end }) => sum + end - start, 0);
  const cutBox = top.find(({ end }) => end > view.length)?.type;
  const inFile = listData(top, view.length);
  const data = inFile.map(({ start, end }) => ({ offset: start, size: end - start }));
  const nothing = { boxes, cutBox, data, durationMs: undefined, tracks: [] };
  if (!boxes.includes("moov") || size > headerLimit) return nothing;
  const parts = headers.map(({ start, end }) => view.subarray(start, end));
  if (parts.reduce((sum, part) => sum + countPromisedSamples(part), 0) > sampleLimit) return nothing;
  try {
    return { boxes, cutBox, data, ...describe(Buffer.concat(parts), inFile, boxes.includes("moof")) };
  } catch {
    return nothing;
  }
}

/** Pattern of the name of a box: four printable characters. */
const boxType = /^[\x20-\x7e\xa9]{4}$/;

function listBoxes(view: Buffer): Box[] {
  const boxes: Box[] = [];
  let start = 0;
  while (start + 8 <= view.length && boxes.length < boxLimit) {
    const small = view.readUInt32BE(start);
    const type = view.toString("latin1", start + 4, start + 8);
    const large = small === 1 && start + 16 <= view.length;
    const size = large ? Number(view.readBigUInt64BE(start + 8)) : small === 0 ? view.length - start : small;
    if (!boxType.test(type) || size < (large ? 16 : 8)) break;
    boxes.push({ type, start, end: start + size });
    start += size;
  }
  return boxes;
}

/** Returns the boxes in which samples may lie, limited to the length of the file. */
function listData(top: readonly Box[], length: number): Box[] {
  return top.flatMap(({ type, start, end }) => (type === "mdat" ? [{ type, start, end: Math.min(end, length) }] : []));
}

/** Counts the samples that headers declare by a number alone: all of one size, or run-length encoded. */
function countPromisedSamples(header: Buffer): number {
  let sum = 0;
  for (const [type, at] of [
    ["stsz", 12],
    ["stz2", 12],
    ["trun", 8],
    ["saiz", 9],
    ["sbgp", 12],
  ] as const) {
    for (let found = header.indexOf(type); found >= 0; found = header.indexOf(type, found + 4)) {
      if (found + at + 4 <= header.length) sum += header.readUInt32BE(found + at);
    }
  }
  return sum;
}

function describe(headers: Buffer, data: readonly Box[], inFragments: boolean): Pick<Mp4, "durationMs" | "tracks"> {
  Object.assign(Log, { error: () => {} }); // the parser would write what is wrong with a file to the console
  const file = createFile();
  let movie: Described | undefined;
  file.onReady = (info) => (movie = info);
  file.onError = () => {};
  const copy = new Uint8Array(headers).buffer;
  file.appendBuffer(MP4BoxBuffer.fromArrayBuffer(copy, 0), true);
  file.flush();
  const { mvhd, mvex } = file.moov ?? {};
  const units = [mvhd?.duration, mvex?.mehd?.fragment_duration].find((one) => !unknown.has(one ?? 0)) ?? 0;
  const durationMs = convertToMs(units, mvhd?.timescale ?? 0);
  if (!movie) return { durationMs, tracks: [] };
  const tracks = movie.tracks.map((track): Mp4Track => {
    const samples = file.getTrackSamplesInfo(track.id);
    return {
      kind: track.type === "video" || track.type === "audio" ? track.type : "other",
      samples: samples.length,
      bytes: samples.reduce((sum, { size }) => sum + size, 0),
      samplesOutside: inFragments ? 0 : samples.filter((sample) => !liesIn(data, sample)).length,
      places: inFragments ? [] : samples.map(({ offset, size }) => ({ offset, size })),
      headerMs: convertToMs(track.duration, track.timescale),
      samplesMs: convertToMs(
        samples.reduce((sum, sample) => sum + sample.duration, 0),
        track.timescale,
      ),
    };
  });
  return { durationMs, tracks };
}

function liesIn(data: readonly Box[], { offset, size }: Sample): boolean {
  return data.some(({ start, end }) => offset >= start && offset + size <= end);
}

/** Values of an unknown duration: zero, and all bits set. */
const unknown: ReadonlySet<number> = new Set([0, 0xffff_ffff, Number(0xffff_ffff_ffff_ffffn)]);

function convertToMs(units: number, timescale: number): number | undefined {
  return unknown.has(units) || timescale === 0 ? undefined : (units / timescale) * 1000;
}

/** Minimum average bytes of a sample that is not silence, which compresses to a few bytes. */
const soundBytes = 24;

/** Returns whether a track has sound: a silent one, as some encoders add for players that need it, has none. */
export const hasSound = ({ kind, samples, bytes }: Mp4Track): boolean =>
  kind === "audio" && bytes > samples * soundBytes;

/** Returns whether a file is a segment of fragmented MP4, or a whole MP4. Source: RFC 8216, section 3.3. */
export function isFragment(bytes: Uint8Array): boolean {
  const { boxes } = readMp4(bytes);
  return boxes.includes("moof") || (boxes.includes("moov") && boxes.includes("mdat"));
}
