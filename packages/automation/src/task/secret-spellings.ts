import { listUrlEncodings } from "./url-encodings.ts";

/** How others may write a secret. */
export interface SecretSpellings {
  /** Spellings that are searched as they stand, the secret itself among them. */
  readonly texts: readonly string[];
  /** Finds the secret where each character is written in a way of its own: escaped as in JSON, a URL or HTML. */
  readonly mixed: RegExp;
  /** Matches the end of a text that may be the beginning of the secret, written so. */
  readonly open: RegExp;
}

/** Length from which the base64 or hexadecimal form of a secret is no ordinary text. */
const minEncodedLength = 6;

/** Length up to which characters may be written each in a way of its own, in characters. */
const maxMixedLength = 512;

/** Returns the spellings of a secret: plain, escaped as in JSON, a URL, a form or HTML, in base64 wherever it stands, and in hexadecimal. */
export function listSpellings(secret: string): SecretSpellings {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const encoded = [...encodeBase64(bytes), hex, hex.toUpperCase()].filter((text) => text.length >= minEncodedLength);
  const texts = [secret, JSON.stringify(secret).slice(1, -1), ...listUrlEncodings(secret), ...encoded];
  const characters = listUnitPatterns(secret.slice(0, maxMixedLength));
  return {
    texts: [...new Set(texts)],
    mixed: new RegExp(secret.length > maxMixedLength ? "(?!)" : characters.join(""), "g"),
    open: new RegExp(`${characters.reduceRight((rest, each) => `(?:${each}${rest})?`, "")}${cutEscape}$`),
  };
}

/** Returns whether a text may hold a secret that only `mixed` finds. */
export function mayEscape(text: string): boolean {
  return /[\\%&]/.test(text);
}

const backslash = String.raw`(?:\\|%(?:25){0,2}5[cC])`;
const ampersand = String.raw`(?:&|${backslash}{1,8}u0026|%(?:25){0,2}26)`;

/** Pattern of an escape that the end of a text cuts, with the first units of a character that has several. */
const cutEscape = [
  String.raw`(?:${backslash}{1,8}u[\da-fA-F]{4}|(?:%(?:25){0,2}[\da-fA-F]{2}){1,3})?`,
  String.raw`(?:${backslash}{1,8}(?:u[\da-fA-F]{0,3})?|%[\da-fA-F]{0,5}|${ampersand}(?:amp;)?#?\w{0,8})?`,
].join("");

const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
const letters: Readonly<Record<string, string>> = { "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t" };

/**
 * Returns the patterns of the characters of a secret; backslashes in a row have one together. A text matches them in one way at
 * most, but for the number of backslashes: whoever writes the text can't make the search slow.
 */
function listUnitPatterns(secret: string): readonly string[] {
  const parts = secret.match(/\\+|[^\\]/gu) ?? [];
  return parts.map((part, at) =>
    part.startsWith("\\") ? writeBackslashes(part.length) : writeCharacter(part, parts[at - 1]?.startsWith("\\")),
  );
}

function writeBackslashes(count: number): string {
  const unit = `(?:${backslash}{1,8}u005[cC]|${ampersand}(?:amp;)?(?:#0{0,4}92|#[xX]0{0,4}5[cC]);)`;
  return `(?:${unit}{${count}}|${backslash}{${count},${8 * count + 8}})`;
}

function writeCharacter(character: string, isEscaped = false): string {
  const point = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16));
  const [name, letter] = [names[character], letters[character]];
  const entities = [`#0{0,4}${point}`, `#[xX]0{0,4}${matchEachCase(point.toString(16))}`, ...(name ? [name] : [])];
  const before = isEscaped || /\w/.test(character) ? "" : `${backslash}{0,8}`;
  const first = isEscaped ? `${backslash}?` : `${backslash}{1,8}`;
  const escapes = units.map(
    (unit, at) => `${at ? `${backslash}{1,8}` : first}u${matchEachCase(unit.padStart(4, "0"))}`,
  );
  const bytes = Array.from(Buffer.from(character), (byte) => byte.toString(16).padStart(2, "0"));
  const plain = [
    character.replace(/[$.*+?^()[\]{}|/]/, String.raw`\$&`),
    bytes.map((byte) => `%(?:25){0,2}${matchEachCase(byte)}`).join(""),
    `${ampersand}(?:amp;)?(?:${entities.join("|")});`,
    ...(character === " " ? [String.raw`\+`] : []),
  ];
  return `(?:${before}(?:${plain.join("|")})|${[escapes.join(""), ...(letter ? [first + letter] : [])].join("|")})`;
}

function matchEachCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** Returns the base64 characters that bytes alone decide, for each of their three alignments, in both alphabets. */
function encodeBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
