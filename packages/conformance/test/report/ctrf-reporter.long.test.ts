/** The reporter that teams read CTRF with, https://github.com/ctrf-io/github-test-reporter, by its name on npm. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { renderCtrf } from "../../src/report/ctrf.ts";
import type { Report } from "../../src/report/report.ts";
import { groupByMark } from "../../src/report/verdict.ts";
import { ownFolder } from "../cli/own-folder.ts";
import { check, failedCheck, hostileReport, makeReport, skippedCheck, warnedCheck } from "./reports.ts";

const execute = promisify(execFile);
const folder = ownFolder();
let reporter: string;

beforeAll(async () => {
  folder.write("package.json", { private: true });
  const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  await execute("npm", [...args, "github-actions-ctrf@0.0.58"], { cwd: folder.path });
  const manifest = createRequire(join(folder.path, "package.json")).resolve("github-actions-ctrf/package.json");
  reporter = join(manifest, "../dist/core/cli.js");
}, 300_000);

/** Returns the summary that the reporter writes of a report, and what it prints for the runner. */
async function readSummary(report: Report): Promise<{ summary: string; log: string }> {
  const [file, summary] = [folder.write("report.ctrf.json", renderCtrf(report)), folder.write("summary.md", "")];
  const runner = { GITHUB_STEP_SUMMARY: summary, GITHUB_REPOSITORY: "owner/name", GITHUB_RUN_ID: "1" };
  const surroundings = { cwd: folder.path, env: { ...process.env, ...runner } };
  const { stdout } = await execute(process.execPath, [reporter, file], surroundings);
  return { summary: readFileSync(summary, "utf8"), log: stdout };
}

test("it counts the checks as the report does, and shows each failure with its first finding", async () => {
  const checks = [
    check("scrape/one"),
    failedCheck("scrape/two"),
    warnedCheck("scrape/three"),
    skippedCheck("replay/four"),
  ];
  const { summary, log } = await readSummary(makeReport({ checks, verdict: "not-conforming" }));
  expect(summary).toMatch(/^\| 4 \| 1 \| 1 \| 1 \| 0 \| 1 \| 0 \|/m);
  const [, failed = ""] = /### Failed Tests([^]*?)### Flaky/.exec(summary) ?? [];
  expect(failed).toContain("scrape/two");
  expect(failed).toContain("body /markdown: expected a string, received nothing");
  expect(failed).not.toContain("scrape/three");
  expect(summary).toMatch(/scrape\/three \| other/);
  expect(log.match(/^::error title=.*/gm)).toEqual([expect.stringContaining("scrape/two")]);
});

test("it shows a conforming report without failures", async () => {
  const { summary, log } = await readSummary(makeReport({ checks: [check("scrape/one"), check("scrape/two")] }));
  expect(summary).toMatch(/^\| 2 \| 2 \| 0 \| 0 \| 0 \| 0 \| 0 \|/m);
  expect(log).not.toContain("::error");
});

test("nothing that a target has sent becomes a command of the runner", async () => {
  const report = hostileReport();
  const { log } = await readSummary(report);
  const { fail, error } = groupByMark(report.checks);
  const lines = log.split("\n").filter((line) => line.startsWith("::"));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => !line.startsWith("::error title=Failed Test%3A "))).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(fail.length + error.length + report.expectationProblems.length);
});
