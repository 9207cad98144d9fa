/** Bytes as they are after escapes were decoded, with the place of each in the bytes of the stream. */
export interface DecodedView {
  /** The bytes. */
  readonly bytes: Uint8Array;
  /** The bytes, one character each. */
  readonly text: string;
  /** Returns the range of the stream that a range of the text was decoded from: with whole escapes. */
  readonly locateSource: (from: number, to: number) => [from: number, to: number];
  /** Returns the position in the text to which a byte of the stream was decoded. */
  readonly findPosition: (at: number) => number;
}

/** Decoded unit of bytes at a place; `undefined` when nothing is decoded there. */
interface Unit {
  /** Number of bytes that are decoded. */
  readonly length: number;
  /** Decoded bytes; empty when the end of the stream cuts the unit off. */
  readonly bytes: readonly number[];
}

/** Returns the bytes of a stream as they are. */
export function rawView(bytes: Uint8Array): DecodedView {
  return { bytes, text: latin1(bytes), locateSource: (from, to) => [from, to], findPosition: (at) => at };
}

/** Decodes the escapes of JSON strings; returns `undefined` when there are none. Quotes that end a string become line ends. */
export function withoutJsonEscapes(view: DecodedView): DecodedView | undefined {
  return decode(view, backslash, jsonEscapeAt, quote);
}

/** Decodes percent-encoding; returns `undefined` when there is none. */
export function withoutPercentEncoding(view: DecodedView): DecodedView | undefined {
  return decode(view, percent, (bytes, at) => {
    const byte = hexAt(bytes, at + 1, 2);
    if (byte !== undefined) return { length: 3, bytes: [byte] };
    return at + 2 < bytes.length ? undefined : { length: 3, bytes: [] };
  });
}

