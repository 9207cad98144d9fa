import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseExpectedFailures } from "../expected-failures.ts";
import { updateExpectedFailures } from "../expected-failures-update.ts";
import { notSelected } from "../judging.ts";
import type { ExpectedFailure, Report } from "../report.ts";
import { SuiteError } from "../suite-error.ts";
import { checks } from "../suite.ts";

/**
 * Reads a file of expected failures.
 *
 * Source: ours.
 *
 * @throws {SuiteError} `usage` when it can't be read, or has mistakes: a sentence for each.
 */
export function readKnownFailures(file: string): readonly ExpectedFailure[] {
  const { entries, mistakes } = parseExpectedFailures(textOf(file));
  if (mistakes.length > 0) throw new SuiteError("usage", `${file}: ${mistakes.join("\n  ")}`);
  return entries;
}

/**
 * Writes the least file that covers what failed in a run.
 *
 * Source: ours.
 *
 * @returns What was changed, as a sentence.
 * @throws {SuiteError} `usage` when the file is none that can be brought up to date.
 */
export function updateKnownFailures(file: string, report: Report): string {
  const results = checks.map((check) => report.checks.find(({ id }) => id === check.id) ?? notSelected(check));
  try {
    const before = existsSync(file) ? textOf(file) : "";
    const { text, added, removed } = updateExpectedFailures(before, results, report.startedAt.slice(0, 10));
    writeFileSync(file, text);
    const advice = added.length > 0 ? "; fill in reason and owner of what was added" : "";
    return `${file}: ${added.length} added, ${removed.length} removed${advice}.`;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new SuiteError("usage", `${file} can't be brought up to date: ${cause.message}`, { cause });
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const advice = "give an existing file, or make one with --update-expected-failures";
    throw new SuiteError("usage", `the expected failures could not be read (${why}); ${advice}`, { cause });
  }
}
