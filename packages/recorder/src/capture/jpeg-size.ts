/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the size of the picture in a JPEG file; undefined when it has none.
 *
 * Source: ITU-T T.81, annex B: each segment is a marker and its length, and those of a frame begin with precision, height and width.
 */
export function jpegSize(jpeg: Uint8Array): Size | undefined {
  const view = new DataView(jpeg.buffer, jpeg.byteOffset, jpeg.byteLength);
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    if (isFrame(view.getUint8(at + 1))) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
  }
  return undefined;
}

/** Returns whether a marker is SOF0 to SOF15. DHT, JPG and DAC lie between these. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
