import { styleText } from "node:util";
import type { Finding } from "../check.ts";
import type { CheckResult, Report, Status } from "../report.ts";
import { countsOf, wordOf } from "../report.ts";
import { visibleText } from "./visible-text.ts";

/** Most findings of one check that the terminal shows; the reports hold them all. */
const findingLimit = 3;

/** Most reasons that the terminal shows. */
const reasonLimit = 6;

/**
 * Renders the end of a run for a terminal: one line per group of checks, what failed and why, what was not judged, the
 * verdict, and a closing line that machines can read.
 *
 * Colours only when standard output is a terminal that wants them.
 *
 * Source: ours.
 */
export function renderTerminal(report: Report): string {
  const failed = report.checks.filter((check) => check.status === "fail" && check.level === "stated");
  const warned = report.checks.filter((check) => check.status === "fail" && check.level === "assumed");
  const parts = [
    groups(report.checks),
    ...failed.map((check) => problem(check, "fail", report)),
    ...warned.map((check) => problem(check, "warn", report)),
    reasons(report.checks, "error", "could not be judged"),
    reasons(report.checks, "skip", "not observable on this target"),
    closing(report),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function groups(checks: readonly CheckResult[]): string {
  const words = [...new Set(checks.map(wordOf))];
  const width = Math.max(...words.map((word) => word.length));
  return words
    .map((word) => {
      const counts = countsOf(checks.filter((check) => wordOf(check) === word));
      const mark = counts.fail > 0 ? paint("red", "✗") : counts.error > 0 ? paint("yellow", "!") : paint("green", "✓");
      const cells = (["pass", "fail", "error", "skip"] as const).map((status) => cell(counts[status], status));
      return `  ${mark} ${word.padEnd(width)} ${cells.join("")}`.trimEnd();
    })
    .join("\n");
}

function cell(count: number, status: Status): string {
  if (count === 0) return " ".repeat(12);
  return paint(colors[status], `${String(count).padStart(6)} ${status.padEnd(5)}`);
}

const colors = { pass: "green", fail: "red", error: "yellow", skip: "gray" } as const;

function problem(check: CheckResult, label: "fail" | "warn", report: Report): string {
  const head = paint(label === "fail" ? "red" : "yellow", label === "fail" ? "FAIL" : "WARN");
  const grouped = groupFindings(check.findings);
  const more = grouped.length - findingLimit;
  return [
    `${head} ${paint("bold", check.id)}  ${check.title}`,
    ...grouped.slice(0, findingLimit).map((group) => findingLines(group, report)),
    ...(more > 0 ? [paint("gray", `     and ${more} more, in the reports`)] : []),
  ].join("\n");
}

/** The same thing in many exchanges is one thing. */
function groupFindings(findings: readonly Finding[]): Finding[][] {
  const alike = Map.groupBy(findings, ({ exchange: _, ...rest }) => JSON.stringify(rest));
  return [...alike.values()];
}

function findingLines([finding, ...others]: readonly Finding[], report: Report): string {
  if (!finding) return "";
  const requirement = report.requirements.find(({ id }) => id === finding.requirement);
  const section = requirement ? paint("gray", `  (${requirement.section})`) : "";
  const rows: [string, string][] = [
    ["requirement", `${finding.requirement}${section}`],
    ["where", visibleText(finding.where)],
    ["expected", visibleText(finding.expected)],
    ["received", visibleText(finding.received)],
    ["exchange", `${finding.exchange}${others.length > 0 ? ` and ${others.length} more` : ""}`],
  ];
  return rows.map(([name, value]) => `     ${paint("gray", name.padEnd(12))}${value}`).join("\n");
}

/** Checks of one status, counted by reason; the most frequent reasons first. */
function reasons(checks: readonly CheckResult[], status: "error" | "skip", what: string): string {
  const concerned = checks.filter((check) => check.status === status);
  if (concerned.length === 0) return "";
  const sorted = [...Map.groupBy(concerned, ({ reason = "" }) => reason)].sort(
    ([, some], [, others]) => others.length - some.length,
  );
  const more = sorted.length - reasonLimit;
  return [
    `${paint(colors[status], status.toUpperCase().padEnd(4))} ${concerned.length === 1 ? "1 check" : `${concerned.length} checks`} ${what}`,
    ...sorted
      .slice(0, reasonLimit)
      .map(([reason, { length }]) => `${String(length).padStart(8)}  ${visibleText(reason)}`),
    ...(more > 0 ? [paint("gray", `          and ${more} more reasons, in the reports`)] : []),
  ].join("\n");
}

function closing(report: Report): string {
  const { checks, warnings } = report.summary;
  const good = report.verdict === "conforming";
  const warning = `${warnings} of the failed checks only warn: the interface does not state what they judge.`;
  const failed = checks.fail + checks.error;
  return [
    paint(good ? "green" : "red", paint("bold", report.sentence)),
    coverage(report),
    ...(warnings > 0 ? [warning] : []),
    ...costLine(report),
    `${checks.pass} passed, ${failed} failed, ${checks.skip} skipped`,
  ].join("\n");
}

/** What is not checked here is never said to hold. */
function coverage({ requirements, summary }: Report): string {
  const skipped = requirements.filter((row) => row.status === "skip");
  const unseen = skipped.filter((row) => row.observable === "contract" || row.observable === "none").length;
  const parts = [`${skipped.length - unseen} that this target does not show`, `${unseen} that no run can see`];
  return `Of ${requirements.length} requirements ${summary.requirements.pass} were seen to hold. Not checked: ${parts.join(", ")}.`;
}

function costLine({ summary }: Report): string[] {
  if (summary.automationRuns === 0) return [];
  const cost = summary.costUsd === null ? "an unknown amount" : `${summary.costUsd} US dollars`;
  return [`Automation runs started: ${summary.automationRuns}, at the cost of ${cost}.`];
}

function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
