import type { CheckResult, Report } from "./report.ts";
import { groupByMark } from "./verdict.ts";
import { visibleText } from "./visible-text.ts";

/** Maximum number of annotations of one kind that GitHub shows for a step. */
const limit = 10;

/** Maximum length of an annotation, in UTF-16 units. */
const textLimit = 500;

/**
 * Renders a report as annotations of GitHub: an error for each failed stated check, at most 10, and a last line with the result of the run.
 * The other failures are in that line as a number.
 *
 * Standard output of a step is the only place for them; nothing that a target sent can make a command of its own there.
 */
export function renderAnnotations(report: Report): string {
  const { fail: failures } = groupByMark(report.checks);
  const problems = report.expectationProblems.map(({ id, kind, sentence }) =>
    command("error", `${kind}: ${id}`, sentence),
  );
  const errors = [...failures.map(failure), ...problems];
  const omittedCount = errors.length - limit;
  const more = omittedCount > 0 ? ` ${omittedCount} more ${omittedCount === 1 ? "is" : "are"} in the reports.` : "";
  // A notice, because it would be the eleventh error.
  const sum = command("notice", "Conformance", report.sentence + more);
  return `${[...errors.slice(0, limit), sum].join("\n")}\n`;
}

function failure({ id, title, findings: [first] }: CheckResult): string {
  const finding = first
    ? `${first.where}: expected ${first.expected}, received ${first.received} (${first.requirement})`
    : title;
  return command("error", id, finding);
}

function command(kind: "error" | "notice", title: string, text: string): string {
  return `::${kind} title=${property(title)}::${data(text)}`;
}

/** Escapes the characters with a meaning in workflow commands: percent sign, carriage return and line feed. */
function data(text: string): string {
  const visible = visibleText(text.length > textLimit ? `${text.slice(0, textLimit)}…` : text);
  return visible.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
