import openapi from "@cloud-browser/spec/openapi.json" with { type: "json" };
import { suiteName } from "../contract/suite-version.ts";
import { loadRequirements } from "../contract/requirements.ts";

/** Minimum length of a secret that is redacted by value. A shorter one would match ordinary words, and is redacted by its place. */
export const minSecretLength = 6;

/** Minimum length of the beginning of a secret that is redacted where a text was cut. */
const minRemnantLength = 6;

/** Length from which a value without digits is not an ordinary word, so that it is also redacted within words. */
const noWord = 16;

/** Maximum length of a secret whose characters may each be escaped in another way; a longer one must be escaped in the same way throughout. */
const longestMixed = 512;

/** Search patterns of one secret, for the flags `giu`, and the spellings whose beginning may stand where a text was cut off. */
export interface SecretForms {
  /** Alternatives, each of which is redacted as a whole. */
  readonly patterns: readonly string[];
  /** Returns the same for a text in which characters are escaped, each in a way of its own: see `mayEscape`. Long to make and to compile. */
  readonly mixed: () => readonly string[];
  /** Returns the pattern of the end of a text that is the beginning of the secret, with each character escaped in a way of its own. Long to make, too. */
  readonly open: () => string;
  /** Spellings. */
  readonly spellings: readonly string[];
}

const nothing: SecretForms = { patterns: [], mixed: () => [], open: () => "(?!)", spellings: [] };

/** A character that is escaped as in JSON, an address or HTML, or that a backslash precedes, unless that is how JSON writes a quotation mark. */
const escape = /\\(?:u[0-9a-f]{4}|[^\w"])|%(?:25)*[0-9a-f]{2}|&(?:#|amp;|lt;|gt;|quot;|apos;)/i;

/** Returns whether a text may hold a secret of which some characters are escaped: only then `mixed` finds more than `patterns` do. */
export function mayEscape(text: string): boolean {
  return escape.test(text);
}

/**
 * Returns the search patterns of a secret of the setup: the key, or a header value.
 *
 * From six characters on. As it is, in capitals or small letters, each character escaped as in JSON, an address or HTML, in base64 at any
 * place in it, in hexadecimal, and backwards. One of less than 16 letters, or of less than eight signs with a digit, only where it stands
 * as a word; and not at all when it is a word of the interface, because then it can't be distinguished from one.
 */
export function listForms(value: string): SecretForms {
  if (!isSearchable(value)) return nothing;
  const spellings = listSpellings(value);
  const encodings = [...listBase64(value), Buffer.from(value).toString("hex")].filter(
    (text) => text.length >= minSecretLength,
  );
  const backwards = Array.from(value).toReversed().join("");
  const plain = bounded([...spellings, backwards].map(escapeText), value);
  return {
    patterns: [...plain, ...encodings.map(escapeText)],
    mixed: () => (value.length > longestMixed ? [] : bounded([mixedPattern(value)], value)),
    open: () => openPattern(value),
    spellings: [...spellings, ...encodings],
  };
}

/** Returns the search patterns of the beginning of a secret that the suite itself sends, with the rest of the word it stands in. */
export function readBeginning(value: string): SecretForms {
  if (!isSearchable(value) || isInterfaceWord(value)) return nothing;
  const rest = isDistinct(value) ? String.raw`[\w.~+/=-]{0,4096}` : "";
  const start = value.slice(0, longestMixed);
  const patternsFor = (form: string): string[] => bounded([form], value).map((pattern) => pattern + rest);
  return {
    patterns: patternsFor(escapeText(start)),
    mixed: () => patternsFor(mixedPattern(start)),
    open: () => openPattern(value),
    spellings: [value],
  };
}

/** Returns the search patterns of a value that a target has sent as a secret, for the rest of its answers: plain and escaped. */
export function listSeenForms(value: string): SecretForms {
  if (!isSearchable(value) || isInterfaceWord(value)) return nothing;
  const spellings = listSpellings(value);
  return { ...nothing, patterns: bounded(spellings.map(escapeText), value), spellings };
}

function isSearchable(value: string): boolean {
  return value.length >= minSecretLength && (isDistinct(value) || !isInterfaceWord(value));
}

/** Returns whether a value is so unlike a word that it is also redacted within words. */
export function isDistinct(value: string): boolean {
  return value.length >= noWord || (value.length >= 8 && /\d/.test(value) && /\p{L}/u.test(value));
}

/** Pattern of the start of a word. An escape before it does not belong to the word. */
const wordStart = String.raw`(?:(?<![\p{L}\p{N}_])|(?<=\\[nrtbf])|(?<=%[0-9a-f]{2})|(?<=\\u[0-9a-f]{4}))`;
const wordEnd = String.raw`(?![\p{L}\p{N}_])`;

function bounded(patterns: readonly string[], value: string): string[] {
  const unlike = [...new Set(patterns)].toSorted((a, b) => b.length - a.length);
  return isDistinct(value) ? unlike : unlike.map((pattern) => `${wordStart}(?:${pattern})+${wordEnd}`);
}

function listSpellings(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const uri = encodeURIComponent(value.toWellFormed());
  const form = new URLSearchParams([["", value]]).toString().slice(1);
  return [...new Set([value, json, json.replaceAll("/", String.raw`\/`), uri, form])];
}

/** Escapes a text for a regular expression with the flag `u`. */
function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/**
 * Returns the pattern of a text of which each character may be escaped in another way; backslashes in a row have one together. A
 * text matches it in one way at most, but for the number of backslashes: a target can't make the search slow.
 */
function mixedPattern(text: string): string {
  return characterPatterns(text).join("");
}

function characterPatterns(text: string): string[] {
  const parts = text.match(/\\+|[^\\]/gu) ?? [];
  return parts.map((part, at) =>
    part.startsWith("\\") ? backslashesPattern(part.length) : characterPattern(part, parts[at - 1]?.startsWith("\\")),
  );
}

/** Returns the pattern of the beginning of a secret, from three characters on, at the end of a text that may cut an escape. */
function openPattern(value: string): string {
  const patterns = characterPatterns(value.slice(0, longestMixed));
  const [least, rest] = [patterns.slice(0, 3).join(""), patterns.slice(3)];
  return `${least}${rest.reduceRight((after, each) => `(?:${each}${after})?`, "")}${cutEscape}$`;
}

const backslash = String.raw`(?:\\|%(?:25){0,2}5c)`;
const ampersand = String.raw`(?:&|${backslash}{1,8}u0026|%(?:25){0,2}26)(?:amp;)?`;

/** Pattern of an escape that the end of a text cuts, with the first units of a character that has several. */
const cutEscape = [
  String.raw`(?:${backslash}{1,8}u[\da-f]{4}|(?:%(?:25){0,2}[\da-f]{2}){1,3})?`,
  String.raw`(?:${backslash}{1,8}(?:u[\da-f]{0,3})?|%[\da-f]{0,5}|${ampersand}#?\w{0,8})?`,
].join("");

const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };

function backslashesPattern(count: number): string {
  const unit = `(?:${backslash}{1,8}u005c|${ampersand}(?:#0{0,4}92|#x0{0,4}5c);)`;
  return `(?:${unit}{${count}}|${backslash}{${count},${8 * count + 8}})`;
}

/** Returns the pattern of a character as it is, or as JSON, an address or HTML may write it; with backslashes before it that escape it. */
function characterPattern(character: string, isEscaped = false): string {
  const point = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16));
  const before = isEscaped || /\w/.test(character) ? "" : `${backslash}{0,8}`;
  const first = isEscaped ? `${backslash}?` : `${backslash}{1,8}`;
  const escapes = units.map((unit, at) => `${at ? `${backslash}{1,8}` : first}u${unit.padStart(4, "0")}`).join("");
  const bytes = Array.from(Buffer.from(character), (byte) => `%(?:25){0,2}${byte.toString(16).padStart(2, "0")}`);
  const name = names[character];
  const entities = [`#0{0,4}${point}`, `#x0{0,4}${point.toString(16)}`, ...(name ? [name] : [])];
  const plain = [escapeText(character), bytes.join(""), `${ampersand}(?:${entities.join("|")});`];
  return `(?:${before}(?:${plain.join("|")}${character === " " ? String.raw`|\+` : ""})|${escapes})`;
}

