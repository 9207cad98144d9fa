import { styleText } from "node:util";
import type { Finding } from "../check.ts";
import type { CheckResult, Report, Status } from "../report.ts";
import { countsOf } from "../report.ts";

/** Most findings of one check that the terminal shows; the reports hold them all. */
const findingLimit = 3;

/** Control characters: a server must not be able to move the cursor or to colour what we print. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controls = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

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

function wordOf(check: CheckResult): string {
  return check.id.split("/", 1)[0] ?? "";
}

function cell(count: number, status: Status): string {
  if (count === 0) return " ".repeat(12);
  return paint(colors[status], `${String(count).padStart(6)} ${status.padEnd(5)}`);
}

const colors = { pass: "green", fail: "red", error: "yellow", skip: "gray" } as const;

function problem(check: CheckResult, label: "fail" | "warn", report: Report): string {
  const head = paint(label === "fail" ? "red" : "yellow", label === "fail" ? "FAIL" : "WARN");
  const shown = check.findings.slice(0, findingLimit);
  const more = check.findings.length - shown.length;
  const rest = more > 0 ? [paint("gray", `     and ${more} more, in the reports`)] : [];
  return [
    `${head} ${paint("bold", check.id)}  ${check.title}`,
    ...shown.map((one) => findingLines(one, report)),
    ...rest,
  ].join("\n");
}

function findingLines(finding: Finding, report: Report): string {
  const requirement = report.requirements.find(({ id }) => id === finding.requirement);
  const rows: [string, string][] = [
    ["requirement", `${finding.requirement}${requirement ? paint("gray", `  (${requirement.section})`) : ""}`],
    ["where", clean(finding.where)],
    ["expected", clean(finding.expected)],
    ["received", clean(finding.received)],
    ["exchange", finding.exchange],
  ];
  return rows.map(([name, value]) => `     ${paint("gray", name.padEnd(12))}${value}`).join("\n");
}

/** Checks of one status, counted by reason. */
function reasons(checks: readonly CheckResult[], status: "error" | "skip", what: string): string {
  const counts = new Map<string, number>();
  for (const check of checks) {
    if (check.status === status) counts.set(check.reason ?? "", (counts.get(check.reason ?? "") ?? 0) + 1);
  }
  if (counts.size === 0) return "";
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const head = paint(colors[status], status.toUpperCase().padEnd(4));
  const lines = [...counts].map(([reason, count]) => `${String(count).padStart(8)}  ${clean(reason)}`);
  return [`${head} ${total} ${total === 1 ? "check" : "checks"} ${what}`, ...lines].join("\n");
}

function closing(report: Report): string {
  const { checks, requirements, warnings } = report.summary;
  const good = report.verdict === "conforming";
  const total = requirements.pass + requirements.fail + requirements.error + requirements.skip;
  const coverage = `Of ${total} requirements ${requirements.pass} were seen to hold; ${requirements.skip} were not checked on this target.`;
  const warning = warnings > 0 ? ` ${warnings} of the failed checks only warn: the interface does not state them.` : "";
  const failed = checks.fail + checks.error;
  return [
    paint(good ? "green" : "red", paint("bold", report.sentence)),
    `${coverage}${warning}`,
    ...costLine(report),
    `${checks.pass} passed, ${failed} failed, ${checks.skip} skipped`,
  ].join("\n");
}

function costLine({ summary }: Report): string[] {
  if (summary.automationRuns === 0) return [];
  const cost = summary.costUsd === null ? "an unknown amount" : `${summary.costUsd} US dollars`;
  return [`Automation runs started: ${summary.automationRuns}, at the cost of ${cost}.`];
}

function clean(text: string): string {
  return text.replace(controls, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function paint(style: Parameters<typeof styleText>[0], text: string): string {
  return styleText(style, text, { stream: process.stdout });
}
