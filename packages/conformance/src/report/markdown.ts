import type { CheckResult, Report } from "./report.ts";
import { checkPage } from "./docs-page.ts";
import { listReproductions } from "./shell/curl.ts";
import { chosenBy, otherwise, verdictChanges, verdictWords } from "./readings-text.ts";
import { groupByMark, realTargetNote } from "./verdict.ts";
import { formatCount, visibleText } from "./visible-text.ts";

/** Maximum size of the job summary, in bytes: less than the 1 MiB of GitHub, which all steps share. */
const sizeLimit = 600_000;

/** Maximum number of rows of a table; the other reports have all of them. */
const rowLimit = 50;

/** Maximum number of failures with details. */
const detailLimit = 20;

/** Maximum length of a text in a cell, and of a command, in UTF-16 units. */
const cellLimit = 200;
const commandLimit = 8_000;

/**
 * Renders a report as a Markdown job summary: the verdict, what failed with what was expected and received, the details of each failure
 * closed until they are opened, what needs attention, and what was observed.
 *
 * Nothing that a target sent is read as Markdown or HTML: it stands in code, with hidden characters made visible. Short enough for a job
 * summary of GitHub.
 */
export function renderMarkdown(report: Report): string {
  const { fail, warning, expected, error } = groupByMark(report.checks);
  const parts = [
    head(report),
    table("Failures", fail, failureHeads, failureCells),
    ...details(fail, report),
    problems(report),
    table("Expected failures", expected, expectedHeads, expectedCells),
    table("Warnings", warning, failureHeads, failureCells),
    table("Could not be judged", error, ["Check", "Reason"], reasonCells),
    readings(report),
    observations(report),
    foot(report),
  ].filter((text) => text !== "");
  let size = 0;
  const fitting = parts.filter((part) => (size += Buffer.byteLength(part) + 2) <= sizeLimit);
  if (fitting.length < parts.length) fitting.push("More is in the other reports.");
  return `${fitting.join("\n\n")}\n`;
}

const marks = { conforming: "✅", "not-conforming": "❌", unfinished: "⚠️", "nothing-checked": "⚪" } as const;

function head({ verdict, sentence, summary, target, run, checks }: Report): string {
  const { pass, fail, error, skip } = summary.checks;
  const notices = run.interrupted ? ["", "**The run was interrupted:** what was not sent is skipped."] : [];
  const note = realTargetNote(target.kind, checks);
  return [
    `## ${marks[verdict]} ${prose(sentence)}`,
    "",
    `${pass} passed, ${fail} failed, ${error} could not be judged, ${skip} skipped, of ${pass + fail + error + skip} checks. Target: ${code(target.name)} (${target.kind}).`,
    ...(note === undefined ? [] : ["", note]),
    ...notices,
  ].join("\n");
}

type Cells = (check: CheckResult) => readonly string[];

const failureHeads = ["Check", "Where", "Expected", "Received"];
const expectedHeads = ["Check", "Reason", "Owner", "Until"];

function failureCells({ id, findings: [first] }: CheckResult): readonly string[] {
  return [code(id), ...[first?.where, first?.expected, first?.received].map((text) => code(text ?? ""))];
}

function expectedCells({ id, expected }: CheckResult): readonly string[] {
  return [code(id), ...[expected?.reason, expected?.owner, expected?.expires].map((text) => prose(text ?? ""))];
}

function reasonCells({ id, reason }: CheckResult): readonly string[] {
  return [code(id), prose(reason ?? "The reason is not known.")];
}

function table(title: string, checks: readonly CheckResult[], heads: readonly string[], cells: Cells): string {
  if (checks.length === 0) return "";
  const omittedCount = checks.length - rowLimit;
  return [
    `### ${title} (${checks.length})`,
    "",
    row(heads),
    row(heads.map(() => "---")),
    ...checks.slice(0, rowLimit).map((check) => row(cells(check))),
    ...(omittedCount > 0 ? ["", `and ${omittedCount} more, in the other reports`] : []),
  ].join("\n");
}

function row(texts: readonly string[]): string {
  return `| ${texts.join(" | ")} |`;
}