/** Returns the base64 characters that a value alone decides, for each of its three alignments, in both alphabets. */
function listBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  const inner = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [...new Set(inner.flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")]))];
}

let interfaceWords: ReadonlySet<string> | undefined;

function isInterfaceWord(value: string): boolean {
  interfaceWords ??= listWords(
    `${JSON.stringify(openapi)} ${JSON.stringify(loadRequirements())} ${suiteName} redacted`,
  );
  return interfaceWords.has(value.toLowerCase());
}

function listWords(text: string): ReadonlySet<string> {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]*/gu));
  return new Set([...words, ...[...words].flatMap((word) => word.split(/[_-]/))]);
}

/** Removes the beginning of a secret, in one of its spellings, from the end of a text that was cut. */
export function removeRemnant(text: string, spellings: readonly string[], stand: string): string {
  const lower = text.toLowerCase();
  for (const spelling of spellings) {
    const start = spelling.toLowerCase();
    for (let length = Math.min(start.length - 1, text.length); length >= minRemnantLength; length -= 1) {
      const remnant = start.slice(0, length);
      if (lower.endsWith(remnant) && !isInterfaceWord(remnant)) return text.slice(0, -length) + stand;
    }
  }
  return text;
}

/** Removes the beginning of a secret of which some characters are escaped from the end of a text that was cut. */
export function removeOpenEnd(text: string, open: RegExp, stand: string): string {
  const [end = ""] = open.exec(text.slice(-16 * longestMixed)) ?? [];
  return end.length >= minRemnantLength && /[\\%&]/.test(end) ? text.slice(0, -end.length) + stand : text;
}
