import { open } from "node:fs/promises";

const packetBytes = 188;
/** PID of the packets with service tables (EN 300 468). */
const servicePid = 0x11;
/** Packet id of null packets, which every receiver skips. */
const nullPid = 0x1fff;
/** Readers that detect the type of a file need some packets; a segment of a blank page has five. */
const minPackets = 32;

/**
 * Changes in an MPEG transport stream what ffmpeg has no option for. The service description table is replaced by null packets: HLS
 * players do not read it, and static builds of ffmpeg, which many tools use, crash on it. A short stream is padded with null packets.
 *
 * See ISO/IEC 13818-1.
 *
 * @throws {Error} When it is incomplete: ffmpeg does not report that it could not write the end.
 */
export async function patchTransportStream(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    const stream = await file.readFile();
    if (stream.length === 0 || stream.length % packetBytes !== 0)
      throw new Error("an HLS segment is incomplete: its end is missing");
    for (let at = 0; at + packetBytes <= stream.length; at += packetBytes) {
      const head = stream.readUInt16BE(at + 1);
      if ((head & 0x1fff) !== servicePid) continue;
      stream.writeUInt16BE((head & 0xe000) | nullPid, at + 1);
      await file.write(stream, at, packetBytes, at);
    }
    const missing = minPackets - stream.length / packetBytes;
    if (missing > 0) await file.write(Buffer.concat(Array<Buffer>(missing).fill(nullPacket)), 0, null, stream.length);
  } finally {
    await file.close();
  }
}

const nullPacket = Buffer.alloc(packetBytes, 0xff);
nullPacket.set([0x47, nullPid >> 8, nullPid & 0xff, 0x10]);
