import { styleText } from "node:util";
import type { Finding } from "../checks/check.ts";
import type { CheckResult, ExpectationProblem, Report } from "./report.ts";
import { groupFindings } from "./findings-text.ts";
import { findWord, groupByReason } from "./report.ts";
import { checkPage } from "./docs-page.ts";
import { countStatuses, groupByMark, realTargetNote, type Counts, type Status } from "./verdict.ts";
import { listReproductions, type Reproduction } from "./shell/curl.ts";
import { readingLines } from "./readings-text.ts";
import { formatCount, visibleLine } from "./visible-text.ts";

/** Maximum number of findings of one check on the terminal; the reports have all of them. */
const findingLimit = 3;

/** Maximum length of a command on the terminal, in UTF-16 units; the HTML report has all of them. */
const commandLimit = 2_000;

/** Maximum length of a value on the terminal, in UTF-16 units. */
const valueLimit = 1_000;

/** Maximum number of reasons on the terminal. */
const reasonLimit = 6;

/**
 * Renders the end of a run for a terminal: one line per group of checks, what failed and why, what was not judged, the verdict, and a
 * closing line that machines can read. Each failure comes with a command that reproduces it.
 *
 * Every value of a target stays on its line, and none of it is executed, neither by the terminal nor by a CI service that reads the output.
 *
 * Colours only when standard output is a terminal that wants them.
 */
