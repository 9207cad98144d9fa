import { expect, test } from "vitest";
import { renderAnnotations } from "../../src/report/annotations.ts";
import {
  acting,
  failedCheck,
  failing,
  finding,
  hostileReport,
  knownCheck,
  makeReport,
  staleEntry,
  warnedCheck,
} from "./reports.ts";

test("is an error for a failed check, and a notice with the sentence", () => {
  expect(renderAnnotations(failing())).toBe(
    "::error title=scrape/markdown-present::body /markdown: expected a string, received nothing (scrape.response.markdown.required)\n" +
      "::notice title=Conformance::Not conforming: 1 of 1 stated checks fails.\n",
  );
});

test("escapes what ends a command or a property, and nothing else", () => {
  const report = failing({ id: "a:b,c%d", findings: [{ ...finding(), where: "50%, a: b\r\nc" }] });
  const [line] = renderAnnotations(report).split("\n");
  expect(line).toMatch(/^::error title=a%3Ab%2Cc%25d::50%25, a: b‹U\+000D›%0Ac: expected/);
});

test("is at most ten errors, and tells how many more there are", () => {
  const checks = Array.from({ length: 13 }, (_, index) => failedCheck(`scrape/${index}`));
  const text = renderAnnotations(makeReport({ checks, sentence: "Not conforming." }));
  expect(text.match(/^::error/gm)).toHaveLength(10);
  expect(text).toMatch(/\n::notice title=Conformance::Not conforming\. 3 more are in the reports\.\n$/);
});

test("no annotation for warnings, expected failures and skipped checks; one for an expected failure that needs attention", () => {
  const report = makeReport({
    checks: [knownCheck(), warnedCheck()],
    expectationProblems: [staleEntry],
    sentence: "x",
  });
  expect(renderAnnotations(report)).toBe(
    "::error title=stale%3A scrape/b::scrape/b holds now.\n::notice title=Conformance::x\n",
  );
});

test("lets a target make no line and no command of its own", () => {
  const text = renderAnnotations(hostileReport());
  for (const line of text.trimEnd().split("\n")) expect(line).toMatch(/^::(error|notice) title=[^:,]*::/);
  expect(text).not.toMatch(acting);
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThan(3000);
});
