const nouns = "results?|items?|rows?|entries|records|others";
const more =
  "more|further|other|others|additional|weitere|autres|más|otros|otras|altri|altre|mais|outros|outras|meer|andere";
const word =
  "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|dozens?|hundreds?|thousands?|millions?";
const count = String.raw`(?:\d[\d.,]*\+?|(?:an?\s)?(?:${word})(?:(?:\s|-|\sand\s)(?:${word}))*(?:\sof)?)`;
const about = String.raw`(?:(?:more than|over|about|around|at least|nearly|almost|some)\s)?`;
const joined = "and|plus|und|et|y|e|en";
const many = "many|lots|several|some|a few|viele|beaucoup d['’]|muchos|molti|veel";

/**
 * Writes the pattern (flags `iu`) of a text that says nothing but that there is more: "… and 12 more rows", "ninety-seven others", "…and many
 * more". Its first group is the noun, if there is one.
 *
 * @param units - Words for what is read, singular and plural.
 */
export function writeMorePattern(units: readonly string[] = []): string {
  const noun = [...units, nouns].join("|");
  const begin = String.raw`^(?:…|\.{3}|[–—])?\s?`;
  const end = String.raw`\s?(?:…|[.:!]|\.{3})?$`;
  const left = String.raw`(?:(?:are|were|have been)\s)?(?:not shown|hidden|omitted|truncated|left out|skipped)`;
  return [
    String.raw`${begin}(?:(?:${joined}|[+&])\s?)?${about}${count}\s?(?:${more})(\s(?:${noun}))?(?:\s${left})?${end}`,
    String.raw`${begin}(?:the\s)?(?:(?:other|remaining)\s)?${count}(\s(?:${noun}))\s${left}${end}`,
    String.raw`${begin}(?:${joined})\s(?:(?:${many})\s?)?(?:${more})(\s(?:${noun}))?${end}`,
  ].join("|");
}

/** Returns whether a text says nothing but that there is more, and whether it names what there is more of. */
export function saysMore(text: string, units: readonly string[] = []): { readonly hasNoun: boolean } | undefined {
  const [line, ...found] = new RegExp(writeMorePattern(units), "iu").exec(text.trim()) ?? [];
  return line === undefined ? undefined : { hasNoun: found.some((noun) => noun !== undefined) };
}

/** Drops the last row or item if it only says that there is more. */
export function dropMore<Item>(items: readonly Item[]): Item[] {
  const last: unknown = items.at(-1);
  const content = typeof last === "object" && last !== null && "value" in last && "id" in last ? last.value : last;
  const cells: readonly unknown[] =
    typeof content === "object" && content !== null ? Object.values(content) : [content];
  const line = cells.filter((cell) => typeof cell === "string" && cell !== "").join(" ");
  return items.slice(0, items.length > 1 && line.length <= 60 && saysMore(line) ? -1 : undefined);
}
