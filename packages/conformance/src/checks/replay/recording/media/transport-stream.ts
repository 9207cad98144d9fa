/** Length of a packet in bytes, and its first byte. */
const packetLength = 188;
const packetStart = 0x47;

/** Content of a piece of an MPEG-2 transport stream. Source: ISO/IEC 13818-1. */
export interface TransportStream {
  /** True when a packet has begun and does not end. Bytes after the last packet that begin no other one are ignored, as by players. */
  readonly endsWithinPacket: boolean;
  /** True when some packet has content: packets without content have an identifier of their own. */
  readonly hasContent: boolean;
  /** The kinds of its elementary streams; undefined when it has no table of them. */
  readonly kinds: readonly ("video" | "audio" | "other")[] | undefined;
  /** Time stamp of the first picture, in milliseconds; undefined without pictures, or when the stream has none. */
  readonly firstPictureMs: number | undefined;
  /** Bytes of sound for each second of it; undefined without sound, or when the stream has no duration. */
  readonly soundBytesPerSecond: number | undefined;
}

const videoTypes: ReadonlySet<number> = new Set([0x01, 0x02, 0x10, 0x1b, 0x24, 0x33]);
const audioTypes: ReadonlySet<number> = new Set([0x03, 0x04, 0x0f, 0x11, 0x81, 0x87]);

/** Identifier of packets without content. */
const nothing = 0x1fff;

/** Maximum number of packets that are read: a segment of 32 MiB. */
const packetLimit = 180_000;

interface Packet {
  readonly pid: number;
  readonly starts: boolean;
  readonly payload: Buffer;
}

/** Maximum size of a second of silence, in bytes: silence compresses to a few bytes a frame. */
export const silentBytesPerSecond = 2_500;

/** Reads a piece of a transport stream. Never throws. Source: ISO/IEC 13818-1, section 2.4. */
export function readTransportStream(bytes: Uint8Array): TransportStream {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = findFirstPacket(view) ?? 0;
  const packets = listPackets(view.subarray(start));
  const tables = findTables(packets);
  const ofKind = (kind: string): Packet[] => packets.filter(({ pid }) => tables?.get(pid) === kind);
  const pictures = ofKind("video").flatMap((packet) => findTime(packet) ?? []);
  return {
    endsWithinPacket: packets.length < packetLimit && view[start + packets.length * packetLength] === packetStart,
    hasContent: packets.some(({ pid, payload }) => pid !== nothing && payload.length > 0),
    kinds: tables && [...tables.values()],
    firstPictureMs: pictures.length === 0 ? undefined : Math.min(...pictures.slice(0, 50)),
    soundBytesPerSecond: findSound(ofKind("audio")),
  };
}

/** Returns whether packets of an MPEG-2 transport stream follow each other. */
export const isTransportStream = (bytes: Uint8Array): boolean => findFirstPacket(bytes) !== undefined;

/** Finds the first packet: up to three of them have to follow each other. Undefined when none does. */
function findFirstPacket(bytes: Uint8Array): number | undefined {
  const packets = Math.min(3, Math.floor(bytes.length / packetLength));
  if (packets === 0) return undefined;
  const slack = Math.min(packetLength, bytes.length - (packets - 1) * packetLength);
  for (let start = 0; start < slack; start += 1) {
    const heads = Array.from({ length: packets }, (_, index) => bytes[start + index * packetLength]);
    if (heads.every((byte) => byte === packetStart)) return start;
  }
  return undefined;
}

function listPackets(view: Buffer): Packet[] {
  const packets: Packet[] = [];
  for (let at = 0; at + packetLength <= view.length && packets.length < packetLimit; at += packetLength) {
    const head = view.readUInt32BE(at);
    if (head >>> 24 !== packetStart) break;
    const adaptation = (head & 0x20) === 0 ? 0 : 1 + (view[at + 4] ?? 0);
    const payload =
      (head & 0x10) === 0 || adaptation > packetLength - 4
        ? Buffer.alloc(0)
        : view.subarray(at + 4 + adaptation, at + packetLength);
    packets.push({ pid: (head >>> 8) & 0x1fff, starts: (head & 0x400000) !== 0, payload });
  }
  return packets;
}

/** Returns the section that a packet begins, without its pointer; undefined when it begins none. */
function readSection({ starts, payload }: Packet): Buffer | undefined {
  const from = 1 + (payload[0] ?? 0);
  return starts && payload.length > from + 12 ? payload.subarray(from) : undefined;
}

/** Finds the kinds of the elementary streams, by their identifiers. */
function findTables(packets: readonly Packet[]): Map<number, "video" | "audio" | "other"> | undefined {
  const programs = packets.filter(({ pid }) => pid === 0).map(readSection);
  const mapPid = programs.flatMap((section) => (section ? [section.readUInt16BE(10) & 0x1fff] : []))[0];
  const map = packets.filter(({ pid }) => pid === mapPid).flatMap((packet) => readSection(packet) ?? [])[0];
  if (mapPid === undefined || !map) return undefined;
  const end = Math.min(map.length, 3 + (map.readUInt16BE(1) & 0xfff) - 4);
  const kinds = new Map<number, "video" | "audio" | "other">();
  let at = 12 + (map.readUInt16BE(10) & 0xfff);
  while (at + 5 <= end) {
    const type = map[at] ?? 0;
    kinds.set(
      map.readUInt16BE(at + 1) & 0x1fff,
      videoTypes.has(type) ? "video" : audioTypes.has(type) ? "audio" : "other",
    );
    at += 5 + (map.readUInt16BE(at + 3) & 0xfff);
  }
  return kinds;
}

/** Finds the time stamp in the header of an elementary stream's packet, in milliseconds; undefined if the packet has no such header. */
function findTime({ starts, payload }: Packet): number | undefined {
  if (!starts || payload.length < 14 || payload.readUIntBE(0, 3) !== 1 || ((payload[7] ?? 0) & 0x80) === 0)
    return undefined;
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = payload.subarray(9, 14);
  const high = ((first >> 1) & 0x07) * 2 ** 30;
  return (high + (second << 22) + ((third >> 1) << 15) + (fourth << 7) + (fifth >> 1)) / 90;
}

function findSound(packets: readonly Packet[]): number | undefined {
  const times = packets.flatMap((packet) => findTime(packet) ?? []);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || last <= first) return undefined;
  return packets.reduce((sum, { payload }) => sum + payload.length, 0) / ((last - first) / 1_000);
}
