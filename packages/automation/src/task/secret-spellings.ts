import { listUrlEncodings } from "./url-encodings.ts";

/** Spellings of a secret, as pages and programs may write it. */
export interface SecretSpellings {
  /** Spellings that are searched literally, among them the secret itself. */
  readonly texts: readonly string[];
  /** Matches the secret with each character escaped differently: as in JSON, a URL or HTML. */
  readonly mixed: RegExp;
  /** Matches an end of a text that may be the beginning of such a spelling. */
  readonly open: RegExp;
}

/** Least length of a base64 or hexadecimal form to redact: a shorter one may be ordinary text. */
const minEncodedLength = 6;

/** Longest secret that `mixed` matches, in characters. */
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

/** Returns whether a text may contain a secret that only `mixed` matches. */
export function mayEscape(text: string): boolean {
  return /[\\%&]/.test(text);
}

const backslash = String.raw`(?:\\|%(?:25){0,2}5[cC])`;
const ampersand = String.raw`(?:&|${backslash}{1,8}u0026|%(?:25){0,2}26)`;

/** Pattern of an incomplete escape at the end of a text, with the first units of a character of several. */
const cutEscape = [
  String.raw`(?:${backslash}{1,8}u[\da-fA-F]{4}|(?:%(?:25){0,2}[\da-fA-F]{2}){1,3})?`,
  String.raw`(?:${backslash}{1,8}(?:u[\da-fA-F]{0,3})?|%[\da-fA-F]{0,5}|${ampersand}(?:amp;)?#?\w{0,8})?`,
].join("");

const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
const letters: Readonly<Record<string, string>> = { "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t" };

/**
 * Returns a pattern for each character of a secret, one for several backslashes in a row. Apart from the number of backslashes a text
 * matches in one way only, so that no text makes the search slow.
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

/** Returns the base64 characters that depend on the bytes alone, for each of the three alignments, in both alphabets. */
function encodeBase64(bytes: Buffer): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const own = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [own, own.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
