import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { ReportFormat } from "../configuration.ts";
import { fitting } from "../report/fit-report.ts";
import type { Report } from "../report.ts";
import { SuiteError } from "../suite-error.ts";

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
    load: async () => (await import("../report/html.ts")).renderHtml,
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
 * Writes the reports that are asked for, and appends the one for people to the job summary of GitHub Actions.
 *
 * Source: ours.
 *
 * @returns The files, as seen from the working directory.
 * @throws {SuiteError} `usage` when they can't be written.
 */
export async function writeReports(
  report: Report,
  formats: readonly ReportFormat[],
  folder: string,
): Promise<string[]> {
  const files: { file: string; text: string }[] = [];
  for (const format of new Set(formats)) {
    files.push({ file: writers[format].file, text: await renderReport(report, format) });
  }
  try {
    mkdirSync(folder, { recursive: true });
    for (const { file, text } of files) writeFileSync(join(folder, file), text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SuiteError("usage", `the reports could not be written (${why}); give another place with --out`, {
      cause,
    });
  }
  const summary = process.env["GITHUB_STEP_SUMMARY"];
  if (summary) appendFileSync(summary, await renderReport(report, "markdown"));
  return files.map(({ file }) => relative(process.cwd(), join(folder, file)));
}

/** What GitHub Actions shows beside the code; empty elsewhere. Source: ours. */
export async function annotationsOf(report: Report): Promise<string> {
  if (process.env["GITHUB_ACTIONS"] !== "true") return "";
  return (await import("../report/annotations.ts")).renderAnnotations(report);
}
