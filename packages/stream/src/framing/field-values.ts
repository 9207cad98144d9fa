import { cutText } from "../events/cut-text.ts";

/** A place in a text. */
export interface Place {
  /** Offset of the next character to read. */
  at: number;
  /** Offset of the first backslash that is not read yet, if it is after `at`; the length of the text when there is none. */
  backslash: number;
}

/** Letters that stand for others behind a backslash. */
const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** Reads the valid JSON string at a place, which is then behind it. */
export function readString(text: string, place: Place): string {
  const from = place.at + 1;
  let to = text.indexOf('"', from);
  if (place.backslash < from) place.backslash = findOffset(text, "\\", from);
  if (place.backslash > to) {
    place.at = to + 1;
    return cutText(text, from, to);
  }
  let value = "";
  let at = from;
  let escaped = 0;
  while (place.backslash < to) {
    const { backslash } = place;
    const letter = text.charAt(backslash + 1);
    const next = backslash + (letter === "u" ? 6 : 2);
    if (to < next) to = text.indexOf('"', next);
    place.backslash = findOffset(text, "\\", next);
    if (++escaped > 2) continue; // JSON.parse takes less time
    const sign = letter === "u" ? String.fromCharCode(Number.parseInt(text.slice(backslash + 2, next), 16)) : letter;
    value += cutText(text, at, backslash) + (escapes[sign] ?? sign);
    at = next;
  }
  place.at = to + 1;
  return escaped > 2 ? String(JSON.parse(text.slice(from - 1, to + 1))) : value + cutText(text, at, to);
}

/** Reads the valid JSON number, true, false or null at a place, which is then behind it. */
export function readScalar(text: string, place: Place): number | boolean | null {
  const from = place.at;
  const first = text.charCodeAt(from);
  if (first > 101) {
    place.at += first === 102 ? 5 : 4; // f; t or n
    return first === 110 ? null : first === 116;
  }
  let value = 0;
  let at = from;
  let isShort = true;
  for (let code = first; code === 43 || (code > 44 && code < 102); code = text.charCodeAt(++at)) {
    value = value * 10 + code - 48;
    if (code < 48 || code > 57) isShort = false;
  }
  place.at = at;
  return isShort && at - from < 16 ? value : Number(text.slice(from, at));
}

/** Returns the offset of a character, or the length of the text. */
export function findOffset(text: string, character: string, from: number): number {
  const at = text.indexOf(character, from);
  return at < 0 ? text.length : at;
}
