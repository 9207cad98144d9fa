import { readMp4 } from "./mp4.ts";
import { packetLength } from "./transport-stream.ts";

/** Tells whether packets of an MPEG-2 transport stream follow each other. Source: ISO/IEC 13818-1. */
export function isTransportStream(bytes: Uint8Array): boolean {
  const packets = Math.min(3, Math.floor(bytes.length / packetLength));
  if (packets === 0) return false;
  const syncAt = (start: number): boolean =>
    Array.from({ length: packets }, (_, index) => bytes[start + index * packetLength]).every((byte) => byte === 0x47);
  const slack = Math.min(packetLength, bytes.length - (packets - 1) * packetLength);
  return Array.from({ length: slack }, (_, start) => start).some(syncAt);
}

/** Tells whether a file is a segment of fragmented MP4, or a whole MP4. Source: RFC 8216, section 3.3. */
export function isFragment(bytes: Uint8Array): boolean {
  const { boxes } = readMp4(bytes);
  return boxes.includes("moof") || (boxes.includes("moov") && boxes.includes("mdat"));
}
