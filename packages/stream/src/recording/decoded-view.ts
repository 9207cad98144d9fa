/** Bytes as they are after escapes were decoded, with the place of each in the bytes of the stream. */
export interface DecodedView {
  /** The bytes. */
  readonly bytes: Uint8Array;
  /** The bytes, one character each. */
  readonly text: string;
  /** Returns the range of the stream that a range of the text was decoded from: with whole escapes. */
  readonly sourceOf: (from: number, to: number) => [from: number, to: number];
  /** Returns the place in the text of what a byte of the stream was decoded to. */
  readonly placeOf: (at: number) => number;
}

/** What the bytes at a place were decoded from and to; `undefined` when nothing is decoded there. */
interface Unit {
  /** Number of bytes that are decoded. */
  readonly length: number;
  /** What they mean; empty when the end of the stream cuts them off. */
  readonly bytes: readonly number[];
}

/** Returns the bytes of a stream as they are. */
export function rawView(bytes: Uint8Array): DecodedView {
  return { bytes, text: latin1(bytes), sourceOf: (from, to) => [from, to], placeOf: (at) => at };
}

/** Decodes the escapes of JSON strings; returns `undefined` when there are none. Quotes that end a string become line ends. */
export function withoutJsonEscapes(view: DecodedView): DecodedView | undefined {
  return decoded(view, "\\", jsonEscapeAt, 34);
}

/** Decodes percent-encoding; returns `undefined` when there is none. */
export function withoutPercentEncoding(view: DecodedView): DecodedView | undefined {
  return decoded(view, "%", (text, at) => {
    const byte = hexAt(text, at + 1, 2);
    if (byte !== undefined) return { length: 3, bytes: [byte] };
    return at + 2 < text.length ? undefined : { length: 3, bytes: [] };
  });
}

/** Decodes each byte to one character. (The `latin1` of `TextDecoder` is windows-1252; but in UTF-16 each byte is a character, too.) */
export function latin1(bytes: Uint8Array): string {
  return new TextDecoder("utf-16le").decode(new Uint16Array(bytes));
}

function decoded(
  { bytes, text, sourceOf, placeOf }: DecodedView,
  mark: string,
  unitAt: (text: string, at: number) => Unit | undefined,
  quote = -1,
): DecodedView | undefined {
  const out = new Uint8Array(text.length);
  // Runs of equal units: where each begins in the decoded and in the given text, and how long a unit is in both.
  const runs: { readonly to: number; readonly from: number; readonly decoded: number; readonly given: number }[] = [];
  const addRun = (to: number, from: number, decodedLength: number, given: number): void => {
    const last = runs.at(-1);
    const units = last ? (to - last.to) / last.decoded : 0;
    const continues = last?.decoded === decodedLength && last.given === given && last.from + units * given === from;
    if (!continues) runs.push({ to, from, decoded: decodedLength, given });
  };
  let length = 0;
  let changed = false;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf(mark, at);
    const end = next < 0 ? text.length : next;
    if (end > at) addRun(length, at, 1, 1);
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0;
      out[length++] = byte === quote ? 10 : byte;
    }
    if (at >= text.length) break;
    const unit = unitAt(text, at);
    if (unit) {
      changed = true;
      if (unit.bytes.length > 0) addRun(length, at, unit.bytes.length, unit.length);
      for (const byte of unit.bytes) out[length++] = byte;
      at += unit.length;
    } else {
      addRun(length, at, 1, 1);
      out[length++] = bytes[at++] ?? 0;
    }
  }
  if (!changed) return undefined;
  let hint = 0;
  /** Returns the last run that begins at or before a place, of the decoded or of the given text. Places mostly ascend. */
  const runAt = (side: "to" | "from", place: number): (typeof runs)[number] => {
    const begins = (index: number): number => runs[index]?.[side] ?? Infinity;
    let [low, high] = begins(hint) <= place ? [hint, hint + 1] : [0, hint];
    for (let step = 1; begins(high) <= place; step *= 2) [low, high] = [high, high + step];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (begins(middle) <= place) low = middle;
      else high = middle;
    }
    return runs[(hint = low)] ?? { to: 0, from: 0, decoded: 1, given: 1 };
  };
  const givenOf = (place: number): [number, number] => {
    const { to, from, decoded: size, given } = runAt("to", place);
    const start = from + Math.floor((place - to) / size) * given;
    return [start, start + given];
  };
  return {
    bytes: out.subarray(0, length),
    text: latin1(out.subarray(0, length)),
    sourceOf: (from, to) => sourceOf(givenOf(from)[0], to >= length ? text.length : givenOf(to - 1)[1]),
    placeOf(at) {
      const place = placeOf(at);
      const { to, from, decoded: size, given } = runAt("from", place);
      return Math.min(length - 1, to + Math.floor((place - from) / given) * size);
    },
  };
}

/** The escapes of one letter, by the code of the letter: made once, as a stream may have millions. */
const letters: Readonly<Record<number, Unit | undefined>> = {
  34: { length: 2, bytes: [34] },
  92: { length: 2, bytes: [92] },
  47: { length: 2, bytes: [47] },
  98: { length: 2, bytes: [8] },
  102: { length: 2, bytes: [12] },
  110: { length: 2, bytes: [10] },
  114: { length: 2, bytes: [13] },
  116: { length: 2, bytes: [9] },
};

function jsonEscapeAt(text: string, at: number): Unit | undefined {
  const code = text.charCodeAt(at + 1);
  const letter = letters[code];
  if (letter) return letter;
  if (at + 1 < text.length && code !== 117) return undefined;
  const unit = hexAt(text, at + 2, 4);
  if (unit === undefined) {
    const rest = text.slice(at, at + 6);
    return rest.length < 6 && /^\\(?:u[\da-f]*)?$/i.test(rest) ? { length: rest.length, bytes: [] } : undefined;
  }
  const other = unit >> 10 === 0x36 && text.startsWith("\\u", at + 6) ? hexAt(text, at + 8, 4) : undefined;
  const units = other !== undefined && other >> 10 === 0x37 ? [unit, other] : [unit];
  return {
    length: 6 * units.length,
    bytes: unit < 128 ? [unit] : [...new TextEncoder().encode(String.fromCharCode(...units))],
  };
}

/** Reads a number in hexadecimal digits; `undefined` when there are too few. */
function hexAt(text: string, at: number, digits: number): number | undefined {
  let read = 0;
  for (let place = at; place < at + digits; place++) {
    const code = text.charCodeAt(place); // NaN beyond the end
    const lower = code | 32;
    if (code >= 48 && code <= 57) read = read * 16 + code - 48;
    else if (lower >= 97 && lower <= 102) read = read * 16 + lower - 87;
    else return undefined;
  }
  return read;
}
