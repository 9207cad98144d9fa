import { open } from "node:fs/promises";

/** Longest list of boxes that is walked through. */
const maxBoxes = 32;

/**
 * Reads the duration of an MP4 file from its header (`mvhd`), in milliseconds.
 *
 * See ISO/IEC 14496-12.
 *
 * @throws {Error} When the file is no MP4, or is incomplete: ffmpeg may not say that it could not write the end of it.
 */
export async function mp4DurationMs(path: string): Promise<number> {
  const file = await open(path);
  try {
    const { size: fileBytes } = await file.stat();
    const head = Buffer.alloc(64);
    let durationMs: number | undefined;
    let offset = 0;
    for (let count = 0; count < maxBoxes && offset < fileBytes; count += 1) {
      const { bytesRead } = await file.read(head, 0, head.length, offset);
      const bytes = bytesRead < 8 ? 0 : boxBytes(head);
      if (bytes < 8) break;
      const isMovie = head.toString("latin1", 4, 8) === "moov" && head.toString("latin1", 12, 16) === "mvhd";
      if (isMovie) durationMs = measureDuration(head.subarray(16));
      offset += bytes;
    }
    if (durationMs === undefined) throw new Error("the MP4 file is incomplete: it has no movie header (mvhd)");
    if (offset > fileBytes) throw new Error("the MP4 file is incomplete: its end is missing");
    return durationMs;
  } finally {
    await file.close();
  }
}

function boxBytes(head: Buffer): number {
  const short = head.readUInt32BE(0);
  return short === 1 ? Number(head.readBigUInt64BE(8)) : short;
}

/** Reads the duration in the body of an `mvhd`: version and flags, two dates, units per second, units. */
function measureDuration(body: Buffer): number {
  const isLong = body.readUInt8(0) === 1;
  const perSecond = body.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(body.readBigUInt64BE(24)) : body.readUInt32BE(16);
  return (units / perSecond) * 1_000;
}
