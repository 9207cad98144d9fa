import { quotationPlaceholder } from "./quotations.ts";

/** What separates the parts of an enumeration. */
const separator = /\s?,\s(?:and\s)?|\sand\s/iu;

const pairVerbs: readonly (readonly [verb: RegExp, word: RegExp])[] = [
  [/^(?:fill(?:\sin|\sout)?|set)\s/iu, /\s(?:with|to|as)\s/giu],
  [/^(?:enter|type|put|write)\s/iu, /\s(?:in|into)\s/giu],
  [/^(?:select|choose|pick)\s/iu, /\s(?:from|in)\s/giu],
];
const nameVerbs = /^(?:uncheck|untick|check|tick|select|choose|pick|click(?:\son)?|tap)\s/iu;
const quotedName = new RegExp(`^(?:the\\s)?${quotationPlaceholder}(?:\\s\\w+)?$`, "iu");

/**
 * Splits an enumeration into clauses: "fill A with x and B with y", `check "A" and "B"`. Quotations are masked.
 *
 * @returns A clause for each; undefined if it is not clearly an enumeration.
 */
export function splitEnumeration(clause: string): readonly string[] | undefined {
  const parts = clause.split(separator);
  if (parts.length < 2) return undefined;
  for (const [verb, word] of pairVerbs) {
    const [beginning] = verb.exec(clause) ?? [];
    if (beginning === undefined) continue;
    const each = clause.slice(beginning.length).split(separator);
    if (each.every((part) => [...part.matchAll(word)].length === 1)) return each.map((part) => beginning + part);
  }
  const [start] = nameVerbs.exec(clause) ?? [];
  if (start === undefined) return undefined;
  const each = clause.slice(start.length).split(separator);
  return each.every((part) => quotedName.test(part)) ? each.map((part) => start + part) : undefined;
}
