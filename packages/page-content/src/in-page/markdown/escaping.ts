/** Characters that may have a meaning in the middle of a line. */
const special = /[\\`*_[\]<&~!|]/;
const specials = /[\\`*_[\]<&~!|]/g;
/** Special characters, or an address, which GitHub's flavour links, except for punctuation at its end. */
const specialsAndAddresses = /(?<![\p{L}\p{N}])https?:\/\/[\w-]+\.[^\s`[\]<&!|\\]*[\p{L}\p{N}/=#%+-]|[\\`*_[\]<&~!|]/gu;
const wordCharacter = /[\p{L}\p{N}]/u;
const asciiPunctuation = /[!-/:-@[-`{-~]/;
/** Text that would read as a placeholder reference. */
const isPlaceholder = /^\[(?:link|img)\d+\]/i;
const entity = /^&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/i;

/** Position of a piece of text. */
export interface TextPlace {
  /** The character before it, or empty at the start of a line. */
  readonly before: string;
  /** The character after it, or empty at the end. */
  readonly after: string;
  /** True when it is within the text of a link. */
  readonly inLink: boolean;
}

/**
 * Text with a backslash before each character that would be Markdown there, and no other.
 * Markup at the start of a line is escaped by `escapeLineStart`.
 */
export function escapeText(text: string, place: TextPlace): string {
  if (!special.test(text)) return text;
  return text.replace(place.inLink ? specials : specialsAndAddresses, (character, at: number) => {
    if (character.length > 1) return character;
    const before = at > 0 ? text.charAt(at - 1) : place.before;
    const after = at + 1 < text.length ? text.charAt(at + 1) : place.after;
    const rest = text.slice(at, at + 40);
    return needsBackslash(character, before, after, rest, place.inLink) ? `\\${character}` : character;
  });
}

function needsBackslash(character: string, before: string, after: string, rest: string, inLink: boolean): boolean {
  switch (character) {
    case "`":
      return true;
    case "\\":
      return after === "" || asciiPunctuation.test(after);
    case "*":
      return !(isSpace(before) && isSpace(after));
    case "_":
      return !(isSpace(before) && isSpace(after)) && !(wordCharacter.test(before) && wordCharacter.test(after));
    case "~":
      return before === "~" || after === "~" || !isSpace(before);
    case "[":
      return (
        inLink ||
        isPlaceholder.test(rest) ||
        after === "^" ||
        (before === "" && /^\[(?:[ x]\]|[^\]]*\]:|[^\]]*$)/i.test(rest))
      );
    case "]":
      return inLink || after === "(" || after === "";
    case "<":
      return after === "" || /[a-z/!?]/i.test(after);
    case "&":
      return entity.test(rest);
    case "!":
      return after === "[";
    default:
      return false;
  }
}

function isSpace(character: string): boolean {
  return character === "" || character === " ";
}

/** A line whose beginning would make it a heading, a list, a quote, a rule or part of a table, with a backslash there. */
export function escapeLineStart(line: string): string {
  if (/^(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|=+\s*$|_(?:\s+_){2,}\s*$)/.test(line) || isDelimiterRow(line))
    return `\\${line}`;
  const numbered = /^\d{1,9}(?=[.)](?:\s|$))/.exec(line);
  return numbered === null ? line : `${numbered[0]}\\${line.slice(numbered[0].length)}`;
}

function isDelimiterRow(line: string): boolean {
  return /^[|:\s-]+$/.test(line) && line.includes("-");
}

/** Text of a heading, with a last `#` escaped that would be its closing sequence. */
export function escapeHeadingEnd(text: string): string {
  return text.replace(/(^|\s)(#+)$/, String.raw`$1\$2`);
}

/** An address as written between the parentheses of a link. */
export function linkDestination(address: string): string {
  if (!/[\s<>\\`"()]/.test(address)) return address;
  const encoded = address
    .replace(/\s/g, (space) => encodeURIComponent(space))
    .replace(/[<>\\`"]/g, (character) => encodeURIComponent(character));
  return parenthesesMatch(encoded) ? encoded : encoded.replace(/[()]/g, String.raw`\$&`);
}

function parenthesesMatch(address: string): boolean {
  let open = 0;
  for (const character of address) {
    if (character === "(") open += 1;
    if (character === ")") open -= 1;
    if (open < 0 || open > 20) return false;
  }
  return open === 0;
}

/** Formats the title of a link, with a space before it; empty if there is none. */
export function linkTitle(title: string | undefined): string {
  if (title === undefined) return "";
  const line = title.replace(/\s+/g, " ").trim();
  return line === "" ? "" : ` "${line.replace(/["\\]/g, String.raw`\$&`)}"`;
}

/** Text of a link or an image that comes from an attribute. */
export function escapeLabel(label: string): string {
  return escapeText(label.replace(/\s+/g, " ").trim(), { before: "", after: "]", inLink: true });
}

/** Code within a line, its delimiter longer than any within. */
export function codeSpan(code: string): string {
  const line = code.replace(/\s+/g, " ").trim();
  if (line === "") return "";
  const delimiter = "`".repeat(longestRun(line) === 0 ? 1 : longestRun(line) + 1);
  const room = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${delimiter}${room}${line}${room}${delimiter}`;
}

/** The lines of a code block, its fence longer than any within. */
export function codeFence(code: string, language: string): string[] {
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  return [fence + language, ...code.split("\n"), fence];
}

function longestRun(code: string): number {
  let longest = 0;
  for (const run of code.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}
