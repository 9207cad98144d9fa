/** Puts bytes together to blocks of whole lines. */
export interface LineBlocks {
  /** Takes bytes as they arrived; they may be reused by the caller afterwards. */
  feed(chunk: Uint8Array): void;
  /** Hands over what has no line end, as a line. */
  end(): void;
}

const lf = 0x0a;
const cr = 0x0d;
const byteOrderMark = [0xef, 0xbb, 0xbf];
const startBytes = 1024;
/** One huge line must not cost memory for ever. */
const keptBytes = 1024 * startBytes;

/**
 * Puts UTF-8 bytes together to text that ends where a line ends, in linear time whatever the chunks.
 *
 * Decoding many lines at once is what makes it fast. CRLF and CR arrive as LF; bytes that are not UTF-8 become U+FFFD; one
 * byte order mark at the very start is left out.
 *
 * Source: ours, on the event stream grammar of the HTML standard.
 *
 * @param onBlock - receives text whose every line ends in LF.
 * @param onOverflow - called once for a line that grew beyond the bound before it ended; the line is dropped.
 */
export function createLineBlocks(
  onBlock: (text: string) => void,
  onOverflow: () => void,
  maxLineBytes: number,
): LineBlocks {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = new Uint8Array(startBytes); // the beginning of a line whose end has not arrived, and room
  let heldBytes = 0;
  let dropping = false; // inside a line that overflowed
  let atStart = true;
  let afterCr = false;

  const handOver = (bytes: Uint8Array): void => {
    let text = decoder.decode(bytes);
    if (atStart && text.startsWith("\uFEFF")) text = text.slice(1);
    if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
    if (dropping) text = text.slice(text.indexOf("\n") + 1);
    atStart = dropping = false;
    onBlock(text);
  };
  /** Keeps bytes behind those that are held already. */
  const hold = (bytes: Uint8Array): void => {
    const before = heldBytes;
    heldBytes += bytes.length;
    if (heldBytes > held.length) {
      const larger = new Uint8Array(2 * heldBytes);
      larger.set(held);
      held = larger;
    }
    held.set(bytes, before);
  };
  /** How much of the held bytes is, or may become, a byte order mark: that is not part of the line. */
  const markBytes = (): number => {
    if (!atStart) return 0;
    let count = 0;
    while (count < heldBytes && held[count] === byteOrderMark[count]) count++;
    return count === 3 || count === heldBytes ? count : 0;
  };
  const feed = (chunk: Uint8Array): void => {
    const { length } = chunk;
    if (length === 0) return;
    if (afterCr && chunk[0] === lf) {
      afterCr = false;
      return feed(chunk.subarray(1));
    }
    afterCr = chunk[length - 1] === cr;
    // `indexOf` is many times as fast as `lastIndexOf`: most bytes of a long line are looked at by nothing else.
    let end = chunk.indexOf(lf) < 0 ? 0 : chunk.lastIndexOf(lf) + 1;
    if (end < length && chunk.indexOf(cr, end) >= 0) end = chunk.lastIndexOf(cr) + 1;
    if (heldBytes === 0 && end === length) return handOver(chunk);
    const before = heldBytes;
    hold(chunk);
    if (end > 0) {
      handOver(held.subarray(0, before + end));
      held.copyWithin(0, before + end, heldBytes);
      heldBytes = length - end;
      if (held.length > keptBytes) held = held.slice(0, heldBytes + startBytes);
    }
    if (dropping) heldBytes = 0;
    if (heldBytes - markBytes() > maxLineBytes) {
      dropping = true;
      heldBytes = 0;
      onOverflow();
    }
  };

  return {
    feed,
    end() {
      if (heldBytes > 0) feed(new Uint8Array([lf]));
    },
  };
}
