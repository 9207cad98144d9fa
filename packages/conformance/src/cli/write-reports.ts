import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { ReportFormat } from "../configuration/configuration.ts";
import type { Report } from "../report/report.ts";
import { formatMessage, SuiteError } from "../http/suite-error.ts";
import { listFiles, renderFiles, renderReport } from "./report-writers.ts";

/**
 * Checks, without writing, that reports can be written to a folder.
 *
 * @throws {SuiteError} `usage` when they can't be.
 */
export function requirePlace(formats: readonly ReportFormat[], folder: string): void {
  if (formats.length === 0) return;
  try {
    requireFolder(resolve(folder));
    for (const name of formats.flatMap(listFiles)) requireFile(join(folder, name));
  } catch (cause) {
    throw notWritten(cause);
  }
}

function requireFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) {
    requireFolder(dirname(folder));
    if (lstatSync(folder, { throwIfNoEntry: false })) throw new Error(`${folder} is a broken symbolic link`);
    return;
  }
  if (!stats.isDirectory()) throw new Error(`${folder} exists and is not a folder`);
  accessSync(folder, constants.W_OK | constants.X_OK);
}

function requireFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) return;
  if (stats.isDirectory()) throw new Error(`${file} is a folder`);
  accessSync(file, constants.W_OK);
}

function notWritten(cause: unknown): SuiteError {
  const advice = "choose another folder with --out";
  return new SuiteError("usage", `the reports could not be written (${formatMessage(cause)}); ${advice}`, { cause });
}

/** Creates a folder and its parents one by one. The `recursive` option of Node.js never ends where none can be created, as below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (cause) {
    // Another run may have been faster.
    if (!existsSync(folder)) throw cause;
  }
}

/**
 * Writes the reports that are asked for, and appends the one for people to the job summary of GitHub Actions. When one of them can't be
 * written, the others still are.
 *
 * @returns The files, as seen from the working directory.
 * @throws {SuiteError} `usage` when one of them can't be written.
 */
export async function writeReports(
  report: Report,
  formats: readonly ReportFormat[],
  folder: string,
): Promise<string[]> {
  const problems: SuiteError[] = [];
  const files: string[] = [];
  const rendered = await Promise.all([...new Set(formats)].map((format) => renderFiles(report, format)));
  for (const { file, text } of rendered.flat()) {
    const path = join(folder, file);
    try {
      makeFolder(resolve(folder));
      writeFileSync(path, text);
      files.push(relative(process.cwd(), path));
    } catch (cause) {
      problems.push(notWritten(cause));
    }
  }
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) {
    const text = await renderReport(report, "markdown");
    try {
      appendFileSync(summary, text);
    } catch (cause) {
      const advice = "GITHUB_STEP_SUMMARY names its file";
      problems.push(
        new SuiteError("usage", `the job summary could not be written (${formatMessage(cause)}); ${advice}`, { cause }),
      );
    }
  }
  const [first] = problems;
  if (first) throw first;
  return files;
}

/** Returns the annotations that GitHub Actions shows beside the code; empty elsewhere. */
export async function writeAnnotations(report: Report): Promise<string> {
  if (process.env["GITHUB_ACTIONS"] !== "true") return "";
  return (await import("../report/annotations.ts")).renderAnnotations(report);
}
