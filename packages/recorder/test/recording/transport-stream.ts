import { readFile } from "node:fs/promises";

const packetBytes = 188;
/** Packet id of the video in what ffmpeg writes. */
const videoPid = 0x100;
/** Units of a time stamp in a millisecond. */
const unitsPerMs = 90;

/** Reads the moments of the pictures in an MPEG transport stream, in milliseconds of its clock, in the order in which they are decoded. */
export async function readMoments(path: string): Promise<number[]> {
  const stream = await readFile(path);
  const moments: number[] = [];
  for (let at = 0; at < stream.length; at += packetBytes) {
    const packet = stream.subarray(at, at + packetBytes);
    const head = packet.readUInt16BE(1);
    if ((head & 0x1fff) !== videoPid || (head & 0x4000) === 0) continue;
    const hasAdaptation = (packet.readUInt8(3) & 0x20) !== 0;
    const pes = packet.subarray(hasAdaptation ? 5 + packet.readUInt8(4) : 4);
    if (pes.readUIntBE(0, 3) !== 1 || (pes.readUInt8(7) & 0x80) === 0) throw new Error("A picture has no time stamp.");
    moments.push(readTimeStamp(pes.subarray(9)) / unitsPerMs);
  }
  return moments;
}

/** 33 bits in three pieces, each followed by a marker bit. */
function readTimeStamp(bytes: Buffer): number {
  const high = (bytes.readUInt8(0) >> 1) & 0x7;
  return high * 2 ** 30 + (bytes.readUInt16BE(1) >> 1) * 2 ** 15 + (bytes.readUInt16BE(3) >> 1);
}
