/**
 * Source of a pattern, for the flag `u`: the name of a variable or a result. A letter or underscore, then letters, digits and
 * underscores, of any script.
 */
export const namePattern = String.raw`[\p{ID_Start}_]\p{ID_Continue}*`;

/** Most characters of a text that are converted to a name. */
const maxSourceCharacters = 200;
/** Most characters of a name that is made of a text. */
const maxNameCharacters = 60;

const wholeName = new RegExp(`^${namePattern}$`, "u");

/** Returns whether a text is a name already. */
export function isName(text: string): boolean {
  return wholeName.test(text);
}

/**
 * Converts a text to a name: each run of other characters becomes one underscore. Letters of any script are kept, so that the label of a
 * field can be recognized. A converted name is not changed by another conversion.
 *
 * @param fallback - Name for a text without letters and digits, and beginning of one that starts with a digit. Default: `value`.
 */
export function toName(text: string, fallback = "value"): string {
  const word = trimUnderscores(Array.from(text.normalize("NFKC").replaceAll(/[^\p{ID_Continue}]+/gu, "_")));
  if (word === "") return fallback;
  return isName(word) ? word : trimUnderscores([`${fallback}_`, ...Array.from(word)]);
}

function trimUnderscores(characters: readonly string[]): string {
  const first = characters.findIndex((character) => character !== "_");
  return first < 0
    ? ""
    : characters
        .slice(first, first + maxNameCharacters)
        .join("")
        .replace(/_+$/, "");
}

/** Converts the beginning of a text to snake_case, of any script; empty for a text without letters and digits. */
export function toSnakeCase(text: string): string {
  return text
    .slice(0, maxSourceCharacters)
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "_")
    .replaceAll(/^_|_$/g, "");
}

/** Returns a name that is not taken: the name itself, or with a number appended. */
export function findFreeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let number = 2; isTaken(free); number += 1) free = `${name}_${number}`;
  return free;
}
