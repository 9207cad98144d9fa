/**
 * Characters that hide, reorder or break the text around them: control and format characters, bidirectional
 * overrides, invisible ones, lone surrogates, and code points that are no characters.
 */
const hiddenCharacters =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** Tab and line feed are layout; U+FE0F only chooses between two pictures of the same sign. */
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
 * Text in which nothing acts, as one line for a terminal or a log: no line of its own, and no command of a CI service.
 *
 * GitHub and Azure take `##[` and `##vso[` for the beginning of a command wherever it stands in a line; `::` only at the
 * beginning, where nothing that this package prints comes from outside.
 *
 * @param limit - Longest text, in UTF-16 units.
 */
export function visibleLine(text: string, limit = Infinity): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  return visibleText(cut)
    .replaceAll("\n", "‹U+000A›")
    .replace(/##(?=(vso)?\[)/gi, "##‹›");
}

/**
 * JSON with every hidden character as its escape: for programs it is the same value, and it may be shown anywhere.
 */
export function visibleJson(value: unknown, replacer?: (name: string, part: unknown) => unknown): string {
  return JSON.stringify(value, replacer, 2).replace(hiddenCharacters, (character) => {
    if (character === "\n") return character;
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

/** JSON for programs that show its texts to people: no text has a hidden character once it is read. Names of fields only as escapes. */
export function shownJson(value: unknown): string {
  return visibleJson(value, (_, part) => (typeof part === "string" ? visibleText(part) : part));
}
