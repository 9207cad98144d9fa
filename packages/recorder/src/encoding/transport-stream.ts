import { open } from "node:fs/promises";

const packetBytes = 188;
/** Where tables of services are sent (EN 300 468). */
const servicePid = 0x11;
/** Packet id of null packets, which every receiver skips. */
const nothingPid = 0x1fff;
/** Readers that guess what a file is need some packets for it; a segment of a blank page has five. */
const fewestPackets = 32;

/**
 * Mends in an MPEG transport stream what ffmpeg has no option for. The name of the service goes: no player of HLS looks for it,
 * and static builds of ffmpeg, that many tools use, crash over it. A short one is filled up with packets that say nothing.
 *
 * See ISO/IEC 13818-1.
 *
 * @throws {Error} When it is incomplete: ffmpeg does not say that it could not write the end of it.
 */
export async function mendTransportStream(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const stream = await file.readFile();
    if (stream.length === 0 || stream.length % packetBytes !== 0)
      throw new Error("An HLS segment is incomplete: its end is missing.");
    for (let at = 0; at + packetBytes <= stream.length; at += packetBytes) {
      const head = stream.readUInt16BE(at + 1);
      if ((head & 0x1fff) !== servicePid) continue;
      stream.writeUInt16BE((head & 0xe000) | nothingPid, at + 1);
      await file.write(stream, at, packetBytes, at);
    }
    const missing = fewestPackets - stream.length / packetBytes;
    if (missing > 0) await file.write(Buffer.concat(Array<Buffer>(missing).fill(nothing)), 0, null, stream.length);
  } finally {
    await file.close();
  }
}

const nothing = Buffer.alloc(packetBytes, 0xff);
nothing.set([0x47, nothingPid >> 8, nothingPid & 0xff, 0x10]);
