import junit, { type Builder, type TestCase } from "junit-report-builder";
import { wordOf, type CheckResult, type Report } from "../report.ts";
import { visibleText } from "./visible-text.ts";

const builder = builderOf(junit);

/** The types of this CommonJS package put the builder under `default`; Node gives it as the default import itself. */
function builderOf(imported: Builder | { readonly default: Builder }): Builder {
  return "newBuilder" in imported ? imported : imported.default;
}

/**
 * Renders a report as JUnit XML: one suite per word of the check ids, one test case per check.
 *
 * A failed check of the level `assumed` is a test case that passes, with the warning as its output: it decides nothing.
 * A skipped check is `skipped`, never passed. There are no times, because several checks judge the same exchange.
 *
 * Source: ours.
 */
export function renderJunit(report: Report): string {
  const xml = builder.newBuilder().name(clean(`${report.suite.name} ${report.suite.version}`));
  const { verdict, sentence, target, suite } = report;
  const properties = { verdict, sentence, target: target.name, kind: target.kind, contract: suite.contract };
  for (const [word, checks] of Map.groupBy(report.checks, wordOf)) {
    const group = xml.testSuite().name(clean(word)).timestamp(clean(report.startedAt));
    for (const [name, value] of Object.entries(properties)) group.property(name, clean(value));
    for (const check of checks) {
      const testCase = group
        .testCase()
        .name(clean(check.id))
        .className(clean(`cloud-browser.${word}`));
      describeResult(testCase, check);
    }
  }
  return xml.build();
}

function describeResult(testCase: TestCase, check: CheckResult): void {
  const reason = check.reason ?? "The reason is not known.";
  switch (check.status) {
    case "pass":
      return;
    case "skip":
      skip(testCase, clean(reason));
      return;
    case "error":
      testCase.error(clean(reason), "error", clean(`${check.title}\n${reason}`));
      return;
    case "fail":
      if (check.level === "assumed") testCase.standardOutput(clean(`warning, decides nothing\n${findingsText(check)}`));
      else testCase.failure(clean(firstLine(check)), "stated").stacktrace(clean(findingsText(check)));
  }
}

/** The builder knows `skipped` only without a reason, so the reason is added where the element is made. */
function skip(testCase: TestCase, message: string): void {
  const build = testCase.build.bind(testCase);
  testCase.getSkippedCount = () => 1;
  testCase.build = (parent) => {
    const element = build(parent);
    element.ele("skipped", { message });
    return element;
  };
}

function firstLine({ title, findings: [first] }: CheckResult): string {
  return first ? `${first.where}: expected ${first.expected}, received ${first.received}` : title;
}

function findingsText({ title, findings }: CheckResult): string {
  const texts = findings.map(
    ({ requirement, where, expected, received, exchange }) =>
      `requirement: ${requirement}\nwhere: ${where}\nexpected: ${expected}\nreceived: ${received}\nexchange: ${exchange}\n`,
  );
  return [`${title}\n`, ...texts].join("\n");
}

/**
 * Text that XML 1.0 can carry.
 *
 * The builder would drop characters that XML does not allow, without a trace. And it keeps only the first `]]>` of a
 * text from ending its CDATA section, so none may be there.
 */
function clean(text: string): string {
  return visibleText(text).replaceAll("]]>", "]] >");
}
