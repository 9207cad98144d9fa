import type { ReadingResult, Report } from "./report.ts";
import type { Verdict } from "./verdict.ts";
import { visibleLine } from "./visible-text.ts";

/** Verdicts in words. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  conforming: "conforming",
  "not-conforming": "not conforming",
  unfinished: "unfinished",
  "nothing-checked": "nothing checked",
};

/** Returns in words the verdict under another value of a reading. */
export function otherwise(verdict: Verdict | null): string {
  return verdict === null ? "not known: its checks were not selected" : verdictWords[verdict];
}

/** The origin of a reading's value, in words. */
export const chosenBy: Readonly<Record<ReadingResult["by"], string>> = {
  pinned: "pinned",
  strict: "the strictest",
  default: "default",
};

/** Returns the values of readings that would change the verdict. */
export function verdictChanges({ readings = [], verdict }: Report): readonly { name: string; verdict: Verdict }[] {
  return readings.flatMap(({ id, others }) =>
    others.flatMap((other) =>
      other.verdict === null || other.verdict === verdict
        ? []
        : [{ name: `${id}=${other.value}`, verdict: other.verdict }],
    ),
  );
}

/** Returns a sentence on the readings that a verdict rests on. */
function readingSentence({ readings = [] }: Report): string {
  const pinned = readings.filter(({ by }) => by === "pinned").map(({ id, value }) => `${id}=${value}`);
  const others = readings.some(({ by }) => by === "strict") ? "its strictest value" : "its default";
  const which =
    pinned.length === 0 ? `each with ${others}` : `with ${pinned.join(", ")}, and each other with ${others}`;
  return `The verdict rests on ${readings.length} readings of ambiguous sentences: ${which}.`;
}

/** Renders the readings for a terminal: the sentence, and each value that would change the verdict; none without readings. */
export function readingLines(report: Report): string[] {
  if ((report.readings ?? []).length === 0) return [];
  const changes = verdictChanges(report);
  const rows = changes.map(({ name, verdict }) => `  with ${name} it would be: ${verdictWords[verdict]}`);
  return [readingSentence(report), ...rows].map((line) => visibleLine(line));
}
