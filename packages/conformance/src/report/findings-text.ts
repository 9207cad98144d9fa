import type { CheckResult, Report } from "./report.ts";
import { reproductionsOf } from "./curl.ts";

/** Returns the first finding of a failed check, in one line. */
export function firstFinding({ title, findings: [first] }: CheckResult): string {
  return first ? `${first.where}: expected ${first.expected}, received ${first.received}` : title;
}

/** All that a failed check found, and the command that shows it, as plain text. Hidden characters of a target are in it. */
export function findingsText(check: CheckResult, report: Report): string {
  const { title, findings } = check;
  const commands = reproductionsOf(check, report).map(
    ({ command, notes }) => `reproduce: ${command}\n${notes.join("\n")}\n`,
  );
  const texts = findings.map(
    ({ requirement, where, expected, received, exchange }) =>
      `requirement: ${requirement}\nwhere: ${where}\nexpected: ${expected}\nreceived: ${received}\nexchange: ${exchange}\n`,
  );
  const left = check.findingsLeftOut ? [`and ${check.findingsLeftOut} more findings that are not kept\n`] : [];
  return [`${title}\n`, ...texts, ...left, ...commands].join("\n");
}
