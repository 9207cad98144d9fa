import { Quotations } from "./quotations.ts";

/** Verbs that begin a clause. */
const verbs =
  "open|go|visit|navigate|click|tap|press|hit|fill|enter|type|set|put|write|select|choose|pick|check|tick|" +
  "uncheck|untick|search|look|log|login|sign|hover|point|move|submit|upload|attach|send|scroll|wait|extract|" +
  "get|read|list|scrape|collect|give|return|show|gather|how many|count (?:the|all)|tell me|what are";

const verb = `(?:please\\s)?(?:${verbs})\\b`;

/**
 * Separators of clauses: always a line break, a semicolon and a full stop; a comma, "and" and "then" only before another verb. White space
 * is collapsed by then.
 */
const ends = new RegExp(
  String.raw`\s?(?:[;\n]+|\.(?=\s|$)|(?:,\s?)?(?:\band\s)?\bthen\b|(?:,\s?(?:and\s)?|\sand\s)(?=${verb}))[\s,]*`,
  "giu",
);

const address = /https?:\/\/[^\s,;"\u{F0000}]*[^\s,;".\u{F0000}]/giu;

/** Filler words before a clause. */
const fillers = /(?<=^|[.;\n,]\s?|\bthen\s)(?:please|first|finally|next|now|afterwards|also)\b[\s,]*(?=\w)/giu;

/** The number or the sign before an item of a list. */
const listMarks = /(?<=^|\n\s?)(?:\d{1,3}[.)]|[-*•–])\s/gu;

/**
 * Splits a task into its clauses; quotations and URLs are never split. Outside of quotations, white space
 * is collapsed to one space.
 */
export function splitTask(task: string): string[] {
  const quotations = new Quotations();
  const masked = quotations.mask(quotations.maskQuotations(task), address);
  const clauses = masked.trim().replaceAll(listMarks, "").replaceAll(fillers, "").split(ends);
  return clauses.map((clause) => quotations.restore(clause).trim()).filter((clause) => clause !== "");
}
