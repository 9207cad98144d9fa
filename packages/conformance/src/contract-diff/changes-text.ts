import type { ContractDiff } from "./contract-diff.ts";
import { visibleLine } from "../report/visible-text.ts";

/**
 * Renders the changes of a contract as plain text for people: the sentence, then the changes by class and operation.
 */
export function renderContractChanges({ old, new: now, sentence, changes }: ContractDiff): string {
  const parts = [...Map.groupBy(changes, (change) => change.class)].map(([kind, group]) => {
    const places = [...Map.groupBy(group, (change) => change.where[0] ?? "")].map(([first, rows]) =>
      [
        `  ${visibleLine(first)}`,
        ...rows.map((row) => `    ${visibleLine([...row.where.slice(1), row.what].join(" > "))}`),
      ].join("\n"),
    );
    return [`${kind} (${group.length})`, ...places].join("\n");
  });
  return `${[`${sentence}\n${visibleLine(`version ${old}, now ${now}`)}`, ...parts].join("\n\n")}\n`;
}