function details(checks: readonly CheckResult[], report: Report): string[] {
  return checks.slice(0, detailLimit).map((check) => {
    const [first] = check.findings;
    const requirement = report.requirements.find(({ id }) => id === first?.requirement);
    const alike = check.findings.length + (check.findingsLeftOut ?? 0) - 1;
    const [reproduction] = listReproductions(check, report);
    const page = checkPage(check.id, report);
    return [
      `<details><summary>${prose(check.id)}: ${prose(check.title)}</summary>`,
      "",
      ...(requirement
        ? [`Requirement ${code(requirement.id)}, ${prose(requirement.section)}: ${prose(requirement.text)}`, ""]
        : []),
      `Exchange ${code(first?.exchange ?? "")}${alike > 0 ? `, and ${formatCount(alike, "more finding")}` : ""}.`,
      ...(reproduction ? ["", "To reproduce it:", "", fenced(reproduction.command), "", ...reproduction.notes] : []),
      ...(page === undefined ? [] : ["", `<a href="${escapeText(page)}">Cause and remedy</a>`]),
      "",
      "</details>",
    ].join("\n");
  });
}

function problems({ expectationProblems }: Report): string {
  if (expectationProblems.length === 0) return "";
  const rows = expectationProblems.slice(0, rowLimit).map(({ kind, sentence }) => `- **${kind}**: ${prose(sentence)}`);
  return [`### Expected failures that need attention (${expectationProblems.length})`, "", ...rows].join("\n");
}

function readings(report: Report): string {
  const { readings: rows = [] } = report;
  if (rows.length === 0) return "";
  const changes = verdictChanges(report).map(
    ({ name, verdict }) => `- With ${code(name)} it would be: **${verdictWords[verdict]}**.`,
  );
  return [
    ...(changes.length > 0
      ? [`### Readings that would change the verdict (${changes.length})`, "", ...changes, ""]
      : []),
    `<details><summary>Readings (${rows.length}): ambiguous sentences, and the reading that the verdict rests on</summary>`,
    "",
    "| Reading | Value | Chosen | Otherwise |",
    "| --- | --- | --- | --- |",
    ...rows.map(({ id, value, text, by, others }) => {
      const otherValues = others.map((other) => `${code(other.value)} ${prose(otherwise(other.verdict))}`);
      return row([code(id), `${code(value)} ${prose(text)}`, chosenBy[by], otherValues.join("<br>")]);
    }),
    "",
    "</details>",
  ].join("\n");
}

function observations({ observations: rows }: Report): string {
  if (rows.length === 0) return "";
  return [
    `<details><summary>Observations (${rows.length}): behaviour of this target that the interface leaves open</summary>`,
    "",
    "| What | Seen |",
    "| --- | --- |",
    ...rows
      .slice(0, rowLimit)
      .map(({ id, values }) => `| ${code(id)} | ${values.slice(0, 5).map(code).join("<br>")} |`),
    "",
    "</details>",
  ].join("\n");
}

function foot({ suite, run, startedAt, durationMs, summary }: Report): string {
  const cost = summary.costUsd === null ? "" : `, US$ ${summary.costUsd}`;
  const runs = summary.automationRuns > 0 ? `, ${summary.automationRuns} billed runs${cost}` : "";
  return `<sub>${prose(suite.name)} ${prose(suite.version)}, contract ${prose(suite.contract)}, profile ${run.profile}, seed ${run.seed}, ${summary.exchanges} exchanges in ${durationMs} ms${runs}, ${prose(startedAt)}</sub>`;
}

/** Returns a text as one line without control characters. */
function line(text: string): string {
  const visible = visibleText(text.length > cellLimit ? `${text.slice(0, cellLimit)}…` : text);
  return visible.replace(/\s+/g, " ");
}

/** Renders code in one line, also in a table. As HTML, because Markdown can't escape both a pipe and a backtick. */
function code(text: string): string {
  return text === "" ? "" : `<code>${escapeText(line(text))}</code>`;
}

/** Escapes a text, so that it has no Markdown, HTML, links, mentions or issue references. Words between backticks become code. */
function prose(text: string): string {
  const parts = line(text).split(/`([^`]+)`/);
  return parts.map((part, index) => (index % 2 === 1 ? `<code>${escapeText(part)}</code>` : escapeText(part))).join("");
}

/** Replaces characters with a special meaning by numeric character references. */
function escapeText(text: string): string {
  return text.replace(/[&<>"'`|\\*_~[\]()#@!$]|:(?=\S)|(?<=www)\./gi, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Renders a code block with a fence longer than any in its text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const visible =
    text.length > commandLimit
      ? "# The command is too long for this page; it is in the HTML report."
      : visibleText(text);
  return `${fence}sh\n${visible}\n${fence}`;
}
