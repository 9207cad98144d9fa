import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../src/report/markdown.ts";
import {
  acting,
  check,
  failedCheck,
  failing,
  finding,
  hostile,
  hostileReport,
  reading,
  makeReport,
  skippedCheck,
} from "./reports.ts";

test("begins with the verdict and the counts", () => {
  const report = failing();
  const summary = { ...report.summary, checks: { pass: 1, fail: 2, error: 3, skip: 4 } };
  expect(renderMarkdown({ ...report, summary })).toMatch(
    /^## ❌ Not conforming: 1 of 1 stated checks fails\.\n\n1 passed, 2 failed, 3 could not be judged, 4 skipped, of 10 checks\. Target: <code>/,
  );
});

test("shows what failed as a table, with what was expected and received", () => {
  expect(renderMarkdown(failing())).toContain(
    [
      "### Failures (1)",
      "",
      "| Check | Where | Expected | Received |",
      "| --- | --- | --- | --- |",
      "| <code>scrape/markdown-present</code> | <code>body /markdown</code> | <code>a string</code> | <code>nothing</code> |",
    ].join("\n"),
  );
});

test("shows the details of a failure closed, with the command that reproduces it", () => {
  const text = renderMarkdown(failing());
  expect(text).toMatch(/<details><summary>scrape\/markdown-present: [^\n]*<\/summary>\n\nRequirement <code>/);
  expect(text).toMatch(
    /```sh\ncurl -i .*\$\{CLOUD_BROWSER_API_KEY:\?\}" .*\n```\n\nIt takes the key .*\n\n<\/details>/,
  );
});

describe("has a part of its own for", () => {
  const expected = { id: "a", reason: "known", owner: "team", expires: "2026-12-31" };
  test.for([
    {
      name: "failures that are expected",
      given: makeReport({ checks: [{ ...failedCheck("a"), expected }] }),
      says: "### Expected failures (1)\n\n| Check | Reason | Owner | Until |\n| --- | --- | --- | --- |\n| <code>a</code> | known | team | 2026-12-31 |",
    },
    {
      name: "entries that need attention",
      given: makeReport({ expectationProblems: [{ id: "a", kind: "stale", sentence: "a holds now." }] }),
      says: "### Expected failures that need attention (1)\n\n- **stale**: a holds now.",
    },
    { name: "warnings", given: failing({ level: "assumed" }), says: "### Warnings (1)" },
    {
      name: "what could not be judged",
      given: makeReport({ checks: [{ ...check("a"), status: "error", reason: "reset" }] }),
      says: "### Could not be judged (1)\n\n| Check | Reason |\n| --- | --- |\n| <code>a</code> | reset |",
    },
    {
      name: "observations",
      given: makeReport({
        observations: [{ id: "o", text: "t", operation: "none", values: ["1", "2"], exchanges: [] }],
      }),
      says: "| <code>o</code> | <code>1</code><br><code>2</code> |",
    },
    {
      name: "readings",
      given: makeReport({ readings: [reading()] }),
      says: "| <code>events.unknown-type</code> | <code>open</code> There may be other types. | default | <code>closed</code> not conforming |",
    },
    {
      name: "what another reading would change",
      given: makeReport({ readings: [reading()] }),
      says: "### Readings that would change the verdict (1)\n\n- With <code>events.unknown-type=closed</code> it would be: **not conforming**.",
    },
    {
      name: "an interruption",
      given: makeReport({ run: { ...makeReport().run, interrupted: true } }),
      says: "**The run was interrupted:**",
    },
  ])("$name", ({ given: report, says }) => {
    expect(renderMarkdown(report)).toContain(says);
    expect(renderMarkdown(report)).not.toContain("Failures");
  });
});

test("leaves out what is empty", () => {
  const text = renderMarkdown(makeReport({ checks: [check(), skippedCheck("b")] }));
  expect(text.match(/^#+ .*/gm)).toHaveLength(1);
  expect(text).not.toContain("<details>");
});

test("reads nothing that a target sent as Markdown, HTML, a mention or a fence", () => {
  const text = renderMarkdown(hostileReport());
  const outside = text.replace(/^(`{3,})sh\n[^]*?\n\1$/gm, "");
  expect(outside).not.toMatch(/<(?!\/?(?:code|details|summary|sub|br)>)/);
  expect(outside.replace(/&#\d+;/g, "")).not.toMatch(/\]\(|@everyone|`|^::/m);
  expect(text).not.toMatch(acting);
  const [opened, closed] = [/<details>/g, /<\/details>/g].map((tag) => outside.match(tag)?.length);
  expect(opened).toBeGreaterThan(0);
  expect(opened).toBe(closed);
  const rows = outside.split("\n").filter((line) => line.startsWith("|"));
  expect(rows).not.toEqual([]);
  for (const row of rows) expect(row.match(/\|/g)?.length).toBeLessThanOrEqual(5);
});

test("gives a command with backticks a longer fence", () => {
  const report = failing();
  const [first] = report.exchanges;
  const exchanges = first ? [{ ...first, request: { ...first.request, body: "``` ````" } }] : [];
  expect(renderMarkdown({ ...report, exchanges })).toMatch(/\n`````sh\n.*``` ````'\n`````\n/);
});

test("stays below the limit of a job summary, whatever there is to tell", () => {
  const findings = [{ ...finding(), received: hostile.repeat(500) }];
  const checks = Array.from({ length: 3000 }, (_, index) => ({
    ...failedCheck(`scrape/${hostile}${index}`),
    findings,
  }));
  const report = failing();
  const [first] = report.exchanges;
  const exchanges = first ? [{ ...first, request: { ...first.request, body: "\u202E".repeat(7_000) } }] : [];
  const text = renderMarkdown({ ...report, checks, exchanges });
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(text).toContain("and 2950 more, in the other reports");
});
