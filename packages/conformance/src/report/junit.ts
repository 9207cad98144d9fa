import junit, { type Builder, type TestCase } from "junit-report-builder";
import { findWord, type CheckResult, type Report } from "./report.ts";
import { describeExpected, findingsText, firstFinding } from "./findings-text.ts";
import { chooseMark } from "./verdict.ts";
import { visibleText } from "./visible-text.ts";

const builder = makeBuilder(junit);

/** The types of this CommonJS package put the builder under `default`; Node gives it as the default import itself. */
function makeBuilder(imported: Builder | { readonly default: Builder }): Builder {
  return "newBuilder" in imported ? imported : imported.default;
}

/**
 * Renders a report as JUnit XML: one suite per word of the check ids, one test case per check.
 *
 * A failed check of the level `assumed` is a test case that passes, with the warning as its output: it decides nothing. A failure that is
 * expected is `skipped` with its reason and owner. The problems of the expected failures are a suite of its own, in which each of them
 * fails. A skipped check is `skipped`, never passed. There are no times, because several checks judge the same exchange.
 */
export function renderJunit(report: Report): string {
  const xml = builder.newBuilder().name(clean(`${report.suite.name} ${report.suite.version}`));
  const { verdict, sentence, target, suite, run } = report;
  const properties = {
    verdict,
    sentence,
    target: target.name,
    kind: target.kind,
    contract: suite.contract,
    profile: run.profile,
    seed: String(run.seed),
    interrupted: String(run.interrupted),
  };
  for (const [word, checks] of Map.groupBy(report.checks, findWord)) {
    const group = xml.testSuite().name(clean(word)).timestamp(clean(report.startedAt));
    for (const [name, value] of Object.entries(properties)) group.property(name, clean(value));
    for (const check of checks) {
      const testCase = group
        .testCase()
        .name(clean(check.id))
        .className(clean(`cloud-browser.${word}`));
      describeResult(testCase, check, report);
    }
  }
  if (report.expectationProblems.length === 0) return xml.build();
  const problems = xml.testSuite().name("expected-failures").timestamp(clean(report.startedAt));
  for (const { id, kind, sentence: text } of report.expectationProblems) {
    const name = clean(`${kind}: ${id}`);
    problems.testCase().name(name).className("cloud-browser.expected-failures").failure(clean(text), kind);
  }
  return xml.build();
}

function describeResult(testCase: TestCase, check: CheckResult, report: Report): void {
  const reason = check.reason ?? "The reason is not known.";
  const text = (): string => clean(findingsText(check, report));
  switch (chooseMark(check)) {
    case "pass":
      return;
    case "skip":
      skip(testCase, clean(reason));
      return;
    case "error":
      testCase.error(clean(reason), "error", clean(`${check.title}\n${reason}`));
      return;
    case "expected":
      skip(testCase, clean(`expected to fail ${describeExpected(check)}`));
      testCase.standardOutput(text());
      return;
    case "warning":
      testCase.standardOutput(`warning, does not affect the verdict\n${text()}`);
      return;
    case "fail":
      testCase.failure(clean(firstFinding(check)), "stated").stacktrace(text());
  }
}

/** Marks a test case as skipped, and adds the reason to the element, which the builder does not support. */
function skip(testCase: TestCase, message: string): void {
  const build = testCase.build.bind(testCase);
  testCase.getSkippedCount = () => 1;
  testCase.build = (parent) => {
    const element = build(parent);
    element.ele("skipped", { message });
    return element;
  };
}

/**
 * Returns a text that is valid in XML 1.0.
 *
 * The builder would drop characters that XML does not allow, without a trace. And it keeps only the first `]]>` of a
 * text from ending its CDATA section, so none may be there.
 */
function clean(text: string): string {
  return visibleText(text).replaceAll("]]>", "]] >");
}
