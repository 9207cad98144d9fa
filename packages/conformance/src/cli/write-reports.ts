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
import type { ReportFormat } from "../run/configuration.ts";
import { fitting } from "../report/fit-report.ts";
import type { Report } from "../report/report.ts";
import { SuiteError } from "../http/suite-error.ts";

interface Writer {
  readonly file: string;
  /** Largest file, in bytes, when it can be helped. */
  readonly most: number;
  /** Renderers are loaded when they are needed. */
  readonly load: () => Promise<(report: Report) => string>;
}

const megabyte = 1_000_000;

const writers: Readonly<Record<ReportFormat, Writer>> = {
  html: {
    file: "report.html",
    most: 4.5 * megabyte,
    load: async () => (await import("../report/html/html.ts")).renderHtml,
  },
  json: {
    file: "report.json",
    most: 16 * megabyte,
    load: async () => {
      const { visibleJson } = await import("../report/visible-text.ts");
      return (report) => `${visibleJson(report)}\n`;
    },
  },
  junit: { file: "junit.xml", most: 16 * megabyte, load: async () => (await import("../report/junit.ts")).renderJunit },
  markdown: {
    file: "report.md",
    most: megabyte,
    load: async () => (await import("../report/markdown.ts")).renderMarkdown,
  },
  har: { file: "report.har", most: 16 * megabyte, load: async () => (await import("../report/har.ts")).renderHar },
};

/**
 * The text of a report in one format: of each body, header and finding as much as its size allows.
 *
 * Source: ours.
 */
export async function renderReport(report: Report, format: ReportFormat): Promise<string> {
  const { most, load } = writers[format];
  return fitting(report, most, await load());
}

/**
 * Makes sure, as far as can be seen without writing, that reports can be written to a folder.
 *
 * Source: ours.
 *
 * @throws {SuiteError} `usage` when they can't be.
 */
export function requirePlace(formats: readonly ReportFormat[], folder: string): void {
  if (formats.length === 0) return;
  try {
    requireFolder(resolve(folder));
    for (const format of formats) requireFile(join(folder, writers[format].file));
  } catch (cause) {
    throw notWritten(cause);
  }
}

function requireFolder(folder: string): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found) {
    requireFolder(dirname(folder));
    if (lstatSync(folder, { throwIfNoEntry: false })) throw new Error(`${folder} leads nowhere`);
    return;
  }
  if (!found.isDirectory()) throw new Error(`${folder} is no folder`);
  accessSync(folder, constants.W_OK | constants.X_OK);
}

function requireFile(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) return;
  if (found.isDirectory()) throw new Error(`${file} is a folder`);
  accessSync(file, constants.W_OK);
}

function notWritten(cause: unknown): SuiteError {
  const advice = "give another place with --out";
  return new SuiteError("usage", `the reports could not be written (${whyOf(cause)}); ${advice}`, { cause });
}

function whyOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** One folder after the other: told to make all of them, Node.js tries for ever where none can be made, as below /proc. */
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
 * Writes the reports that are asked for, and appends the one for people to the job summary of GitHub Actions. When one of
 * them can't be written, the others are all the same.
 *
 * Source: ours.
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
  for (const format of new Set(formats)) {
    const file = join(folder, writers[format].file);
    const text = await renderReport(report, format);
    try {
      makeFolder(resolve(folder));
      writeFileSync(file, text);
      files.push(relative(process.cwd(), file));
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
        new SuiteError("usage", `the job summary could not be written (${whyOf(cause)}); ${advice}`, { cause }),
      );
    }
  }
  const [first] = problems;
  if (first) throw first;
  return files;
}

/** What GitHub Actions shows beside the code; empty elsewhere. Source: ours. */
export async function annotationsOf(report: Report): Promise<string> {
  if (process.env["GITHUB_ACTIONS"] !== "true") return "";
  return (await import("../report/annotations.ts")).renderAnnotations(report);
}
