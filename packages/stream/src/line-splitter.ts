import { StreamError } from "./stream-error.ts";

/** Cuts bytes into lines. */
export interface LineSplitter {
  /** Takes bytes as they arrived; they may be reused by the caller afterwards. */
  feed(chunk: Uint8Array): void;
  /** Hands over the last line when it has no line end. */
  end(): void;
}

const lf = 0x0a;
const cr = 0x0d;
const startBytes = 1024;

/**
 * Cuts UTF-8 bytes into lines at LF, CRLF or CR, in linear time whatever the chunks.
 *
 * Bytes that are not UTF-8 become U+FFFD. One byte order mark at the very start is left out.
 *
 * Source: ours, on the event stream grammar of the HTML standard.
 *
 * @param onLine - receives each line without its end, and the number of its bytes.
 * @param maxLineBytes - a line of more bytes is refused, also while it has no end.
 * @throws {StreamError} `event-too-large` from `feed`.
 */
export function createLineSplitter(onLine: (text: string, bytes: number) => void, maxLineBytes: number): LineSplitter {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = new Uint8Array(startBytes); // the beginning of a line whose end has not arrived
  let heldBytes = 0;
  let atStart = true;
  let afterCr = false;

  const hold = (bytes: Uint8Array): void => {
    const needed = heldBytes + bytes.length;
    if (needed > held.length) {
      const larger = new Uint8Array(Math.max(needed, held.length * 2));
      larger.set(held.subarray(0, heldBytes));
      held = larger;
    }
    held.set(bytes, heldBytes);
    heldBytes = needed;
  };
  const check = (bytes: number): void => {
    if (bytes > maxLineBytes) throw new StreamError("event-too-large", `a line has more than ${maxLineBytes} bytes`);
  };
  const handOver = (line: Uint8Array): void => {
    let text = decoder.decode(line);
    if (atStart && text.startsWith("\uFEFF")) text = text.slice(1);
    atStart = false;
    onLine(text, line.length);
  };
  const finish = (rest: Uint8Array): void => {
    check(heldBytes + rest.length);
    if (heldBytes === 0) return handOver(rest);
    hold(rest);
    const line = held.subarray(0, heldBytes);
    heldBytes = 0;
    handOver(line);
    if (held.length > 64 * startBytes) held = new Uint8Array(startBytes); // one huge line must not cost memory for ever
  };

  return {
    feed(chunk) {
      if (chunk.length === 0) return;
      let from = afterCr && chunk[0] === lf ? 1 : 0;
      afterCr = false;
      let nextLf = chunk.indexOf(lf, from);
      let nextCr = chunk.indexOf(cr, from);
      while (nextLf !== -1 || nextCr !== -1) {
        const endsInCr = nextCr !== -1 && (nextLf === -1 || nextCr < nextLf);
        const end = endsInCr ? nextCr : nextLf;
        finish(chunk.subarray(from, end));
        from = end + 1;
        if (endsInCr && from === chunk.length) afterCr = true;
        else if (endsInCr && chunk[from] === lf) from++;
        if (nextLf !== -1 && nextLf < from) nextLf = chunk.indexOf(lf, from);
        if (nextCr !== -1 && nextCr < from) nextCr = chunk.indexOf(cr, from);
      }
      check(heldBytes + chunk.length - from);
      hold(chunk.subarray(from));
    },
    end() {
      if (heldBytes > 0) finish(new Uint8Array(0));
    },
  };
}