export function renderTerminal(report: Report): string {
  const { fail, warning, expected, error, skip } = groupByMark(report.checks);
  const parts = [
    groups(report.checks),
    ...fail.map((check) => problem(check, paint("red", "FAIL"), report)),
    ...warning.map((check) => problem(check, paint("yellow", "WARN"), report)),
    expected.map(renderKnownFailure).join("\n"),
    report.expectationProblems.map(expectationProblem).join("\n"),
    reasons(error, "error", "could not be judged"),
    reasons(skip, "skip", "not judged"),
    retries(report),
    closing(report),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function groups(checks: readonly CheckResult[]): string {
  const words = [...new Set(checks.map(findWord))];
  const width = Math.max(...words.map((word) => word.length));
  return words
    .map((word) => {
      const counts = countStatuses(checks.filter((check) => findWord(check) === word));
      const expectedCount = checks.filter((check) => findWord(check) === word && check.expected).length;
      const mark = chooseMark({ ...counts, fail: counts.fail - expectedCount });
      const cells = (["pass", "fail", "error", "skip"] as const).map((status) => cell(counts[status], status));
      return `  ${mark} ${word.padEnd(width)} ${cells.join("")}`.trimEnd();
    })
    .join("\n");
}

/** Returns the mark of a group: no tick when nothing was judged, no cross for an expected failure. */
function chooseMark(counts: Counts): string {
  if (counts.fail > 0) return paint("red", "✗");
  if (counts.error > 0) return paint("yellow", "!");
  return counts.pass > 0 ? paint("green", "✓") : paint("gray", "–");
}

function cell(count: number, status: Status): string {
  if (count === 0) return " ".repeat(12);
  return paint(colors[status], `${String(count).padStart(6)} ${status.padEnd(5)}`);
}

const colors = { pass: "green", fail: "red", error: "yellow", skip: "gray" } as const;

function problem(check: CheckResult, head: string, report: Report): string {
  const grouped = groupFindings(check.findings);
  const more = grouped.length - findingLimit;
  return [
    `${head} ${paint("bold", visibleLine(check.id))}  ${visibleLine(check.title)}`,
    ...grouped.slice(0, findingLimit).map((group) => findingLines(group, report)),
    ...(more > 0 ? [paint("gray", `     and ${more} more, in the reports`)] : []),
    ...(check.findingsLeftOut ? [paint("gray", `     and ${check.findingsLeftOut} more that are not kept`)] : []),
    ...listReproductions(check, report).map(reproduction),
    ...explained(check, report),
  ].join("\n");
}

function explained({ id }: CheckResult, report: Report): string[] {
  const page = checkPage(id, report);
  return page === undefined ? [] : [line("explained", show(page))];
}

function reproduction({ command, notes }: Reproduction): string {
  const rows = notes.map((note) => line("", paint("gray", note)));
  return [line("reproduce", shortEnough(command)), ...rows].join("\n");
}

function show(text: string): string {
  return visibleLine(text, valueLimit);
}

function shortEnough(command: string): string {
  return command.length > commandLimit ? "the command is long; it is in report.html" : command;
}

function line(name: string, value: string): string {
  return `     ${paint("gray", name.padEnd(12))}${value}`;
}

/** Renders an expected failure in one line; the reports have it in full. */
function renderKnownFailure({ id, expected }: CheckResult): string {
  if (!expected) return "";
  const why = visibleLine(`until ${expected.expires}, ${expected.owner}: ${expected.reason}`, valueLimit);
  return `${paint("yellow", "KNOWN")} ${paint("bold", visibleLine(id))}  ${paint("gray", why)}`;
}

function expectationProblem({ sentence }: ExpectationProblem): string {
  return `${paint("red", "FAIL")} ${paint("bold", "expected failures")}  ${visibleLine(sentence, valueLimit)}`;
}

function retries({ run }: Report): string {
  if (run.retries.length === 0) return "";
  const names = [...new Set(run.retries.map(({ exchange }) => exchange))].slice(0, reasonLimit).join(", ");
  const [{ reason } = { reason: "" }] = run.retries;
  const count = run.retries.length === 1 ? "1 request was" : `${run.retries.length} requests were`;
  return `${paint("yellow", "RETRY")} ${count} sent again (the first one: ${visibleLine(reason, valueLimit)}): ${visibleLine(names, valueLimit)}`;
}

function findingLines([finding, ...others]: readonly Finding[], report: Report): string {
  if (!finding) return "";
  const requirement = report.requirements.find(({ id }) => id === finding.requirement);
  const section = requirement ? paint("gray", `  (${requirement.section})`) : "";
  const rows: [string, string][] = [
    ["requirement", `${show(finding.requirement)}${section}`],
    ["where", show(finding.where)],
    ["expected", show(finding.expected)],
    ["received", show(finding.received)],
    ["exchange", `${show(finding.exchange)}${others.length > 0 ? ` and ${others.length} more` : ""}`],
  ];
  return rows.map(([name, value]) => line(name, value)).join("\n");
}

/** Renders checks of one status, counted by reason; the most frequent reasons first. */
function reasons(checks: readonly CheckResult[], status: "error" | "skip", what: string): string {
  if (checks.length === 0) return "";
  const sorted = groupByReason(checks);
  const more = sorted.length - reasonLimit;
  return [
    `${paint(colors[status], status.toUpperCase().padEnd(4))} ${formatCount(checks.length, "check")} ${what}`,
    ...sorted
      .slice(0, reasonLimit)
      .map(([reason, { length }]) => `${String(length).padStart(8)}  ${visibleLine(reason, valueLimit)}`),
    ...(more > 0 ? [paint("gray", `          and ${formatCount(more, "more reason")}, in the reports`)] : []),
  ].join("\n");
}

function closing(report: Report): string {
  const { warnings } = report.summary;
  const warning = `${warnings} of the failed checks only warn: the interface does not state what they judge.`;
  return [
    paint(verdictColors[report.verdict], paint("bold", visibleLine(report.sentence))),
    coverage(report),
    ...[realTargetNote(report.target.kind, report.checks) ?? []].flat(),
    ...readingLines(report),
    ...(warnings > 0 ? [warning] : []),
    ...costLine(report),
    closingLine(report),
  ].join("\n");
}

/** Returns the counts in a line that machines can read, too. */
export function closingLine({ checks, summary }: Report): string {
  const expectedCount = checks.filter((check) => check.expected).length;
  const { pass, fail, error, skip } = summary.checks;
  const expected = expectedCount > 0 ? `, ${expectedCount} failed as expected` : "";
  return `${pass} passed, ${fail + error - expectedCount} failed, ${skip} skipped${expected}`;
}

/** Colour of each verdict. */
export const verdictColors = {
  conforming: "green",
  "not-conforming": "red",
  unfinished: "yellow",
  "nothing-checked": "yellow",
} as const;

/** Returns the line on coverage; it never claims that an unchecked requirement holds. */
function coverage({ requirements, summary }: Report): string {
  const skipped = requirements.filter((row) => row.status === "skip");
  const unseen = skipped.filter((row) => row.observable === "contract" || row.observable === "none").length;
  const parts = [`${skipped.length - unseen} that this run did not show`, `${unseen} that no run can see`];
  return `Of ${requirements.length} requirements ${summary.requirements.pass} were seen to hold. Not checked: ${parts.join(", ")}.`;
}

function costLine({ summary }: Report): string[] {
  if (summary.automationRuns === 0) return [];
  const cost = summary.costUsd === null ? "an unknown amount" : `${summary.costUsd} US dollars`;
  return [`Automation runs started: ${summary.automationRuns}, at the cost of ${cost}.`];
}

/** Colours a text, where standard output is a terminal that wants it. */
export function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
