/** White space as ECMA-262 defines it, and its complement. */
const space = String.raw`\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`;
const noSpace = String.raw`\x{0}-\x{8}\x{E}-\x{1F}!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`;
const all = String.raw`\x{0}-\x{10FFFF}`;

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/** An escape, or a character. */
const token = /\\(?:u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|[pP]\{[^}]*\}|[^])|[^]/gu;

/**
 * Converts a pattern of ECMA-262 with the flag `u` to the syntax of RE2. Groups become non-capturing.
 *
 * @param source - a pattern that is valid with that flag
 * @throws {Error} when it has a backreference, a lookaround or a modifier.
 */
export function re2From(source: string): string {
  const tokens: readonly string[] = source.match(token) ?? [];
  let at = 0;
  let written = "";
  /** Reads a character class after its opening bracket. */
  const readClass = (): string => {
    const not = tokens[at] === "^";
    if (not) at++;
    let set = "";
    while (tokens[at] !== "]") {
      const from = tokens[at] === "\\b" ? 8 : atomOf(tokens[at]);
      const isRange = typeof from === "number" && tokens[at + 1] === "-" && tokens[at + 2] !== "]";
      const to = isRange ? atomOf(tokens[at + 2]) : from;
      at += isRange ? 3 : 1;
      set += typeof from === "string" ? from : `${hex(from)}-${hex(Number(to))}`;
    }
    at++;
    return classOf(set, not);
  };
  /** Reads the start of a group after its parenthesis; returns that of a non-capturing group. */
  const readGroup = (): string => {
    if (tokens[at] === "?") {
      if (tokens[at + 1] === "<" && !/[=!]/.test(tokens[at + 2] ?? "")) at = tokens.indexOf(">", at) + 1;
      else if (tokens[at + 1] === ":") at += 2;
      else throw new Error("a lookaround or a modifier");
    }
    return "(?:";
  };
  while (at < tokens.length) {
    const each = tokens[at++] ?? "";
    if (each === "[") written += readClass();
    else if (each === ".") written += String.raw`[^\n\r\x{2028}\x{2029}]`;
    else if (each === "^") written += String.raw`\A`;
    else if (each === "$") written += String.raw`\z`;
    else if (each === "(") written += readGroup();
    else if (/^(?:[)|*+?{},\da-z]|\\[bB])$/i.test(each)) written += each;
    else {
      const atom = atomOf(each);
      written += typeof atom === "string" ? classOf(atom) : hex(atom);
    }
  }
  return written;
}

function classOf(set: string, not = false): string {
  if (!set) return not ? `[${all}]` : `[^${all}]`;
  return `[${not ? "^" : ""}${set}]`;
}

/** Returns the code point of a character; or, for a set of characters, its ranges in the syntax of a class. */
function atomOf(text = ""): number | string {
  const [, kind = "", digits = ""] = /^\\(.)\{?([^}]*)/u.exec(text) ?? [];
  if (!kind) return text.codePointAt(0) ?? 0;
  if (kind in controls) return controls[kind] ?? 0;
  if (/[dw]/i.test(kind)) return text;
  if (kind === "s") return space;
  if (kind === "S") return noSpace;
  if (kind === "c") return digits.charCodeAt(0) % 32;
  if (/[pP]/.test(kind)) return rangesOf(text);
  if (/[1-9k]/.test(kind)) throw new Error("a backreference");
  if (/[ux]/.test(kind) && !digits.includes("\\")) return parseInt(digits, 16);
  if (kind === "u")
    return 0x1_0000 + (parseInt(digits.slice(1, 4), 16) % 1024) * 1024 + (parseInt(digits.slice(7), 16) % 1024);
  return kind.codePointAt(0) ?? 0;
}

function hex(character: number): string {
  return `\\x{${character.toString(16)}}`;
}

/** Returns the ranges of the characters with a Unicode property, as the runtime knows them. */
function rangesOf(property: string): string {
  let ranges = "";
  const found = new RegExp(`${property}+`, "gu");
  // Surrogates, which the loop skips, all have the same properties.
  if (new RegExp(property, "u").test("\uD800")) ranges += String.raw`\x{d800}-\x{dfff}`;
  const step = 4096;
  for (let first = 0; first < 0x11_0000; first += step) {
    if (first >= 0xd800 - 0x800 && first < 0xe000) continue; // the block before the surrogates is added below
    ranges += rangesIn(first, step, found);
  }
  return ranges + rangesIn(0xd000, 0x800, found);
}

function rangesIn(first: number, count: number, found: RegExp): string {
  const text = String.fromCodePoint(...Array.from({ length: count }, (_, index) => first + index));
  const width = first < 0x1_0000 ? 1 : 2;
  return Array.from(text.matchAll(found), ({ 0: { length }, index }) => {
    const from = first + index / width;
    return `${hex(from)}-${hex(from + length / width - 1)}`;
  }).join("");
}
