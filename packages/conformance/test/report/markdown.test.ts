import { expect, test } from "vitest";
import { renderMarkdown } from "../../src/report/markdown.ts";
import type { Report } from "../../src/report/report.ts";
import {
  acting,
  check,
  erroredCheck,
  failedCheck,
  failing,
  failingWith,
  finding,
  hostile,
  hostileReport,
  knownCheck,
  makeReport,
  reading,
  skippedCheck,
  staleEntry,
  warnedCheck,
} from "./reports.ts";

test("begins with the verdict and the counts", () => {
  const report = failing();
  const summary = { ...report.summary, checks: { pass: 1, fail: 2, error: 3, skip: 4 } };
  expect(renderMarkdown({ ...report, summary })).toMatch(
    /^## ❌ Not conforming: 1 of 1 stated checks fails\.\n\n1 passed, 2 failed, 3 could not be judged, 4 skipped, of 10 checks\. Target: <code>/,
  );
});

test("shows what failed as a table, with what was expected and received", () => {
  const row = ["scrape/markdown-present", "body /markdown", "a string", "nothing"];
  const table = ["| Check | Where | Expected | Received |", "| --- | --- | --- | --- |"];
  expect(renderMarkdown(failing())).toContain(
    ["### Failures (1)", "", ...table, `| ${row.map((text) => `<code>${text}</code>`).join(" | ")} |`].join("\n"),
  );
});

test("shows the details of a failure closed, with the command that reproduces it", () => {
  const text = renderMarkdown(failing());
  expect(text).toMatch(/<details><summary>scrape\/markdown-present: [^\n]*<\/summary>\n\nRequirement <code>/);
  expect(text).toMatch(
    /```sh\ncurl -i .*\$\{CLOUD_BROWSER_API_KEY:\?\}" .*\n```\n\nIt takes the key .*\n\n<\/details>/,
  );
});

const interrupted = { ...makeReport().run, interrupted: true };
const observation = { id: "o", text: "t", operation: "none" as const, values: ["1", "2"], exchanges: [] };
const open =
  "<code>events.unknown-type</code> | <code>open</code> There may be other types. | default | <code>closed</code>";

/** Parts of reports, and texts of the part of the summary that is about them. */
const parts: readonly (readonly [about: string, parts: Partial<Report>, ...says: string[]])[] = [
  [
    "failures that are expected",
    { checks: [knownCheck("a")] },
    "### Expected failures (1)\n",
    "| <code>a</code> | the new renderer | team | 2026-12-31 |",
  ],
  [
    "entries that need attention",
    { expectationProblems: [staleEntry] },
    "attention (1)\n\n- **stale**: scrape/b holds now.",
  ],
  ["warnings", { checks: [warnedCheck()] }, "### Warnings (1)"],
  [
    "what could not be judged",
    { checks: [erroredCheck("a")] },
    "### Could not be judged (1)\n",
    "| <code>a</code> | no response within 120 s |",
  ],
  ["observations", { observations: [observation] }, "| <code>o</code> | <code>1</code><br><code>2</code> |"],
  ["readings", { readings: [reading()] }, open],
  ["what another reading would change", { readings: [reading()] }, "=closed</code> it would be: **not conforming**."],
  ["an interruption", { run: interrupted }, "**The run was interrupted:**"],
];
test.for(parts)("has a part of its own for %s", ([, fields, ...says]) => {
  const text = renderMarkdown(makeReport(fields));
  expect(says.filter((part) => !text.includes(part))).toEqual([]);
  expect(text).not.toContain("Failures");
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
  expect(renderMarkdown(failingWith("``` ````"))).toMatch(/\n`````sh\n.*``` ````'\n`````\n/);
});

test("stays below the limit of a job summary, whatever there is to tell", () => {
  const findings = [{ ...finding(), received: hostile.repeat(500) }];
  const checks = Array.from({ length: 3000 }, (_, at) => ({ ...failedCheck(`scrape/${hostile}${at}`), findings }));
  const text = renderMarkdown({ ...failingWith("\u202E".repeat(7_000)), checks });
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
  expect(text).toContain("and 2950 more, in the other reports");
});
