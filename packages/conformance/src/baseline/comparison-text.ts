import type { Comparison } from "./compare.ts";
import { visibleLine } from "../report/visible-text.ts";

/** Maximum length of a shown value; the reports have the whole of it. */
const valueLimit = 200;

/** Renders a comparison as plain text for people: the sentence first, then what got worse, then the rest. What is empty is left out. */
export function renderComparison(comparison: Comparison): string {
  const { old, new: now, notes } = comparison;
  const parts = [
    comparison.sentence,
    [`old  ${aboutLine(old)}`, `new  ${aboutLine(now)}`].join("\n"),
    ...(notes.length > 0 ? [notes.map((note) => `note  ${show(note)}`).join("\n")] : []),
    list("New failures", comparison.newFailures, (failure) => [
      `${failure.check}${warns(failure)}`,
      `  requirement ${failure.requirement}`,
      `  ${failure.where}: expected ${failure.expected}, received ${failure.received}`,
    ]),
    list("No longer checked", comparison.noLongerChecked, (check) => [
      `${check.check}${warns(check)}`,
      `  ${check.reason}`,
    ]),
    list("Fixed", comparison.fixed, (id) => [id]),
    list("Failing as before", comparison.stillFailing, (id) => [id]),
    list("Expected now", comparison.newlyExpected, (id) => [id]),
    list("Newly checked", comparison.newlyChecked, (id) => [id]),
    list("Observed otherwise", comparison.observations, ({ id, came, went }) => [
      id,
      ...went.map((value) => `  - ${value}`),
      ...came.map((value) => `  + ${value}`),
    ]),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function aboutLine(report: Comparison["old"]): string {
  const { target, startedAt, verdict, suite, contract } = report;
  return show(`${verdict}, ${target}, ${startedAt}, suite ${suite}, contract ${contract}`);
}

function warns({ level }: { readonly level: string }): string {
  return level === "assumed" ? "  (only warns)" : "";
}

function list<Row>(title: string, rows: readonly Row[], renderRow: (row: Row) => readonly string[]): string {
  if (rows.length === 0) return "";
  const lines = rows.flatMap(renderRow).map((line) => `  ${show(line)}`);
  return [`${title} (${rows.length})`, ...lines].join("\n");
}

function show(text: string): string {
  return visibleLine(text, valueLimit);
}