/** Decodes entities of HTML: those by number, and those of the characters of HTML itself; returns `undefined` when there are none. */
export function withoutEntities(view: DecodedView): DecodedView | undefined {
  return /&(?:#|amp;|lt;|gt;|quot;|apos;|[a-z]{0,4}$)/i.test(view.text)
    ? decode(view, ampersand, (_, at) => entityAt(view.text, at))
    : undefined;
}

const [quote, percent, ampersand, backslash] = [34, 37, 38, 92];

/** Decodes each byte to one character. (The `latin1` of `TextDecoder` is windows-1252; but in UTF-16 each byte is a character, too.) */
export function latin1(bytes: Uint8Array): string {
  return new TextDecoder("utf-16le").decode(new Uint16Array(bytes));
}

function decode(
  { bytes, locateSource, findPosition: findOuterPosition }: DecodedView,
  mark: number,
  unitAt: (bytes: Uint8Array, at: number) => Unit | undefined,
  toLineEnd = -1,
): DecodedView | undefined {
  if (!bytes.includes(mark)) return undefined;
  const out = new Uint8Array(bytes.length);
  // Runs of equal units, four numbers each: where it begins in the decoded and in the given text, and how long a unit is in both. They
  // follow each other without a gap.
  let runs = new Int32Array(256);
  let used = 0;
  const addRun = (to: number, from: number, decodedLength: number, givenLength: number): void => {
    if (used > 0 && runs[used - 2] === decodedLength && runs[used - 1] === givenLength) return;
    if (used === runs.length) {
      const more = new Int32Array(2 * used);
      more.set(runs);
      runs = more;
    }
    runs[used++] = to;
    runs[used++] = from;
    runs[used++] = decodedLength;
    runs[used++] = givenLength;
  };
  let length = 0;
  let changed = false;
  for (let at = 0; at < bytes.length;) {
    const unit = bytes[at] === mark ? unitAt(bytes, at) : undefined;
    if (unit) {
      changed = true;
      if (unit.bytes.length > 0) addRun(length, at, unit.bytes.length, unit.length);
      for (const byte of unit.bytes) out[length++] = byte;
      at += unit.length;
    } else {
      addRun(length, at, 1, 1);
      do {
        const byte = bytes[at++] ?? 0;
        out[length++] = byte === toLineEnd ? 10 : byte;
      } while (at < bytes.length && bytes[at] !== mark);
    }
  }
  if (!changed) return undefined;
  let hint = 0;
  const field = (index: number): number => runs[index] ?? 1;
  /** Returns the place of the last run that begins at or before a place, of the decoded (0) or of the given (1) text. Places mostly ascend. */
  const runAt = (side: 0 | 1, place: number): number => {
    const begins = (index: number): number => (4 * index < used ? field(4 * index + side) : Infinity);
    let [low, high] = begins(hint) <= place ? [hint, hint + 1] : [0, hint];
    for (let step = 1; begins(high) <= place; step *= 2) [low, high] = [high, high + step];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (begins(middle) <= place) low = middle;
      else high = middle;
    }
    return 4 * (hint = low);
  };
  const findConsumed = (place: number): [number, number] => {
    const run = runAt(0, place);
    const start = field(run + 1) + Math.floor((place - field(run)) / field(run + 2)) * field(run + 3);
    return [start, start + field(run + 3)];
  };
  return {
    bytes: out.subarray(0, length),
    text: latin1(out.subarray(0, length)),
    locateSource: (from, to) =>
      locateSource(findConsumed(from)[0], to >= length ? bytes.length : findConsumed(to - 1)[1]),
    findPosition(at) {
      const place = findOuterPosition(at);
      const run = runAt(1, place);
      return Math.min(length - 1, field(run) + Math.floor((place - field(run + 1)) / field(run + 3)) * field(run + 2));
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

/** An escape of JSON that the end of the text cuts, also in the second half of a surrogate pair. */
const cutEscape = /^\\(?:u(?:[\da-f]{0,3}|d[89ab][\da-f]{2}(?:\\(?:u[\da-f]{0,3})?)?))?$/i;

function jsonEscapeAt(bytes: Uint8Array, at: number): Unit | undefined {
  const code = bytes[at + 1];
  if (code !== undefined && code !== 117) return letters[code];
  const left = bytes.length - at;
  if (left < 12 && cutEscape.test(latin1(bytes.subarray(at)))) return { length: left, bytes: [] };
  const unit = hexAt(bytes, at + 2, 4);
  if (unit === undefined) return undefined;
  const isPair = unit >> 10 === 0x36 && bytes[at + 6] === backslash && bytes[at + 7] === 117;
  const other = isPair ? hexAt(bytes, at + 8, 4) : undefined;
  const units = other !== undefined && other >> 10 === 0x37 ? [unit, other] : [unit];
  return {
    length: 6 * units.length,
    bytes: unit < 128 ? [unit] : [...new TextEncoder().encode(String.fromCharCode(...units))],
  };
}

const named: Readonly<Record<string, number>> = { amp: 38, lt: 60, gt: 62, quot: 34, apos: 39 };

const entity = /&(?:#(x?)([\da-f]{1,8})|(amp|lt|gt|quot|apos));/iy;
const cutEntity = /&(?:#x?[\da-f]{0,8}|[a-z]{0,4})$/iy;

function entityAt(text: string, at: number): Unit | undefined {
  entity.lastIndex = cutEntity.lastIndex = at;
  const [all, x, digits = "", name] = entity.exec(text) ?? [];
  if (!all) {
    const [rest] = text.length - at < 12 ? (cutEntity.exec(text) ?? []) : [];
    return rest ? { length: rest.length, bytes: [] } : undefined;
  }
  const point = name ? named[name.toLowerCase()] : parseInt(digits, x ? 16 : 10);
  if (point === undefined || !(point <= 0x10ffff)) return undefined;
  return {
    length: all.length,
    bytes: point < 128 ? [point] : [...new TextEncoder().encode(String.fromCodePoint(point))],
  };
}

/** Reads a number in hexadecimal digits; `undefined` when there are too few. */
function hexAt(bytes: Uint8Array, at: number, digits: number): number | undefined {
  let read = 0;
  for (let place = at; place < at + digits; place++) {
    const code = bytes[place] ?? 0;
    const lower = code | 32;
    if (code >= 48 && code <= 57) read = read * 16 + code - 48;
    else if (lower >= 97 && lower <= 102) read = read * 16 + lower - 87;
    else return undefined;
  }
  return read;
}
