import type { Finding } from "../checks/check.ts";
import type { CheckResult, Report } from "./report.ts";
import { listReproductions } from "./shell/curl.ts";
import { checkPage } from "./docs-page.ts";

/** Returns the first finding of a failed check, in one line. */
export function firstFinding({ title, findings: [first] }: CheckResult): string {
  return first ? `${first.where}: expected ${first.expected}, received ${first.received}` : title;
}

/** Groups equal findings of several exchanges. */
export function groupFindings(findings: readonly Finding[]): Finding[][] {
  return [...Map.groupBy(findings, ({ exchange: _, ...rest }) => JSON.stringify(rest)).values()];
}

/** Returns until when and why a failure does not count, in one line. */
export function describeExpected({ expected }: CheckResult): string {
  return expected ? `until ${expected.expires}: ${expected.reason} (${expected.owner})` : "";
}

/** Renders all findings of a failed check, with the command that reproduces it, as plain text. Hidden characters of a target are not escaped. */
export function findingsText(check: CheckResult, report: Report): string {
  const { id, title, findings } = check;
  const page = checkPage(id, report);
  const commands = listReproductions(check, report).map(
    ({ command, notes }) => `reproduce: ${command}\n${notes.join("\n")}\n`,
  );
  const texts = findings.map(
    ({ requirement, where, expected, received, exchange }) =>
      `requirement: ${requirement}\nwhere: ${where}\nexpected: ${expected}\nreceived: ${received}\nexchange: ${exchange}\n`,
  );
  const notes = check.findingsLeftOut ? [`and ${check.findingsLeftOut} more findings that are not kept\n`] : [];
  return [`${title}\n`, ...texts, ...notes, ...commands, ...(page === undefined ? [] : [`explained: ${page}\n`])].join(
    "\n",
  );
}
