import { open } from "node:fs/promises";

/** Longest list of boxes before `moov` that is walked through. */
const mostBoxes = 32;

/**
 * How long an MP4 file plays, in milliseconds, as its own header (`mvhd`) says.
 *
 * See ISO/IEC 14496-12.
 *
 * @throws {Error} When the file is no MP4.
 */
export async function mp4DurationMs(path: string): Promise<number> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(64);
    let offset = 0;
    for (let count = 0; count < mostBoxes; count += 1) {
      const { bytesRead } = await file.read(head, 0, head.length, offset);
      if (bytesRead < 16) break;
      const type = head.toString("latin1", 4, 8);
      if (type === "moov" && head.toString("latin1", 12, 16) === "mvhd") return durationOf(head.subarray(16));
      const short = head.readUInt32BE(0);
      const size = short === 1 ? Number(head.readBigUInt64BE(8)) : short;
      if (size < 8) break;
      offset += size;
    }
    throw new Error("The MP4 file has no movie header (mvhd).");
  } finally {
    await file.close();
  }
}

/** Of the body of an `mvhd`: version and flags, two dates, units per second, units. */
function durationOf(body: Buffer): number {
  const isLong = body.readUInt8(0) === 1;
  const perSecond = body.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  return (units / perSecond) * 1_000;
}
