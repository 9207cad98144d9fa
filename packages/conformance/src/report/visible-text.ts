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
 *
 * Source: ours.
 */
export function visibleText(text: string): string {
  return text.replace(hiddenCharacters, (character) => {
    if (harmless.has(character)) return character;
    const point = character.codePointAt(0) ?? 0;
    return `‹U+${point.toString(16).toUpperCase().padStart(4, "0")}›`;
  });
}
