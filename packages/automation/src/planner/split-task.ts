import { Quotations } from "./quotations.ts";

/** Words that a clause of a task begins with. */
const verbs = [
  "open",
  "go",
  "visit",
  "navigate",
  "click",
  "tap",
  "press",
  "hit",
  "fill",
  "enter",
  "type",
  "set",
  "put",
  "write",
  "select",
  "choose",
  "pick",
  "check",
  "tick",
  "uncheck",
  "untick",
  "search",
  "look",
  "log",
  "sign",
  "submit",
  "send",
  "scroll",
  "wait",
  "extract",
  "get",
  "read",
  "list",
  "scrape",
  "collect",
  "give",
  "return",
  "show",
];

const verb = `(?:please\\s)?(?:${verbs.join("|")})\\b`;

/**
 * Ends of clauses: always a new line, a semicolon and a full stop; a comma, "and" and "then" only before another verb. White space
 * is one character by then.
 */
const ends = new RegExp(
  String.raw`\s?(?:[;\n]+|\.(?=\s|$)|(?:,\s?)?(?:\band\s)?\bthen\b|(?:,\s?(?:and\s)?|\sand\s)(?=${verb}))[\s,]*`,
  "giu",
);

const address = /https?:\/\/[^\s,;"\u{F0000}]*[^\s,;".\u{F0000}]/giu;

/** Words before a clause that mean nothing. */
const fillers = /(?<=^|[.;\n,]\s?|\bthen\s)(?:please|first|finally|next|now|afterwards|also)\b[\s,]*(?=\w)/giu;

/**
 * Splits a task into its clauses; what stands between quotation marks is never split, nor are addresses. Outside of quotations a run
 * of white space becomes one blank.
 */
export function splitTask(task: string): string[] {
  const quotations = new Quotations();
  const masked = quotations.take(quotations.takeFrom(task), address);
  const clauses = masked.trim().replaceAll(fillers, "").split(ends);
  return clauses.map((clause) => quotations.putBack(clause).trim()).filter((clause) => clause !== "");
}
