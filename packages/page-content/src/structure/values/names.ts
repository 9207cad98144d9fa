/** Words that end with an s in the singular. */
const singulars: ReadonlySet<string> = new Set(
  "address series news status species means sales gps class canvas analysis basis".split(" "),
);

/**
 * Words of a name, in lower case and the singular: `datePublished`, `date_published` and "Dates published" are the same.
 * A unit with a power is one word: "km^2" and "km²" are `km2`.
 */
export function wordsOfName(name: string): readonly string[] {
  const parted = name
    .slice(0, 200)
    .replace(/(\p{L})\^(?=\p{N})/gu, "$1")
    .replaceAll("²", "2")
    .replaceAll("³", "3")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  return (parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(singular);
}

/** Returns a name in the normal form in which names are compared. */
export function foldName(name: string): string {
  return wordsOfName(name).join(" ");
}

/**
 * Returns how well a name on a page matches a name in a schema: 3 equal, 2 more specific ("Upcoming events" for `events`), 0 not at all.
 */
export function nameFit(property: string, name: string): 0 | 2 | 3 {
  const key = foldName(name);
  if (property === "" || key === "") return 0;
  if (key === property) return 3;
  const words = new Set(key.split(" "));
  return property.split(" ").every((word) => words.has(word)) ? 2 : 0;
}

const units: ReadonlySet<string> = new Set(
  "kg g mg lb oz km m cm mm ft inch mile l ml w kw wh v hz khz mhz ghz kb mb gb tb minute min second hour day year percent".split(
    " ",
  ),
);

/** A key that ends with a unit, in its parts. */
export function partUnit(key: string): { readonly key: string; readonly unit: string } | undefined {
  const words = key.split(" ");
  const unit = words.at(-1) ?? "";
  return words.length > 1 && units.has(unit) ? { key: words.slice(0, -1).join(" "), unit } : undefined;
}

function singular(word: string): string {
  if (word.length < 4 || singulars.has(word) || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ches|shes|xes|sses)$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
