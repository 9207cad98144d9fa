import type { Comparison } from "./compare.ts";
import { visibleLine } from "../report/visible-text.ts";

/** Maximum number of rows in a list, and of names in a line; the reports have all of them. */
const rowLimit = 20;
const nameLimit = 3;

/** Renders the changes since the previous run in few lines: new failures, fixed checks, and checks that are no longer judged. */
export function renderChanges({ newFailures, fixed, stillFailing, noLongerChecked }: Comparison): string {
  const failures = newFailures.map(({ check, requirement, level }) => {
    return `${check} (${requirement}${level === "assumed" ? ", only warns" : ""})`;
  });
  const ids = noLongerChecked.map(({ check }) => check);
  const parts = [
    ...listRows("newly failing", failures),
    ...listRows("newly passing", fixed),
    ...(ids.length > 0 ? [`  no longer judged (${ids.length}): ${shorten(ids)}`] : []),
    ...(stillFailing.length > 0 ? [`  ${stillFailing.length} failing as before`] : []),
  ];
  return parts.length === 0 ? "Since the previous run: no changes." : ["Since the previous run:", ...parts].join("\n");
}

function listRows(title: string, entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  const rows = entries.slice(0, rowLimit).map((entry) => `    ${visibleLine(entry)}`);
  const rest = entries.length - rowLimit;
  return [`  ${title} (${entries.length})`, ...rows, ...(rest > 0 ? [`    and ${rest} more`] : [])];
}

function shorten(names: readonly string[]): string {
  const rest = names.length - nameLimit;
  return `${names
    .slice(0, nameLimit)
    .map((name) => visibleLine(name))
    .join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
