import { accessSync, constants, existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseExpectedFailures } from "../baseline/expected-failures.ts";
import { updateExpectedFailures, type ExpectedFailuresUpdate } from "../baseline/expected-failures-update.ts";
import { notSelected } from "../run/evaluation.ts";
import type { CheckResult, ExpectedFailure, Report } from "../report/report.ts";
import { formatMessage, SuiteError } from "../http/suite-error.ts";
import { checks } from "../run/suite.ts";

/**
 * Reads a file of expected failures.
 *
 * @throws {SuiteError} `usage` when it can't be read, or has mistakes: a sentence for each.
 */
export function readExpectedFailures(file: string): readonly ExpectedFailure[] {
  const { entries, mistakes } = parseExpectedFailures(formatText(file));
  if (mistakes.length > 0) throw new SuiteError("usage", `${file}: ${mistakes.join("\n  ")}`);
  return entries;
}

/**
 * Checks, without writing, that a file can be updated.
 *
 * @throws {SuiteError} `usage` when it can't be.
 */
export function requireUpdatable(file: string): void {
  updated(file, [], "2000-01-01");
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch (cause) {
    throw notWritten(cause);
  }
}

/**
 * Writes the least file that covers what failed in a run.
 *
 * @returns What was changed, as a sentence.
 * @throws {SuiteError} `usage` when the file can't be updated, or can't be written.
 */
export function updateExpectedFailuresFile(file: string, report: Report): string {
  const results = checks.map((check) => report.checks.find(({ id }) => id === check.id) ?? notSelected(check));
  const { text, added, removed } = updated(file, results, report.startedAt.slice(0, 10));
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw notWritten(cause);
  }
  const advice = added.length > 0 ? "; fill in `reason` and `owner` of the new entries" : "";
  return `${file}: ${added.length} added, ${removed.length} removed${advice}.`;
}

function updated(file: string, results: readonly CheckResult[], today: string): ExpectedFailuresUpdate {
  try {
    return updateExpectedFailures(existsSync(file) ? formatText(file) : "", results, today);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new SuiteError("usage", `${file} can't be updated: ${cause.message}`, { cause });
  }
}

function notWritten(cause: unknown): SuiteError {
  const advice = "choose another file with --expected-failures";
  return new SuiteError("usage", `the expected failures could not be written (${formatMessage(cause)}); ${advice}`, {
    cause,
  });
}

function formatText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const advice = "name an existing file, or create one with --update-expected-failures";
    throw new SuiteError("usage", `the expected failures could not be read (${formatMessage(cause)}); ${advice}`, {
      cause,
    });
  }
}
