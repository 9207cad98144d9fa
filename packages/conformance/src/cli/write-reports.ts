import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { ReportFormat } from "../configuration.ts";
import type { Report } from "../report.ts";
import { SuiteError } from "../suite-error.ts";

interface Writer {
  readonly file: string;
  /** Renderers are loaded when they are needed. */
  readonly render: (report: Report) => Promise<string>;
}

const writers: Readonly<Record<ReportFormat, Writer>> = {
  html: { file: "report.html", render: async (report) => (await import("../report/html.ts")).renderHtml(report) },
  json: { file: "report.json", render: async (report) => `${JSON.stringify(report, null, 2)}\n` },
  junit: { file: "junit.xml", render: async (report) => (await import("../report/junit.ts")).renderJunit(report) },
  markdown: { file: "report.md", render: renderForPeople },
  har: { file: "report.har", render: async (report) => (await import("../report/har.ts")).renderHar(report) },
};

async function renderForPeople(report: Report): Promise<string> {
  return (await import("../report/markdown.ts")).renderMarkdown(report);
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
  const chosen = [...new Set(formats)].map((format) => writers[format]);
  const files = await Promise.all(chosen.map(async ({ file, render }) => ({ file, text: await render(report) })));
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
  if (summary) appendFileSync(summary, await renderForPeople(report));
  return files.map(({ file }) => relative(process.cwd(), join(folder, file)));
}

/** What GitHub Actions shows beside the code; empty elsewhere. Source: ours. */
export async function annotationsOf(report: Report): Promise<string> {
  if (process.env["GITHUB_ACTIONS"] !== "true") return "";
  return (await import("../report/annotations.ts")).renderAnnotations(report);
}
