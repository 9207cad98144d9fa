import { crc32, deflateSync } from "node:zlib";

/**
 * A PNG as a photograph compresses: soft colours with noise on them, of some tens of kilobytes. The same seed gives the same picture.
 */
export function renderPicture(seed: number, width: number, height: number): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  let noise = seed + 1;
  for (let y = 0, at = 0; y < height; y += 1) {
    rows[at++] = 0;
    for (let x = 0; x < width; x += 1) {
      noise = (Math.imul(noise, 1_103_515_245) + 12_345) >>> 0;
      const grain = (noise >>> 24) & 0x07;
      rows[at++] = ((x * 200) / width + seed * 37 + grain) & 0xff;
      rows[at++] = (120 + 100 * Math.sin((y + seed * 11) / 40) + grain) & 0xff;
      rows[at++] = ((y * 200) / height + seed * 71 + grain) & 0xff;
    }
  }
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // Eight bits per channel, RGB.
  size.set([8, 2], 8);
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([signature, part("IHDR", size), part("IDAT", deflateSync(rows)), part("IEND", Buffer.alloc(0))]);
}

function part(name: string, body: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from(name, "ascii"), body]);
  const whole = Buffer.alloc(chunk.length + 8);
  whole.writeUInt32BE(body.length, 0);
  chunk.copy(whole, 4);
  whole.writeUInt32BE(crc32(chunk), chunk.length + 4);
  return whole;
}
