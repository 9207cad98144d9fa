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

const verb = `(?:please\\s+)?(?:${verbs.join("|")})\\b`;

/** Ends of clauses: always a new line, a semicolon and a full stop; a comma, "and" and "then" only before another verb. */
const ends = new RegExp(
  String.raw`\s*(?:[;\n]+|\.(?=\s|$)|(?:,\s*)?(?:\band\s+)?\bthen\b|(?:,\s*(?:and\s+)?|\s+and\s+)(?=${verb}))[\s,]*`,
  "giu",
);

const quoted = /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<=^|[\s(])'[^']*'(?=$|[\s),.;])/gu;

/** Words before a clause that mean nothing. */
const fillers = /(?<=^|[.;\n,]\s*|\bthen\s+)(?:please|first|finally|next|now|afterwards|also)\b[\s,]*(?=\w)/giu;

/** Where quoted texts stood while the rest is split: a character for private use. */
const hole = (index: number): string => `\u{F0000}${index}\u{F0000}`;

/**
 * Splits a task into its clauses; what stands between quotation marks is never split, nor are addresses.
 *
 * Source: ours.
 */
export function splitTask(task: string): string[] {
  const kept: string[] = [];
  const keep = (text: string): string => hole(kept.push(text) - 1);
  const masked = task.replaceAll(quoted, keep).replaceAll(/https?:\/\/[^\s,;"]*[^\s,;".]/giu, keep);
  const clauses = masked
    .trim()
    .replaceAll(fillers, "")
    .split(ends)
    .map((clause) => clause.replaceAll(/\u{F0000}(\d+)\u{F0000}/gu, (_, index: string) => kept[Number(index)] ?? ""));
  return clauses.map((clause) => clause.trim()).filter((clause) => clause !== "");
}
