import type { CTRFReport, Test } from "ctrf";
import { describeExpected, findingsText, firstFinding } from "./findings-text.ts";
import { chooseMark } from "./verdict.ts";
import { findWord, type CheckResult, type ExpectationProblem, type Report } from "./report.ts";
import { shownJson } from "./visible-text.ts";

/** Version of the Common Test Report Format. */
const specVersion = "0.0.0";

/**
 * Renders a report in the Common Test Report Format: one test per check.
 *
 * | check                          | status    |
 * | ------------------------------ | --------- |
 * | `pass`                         | `passed`  |
 * | `fail`, stated                 | `failed`  |
 * | `fail`, only assumed           | `other`: it warns and decides nothing |
 * | `fail`, expected               | `skipped`, with reason, owner and last day |
 * | `error`                        | `failed`: what could not be judged must not look as if it held |
 * | `skip`                         | `skipped`, with the reason |
 *
 * `rawStatus` is the status of the check. Each problem of the expected failures is a failed test. Tests have the duration 0, because
 * several checks judge the same exchange; the summary has that of the run.
 */
export function renderCtrf(report: Report): string {
  const { suite, target, run, summary, verdict } = report;
  const tests = [
    ...report.checks.map((check) => makeTest(check, report)),
    ...report.expectationProblems.map(makeProblemTest),
  ];
  const count = (status: Test["status"]): number => tests.filter((test) => test.status === status).length;
  const start = Date.parse(report.startedAt) || 0;
  const document: CTRFReport = {
    reportFormat: "CTRF",
    specVersion,
    ...(start > 0 ? { timestamp: new Date(start + report.durationMs).toISOString() } : {}),
    generatedBy: `${suite.name} ${suite.version}`,
    results: {
      tool: { name: suite.name, version: suite.version, extra: { contract: suite.contract } },
      summary: {
        tests: tests.length,
        passed: count("passed"),
        failed: count("failed"),
        skipped: count("skipped"),
        pending: 0,
        other: count("other"),
        suites: new Set(tests.map(({ suite: names }) => names?.[0])).size,
        start,
        stop: start + report.durationMs,
        duration: report.durationMs,
        extra: { verdict, sentence: report.sentence, exitCode: report.exitCode, ...summary },
      },
      environment: {
        reportName: "Conformance to the cloud browser interface",
        appName: target.name,
        testEnvironment: target.kind,
        healthy: verdict === "conforming",
        extra: {
          baseUrl: target.baseUrl,
          automationUrl: target.automationUrl,
          automationWord: target.automationWord,
          serviceWord: target.serviceWord,
          profile: run.profile,
          seed: run.seed,
          interrupted: run.interrupted,
          lacks: target.lacks,
        },
      },
      tests,
      extra: { observations: report.observations.map(({ id, text, values }) => ({ id, text, values })) },
    },
  };
  return `${shownJson(document)}\n`;
}

function makeTest(check: CheckResult, report: Report): Test {
  const { id, title, level, operation, status, exchanges } = check;
  const [requirement, ...others] = check.requirements;
  return {
    testId: id,
    name: id,
    suite: [findWord(check)],
    duration: 0,
    type: "conformance",
    rawStatus: status,
    tags: [level, operation],
    labels: { level, operation, ...(requirement === undefined ? {} : { requirements: [requirement, ...others] }) },
    ...makeResult(check, report),
    extra: { title: title, exchanges },
  };
}

type TestResult = Pick<Test, "status" | "message" | "trace" | "stdout">;

function makeResult(check: CheckResult, report: Report): TestResult {
  const reason = check.reason ?? "The reason is not known.";
  const message = firstFinding(check);
  const text = (): string => findingsText(check, report);
  switch (chooseMark(check)) {
    case "pass":
      return { status: "passed" };
    case "skip":
      return { status: "skipped", message: reason };
    case "error":
      return { status: "failed", message: `could not be judged: ${reason}` };
    case "expected":
      return {
        status: "skipped",
        message: `expected to fail ${describeExpected(check)}`,
        stdout: text().split("\n"),
      };
    case "warning": {
      const warning = `warning, does not affect the verdict: ${message}`;
      return { status: "other", message: warning, stdout: text().split("\n") };
    }
    case "fail":
      return { status: "failed", message, trace: text() };
  }
}

function makeProblemTest({ id, kind, sentence }: ExpectationProblem): Test {
  return {
    name: `${kind}: ${id}`,
    suite: ["expected-failures"],
    status: "failed",
    duration: 0,
    rawStatus: kind,
    message: sentence,
  };
}
