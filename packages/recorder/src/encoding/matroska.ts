/** A picture of a video: shown from a moment on, for a while. */
export interface VideoPicture {
  /** Start time, in whole milliseconds from the start of the video. */
  readonly atMs: number;
  /** Duration, in whole milliseconds. */
  readonly durationMs: number;
  /** The picture, as a JPEG file. */
  readonly jpeg: Uint8Array;
}

/** Ids of the elements used (RFC 8794 and RFC 9559), with their marker bits. */
const element = {
  ebml: 0x1a45dfa3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackUid: 0x73c5,
  trackType: 0x83,
  codecId: 0x86,
  defaultDuration: 0x23e383,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  blockGroup: 0xa0,
  block: 0xa1,
  blockDuration: 0x9b,
} as const;

const nanosecondsPerMillisecond = 1_000_000;

/**
 * Pictures as a Matroska stream of JPEGs that keeps each moment to the millisecond, however far apart they are:
 * what ffmpeg reads from a pipe without inventing a frame rate.
 *
 * See RFC 9559.
 */
export function* matroska(pictures: Iterable<VideoPicture>): Generator<Uint8Array> {
  yield* master(element.ebml, [
    ...text(element.docType, "matroska"),
    ...number(element.docTypeVersion, 4),
    ...number(element.docTypeReadVersion, 2),
  ]);
  yield header(element.segment, "unknown");
  yield* master(element.info, number(element.timestampScale, nanosecondsPerMillisecond));
  yield* master(
    element.tracks,
    master(element.trackEntry, [
      ...number(element.trackNumber, 1),
      ...number(element.trackUid, 1),
      ...number(element.trackType, 1),
      ...text(element.codecId, "V_MJPEG"),
      // Not true of any picture: it makes ffmpeg count in milliseconds.
      ...number(element.defaultDuration, nanosecondsPerMillisecond),
      // No size: ffmpeg would take a first picture that is lower for one half of an interlaced one.
    ]),
  );
  for (const { atMs, durationMs, jpeg } of pictures) {
    // Track 1, no time beside that of its cluster, no flags.
    const block = master(element.block, [Buffer.from([0x81, 0, 0, 0]), jpeg]);
    yield* master(element.cluster, [
      ...number(element.timestamp, atMs),
      ...master(element.blockGroup, [...block, ...number(element.blockDuration, durationMs)]),
    ]);
  }
}

/** An element that holds others, in pieces: pictures are large, and are not copied. */
function master(id: number, content: readonly Uint8Array[]): Uint8Array[] {
  const length = content.reduce((sum, piece) => sum + piece.length, 0);
  return [header(id, length), ...content];
}

function text(id: number, value: string): Uint8Array[] {
  return master(id, [Buffer.from(value, "ascii")]);
}

function number(id: number, value: number): Uint8Array[] {
  return master(id, [encodeElement(value)]);
}

/** An id, and a length in eight bytes. */
function header(id: number, length: number | "unknown"): Buffer {
  const size = Buffer.alloc(8, 0xff);
  if (length !== "unknown") size.writeBigUInt64BE(BigInt(length));
  size[0] = 0x01;
  return Buffer.concat([encodeElement(id), size]);
}

/** A whole number, big-endian, in as few bytes as hold it. */
function encodeElement(value: number): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
}
