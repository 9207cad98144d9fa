/** One box of an ISO base media file. */
interface Box {
  readonly type: string;
  /** Where its content begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** What the boxes of a file say of it. Source: ISO/IEC 14496-12. */
export interface Movie {
  /** Types of the boxes at the top, as far as they were read. */
  readonly boxes: readonly string[];
  /** How long it lasts, in milliseconds; undefined when its header does not say. */
  readonly durationMs: number | undefined;
}

/** Most boxes that are looked at, on one level: a hostile file could have millions. */
const boxLimit = 10_000;

/** Reads the boxes of a file. What is cut off, or is no such file, gives what there is; it never throws. Source: ISO/IEC 14496-12. */
export function readMovie(bytes: Uint8Array): Movie {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const top = boxesOf(view, 0, view.length);
  const moov = top.find(({ type }) => type === "moov");
  return { boxes: top.map(({ type }) => type), durationMs: moov && durationOf(view, moov) };
}

/** The name of a box is four printable characters. */
const boxType = /^[\x20-\x7e\xa9]{4}$/;

function boxesOf(view: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  let at = from;
  while (at + 8 <= to && boxes.length < boxLimit) {
    const small = view.readUInt32BE(at);
    const type = view.toString("latin1", at + 4, at + 8);
    const large = small === 1 && at + 16 <= to;
    const size = large ? Number(view.readBigUInt64BE(at + 8)) : small === 0 ? to - at : small;
    if (!boxType.test(type) || size < (large ? 16 : 8)) break;
    boxes.push({ type, start: at + (large ? 16 : 8), end: Math.min(at + size, to) });
    at += size;
  }
  return boxes;
}

/** Of the movie header; a fragmented movie has it in a box of its own. */
function durationOf(view: Buffer, moov: Box): number | undefined {
  const inMoov = boxesOf(view, moov.start, moov.end);
  const mvhd = inMoov.find(({ type }) => type === "mvhd");
  if (!mvhd || mvhd.end - mvhd.start < 20) return undefined;
  const wide = view[mvhd.start] === 1;
  if (wide && mvhd.end - mvhd.start < 32) return undefined;
  const timescale = view.readUInt32BE(mvhd.start + (wide ? 20 : 12));
  const duration = time(view, mvhd.start + (wide ? 24 : 16), wide) || fragmentDuration(view, inMoov);
  return timescale === 0 || duration === undefined ? undefined : (duration / timescale) * 1000;
}

function fragmentDuration(view: Buffer, inMoov: readonly Box[]): number | undefined {
  const mvex = inMoov.find(({ type }) => type === "mvex");
  const mehd = mvex && boxesOf(view, mvex.start, mvex.end).find(({ type }) => type === "mehd");
  if (!mehd || mehd.end - mehd.start < 8) return undefined;
  const wide = view[mehd.start] === 1;
  if (wide && mehd.end - mehd.start < 12) return undefined;
  return time(view, mehd.start + 4, wide) || undefined;
}

/** All bits set stand for a duration that is not known. */
function time(view: Buffer, at: number, wide: boolean): number | undefined {
  if (wide) {
    const value = view.readBigUInt64BE(at);
    return value === 0xffff_ffff_ffff_ffffn ? undefined : Number(value);
  }
  const value = view.readUInt32BE(at);
  return value === 0xffff_ffff ? undefined : value;
}

/** Length of a packet of a transport stream, in bytes. */
const packetLength = 188;

/** Whether packets of an MPEG-2 transport stream follow each other. Source: ISO/IEC 13818-1. */
export function isTransportStream(bytes: Uint8Array): boolean {
  const packets = Math.min(3, Math.floor(bytes.length / packetLength));
  if (packets === 0) return false;
  const syncAt = (start: number): boolean =>
    Array.from({ length: packets }, (_, index) => bytes[start + index * packetLength]).every((byte) => byte === 0x47);
  const slack = Math.min(packetLength, bytes.length - (packets - 1) * packetLength);
  return Array.from({ length: slack }, (_, start) => start).some(syncAt);
}

/** Whether a file is a segment of fragmented MP4, or a whole MP4. Source: RFC 8216, section 3.3. */
export function isFragment(bytes: Uint8Array): boolean {
  const { boxes } = readMovie(bytes);
  return boxes.includes("moof") || (boxes.includes("moov") && boxes.includes("mdat"));
}
