/**
 * Characters that hide, reorder or break the text around them: control and format characters, bidirectional overrides, invisible ones, lone
 * surrogates, and code points that are not characters.
 */
const hiddenCharacters =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** Characters that are kept: tab and line feed, and U+FE0F, which only selects an emoji presentation. */
const harmless: ReadonlySet<string> = new Set(["\t", "\n", "\uFE0F"]);

/**
 * Replaces every character that can't be seen, or that changes how its neighbours are seen, by its code point: `‹U+202E›`.
 *
 * Does not escape anything for HTML or XML. The result holds only characters that both allow.
 */
export function visibleText(text: string): string {
  return text.replace(hiddenCharacters, (character) => {
    if (harmless.has(character)) return character;
    const point = character.codePointAt(0) ?? 0;
    return `‹U+${point.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}

/**
 * Returns a text as one line for a terminal or a log, without control characters, line breaks and commands of CI services.
 *
 * GitHub and Azure take `##[` and `##vso[` for the beginning of a command wherever it stands in a line; `::` only at the
 * beginning, where nothing that this package prints comes from outside.
 *
 * @param limit - Longest text, in UTF-16 units.
 */
export function visibleLine(text: string, limit = Infinity): string {
  const start = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return visibleText(start)
    .replaceAll("\n", "‹U+000A›")
    .replace(/##(?=(vso)?\[)/gi, "##‹›");
}

/** Serializes JSON with every hidden character escaped: the same value for programs, and safe to display. */
export function visibleJson(value: unknown, replacer?: (name: string, part: unknown) => unknown): string {
  return JSON.stringify(value, replacer, 2).replace(hiddenCharacters, (character) => {
    if (character === "\n") return character;
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

/** Serializes JSON for programs that display its texts: hidden characters are replaced in the texts themselves, and escaped in names of fields. */
export function shownJson(value: unknown): string {
  return visibleJson(value, (_, part) => (typeof part === "string" ? visibleText(part) : part));
}

/** Returns a number with its noun: `1 check`, `2 checks`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
