import { renderTruncated } from "../report/truncate-report.ts";
import type { Report } from "../report/report.ts";
import type { ReportFormat } from "../configuration/configuration.ts";

/** A file that a run can write. */
interface Writer {
  /** Its name. */
  readonly file: string;
  /** Maximum size of the file in bytes, as far as truncating can keep it. */
  readonly most: number;
  /** Loads the renderer, only when it is needed. */
  readonly load: () => Promise<(report: Report) => string>;
}

function makeWriter(file: string, megabytes: number, load: Writer["load"]): Writer {
  return { file, most: megabytes * 1_000_000, load };
}

async function loadJson(): Promise<(report: Report) => string> {
  const { visibleJson } = await import("../report/visible-text.ts");
  return (report) => `${visibleJson(report)}\n`;
}

async function loadSarif(): Promise<(report: Report) => string> {
  const { renderSarif } = await import("../report/sarif.ts");
  const lines = (await import("../contract/contract-lines.ts")).contractLines();
  return (report) => renderSarif(report, lines);
}

const writers: Readonly<Record<ReportFormat, readonly Writer[]>> = {
  html: [makeWriter("report.html", 4.5, async () => (await import("../report/html/html.ts")).renderHtml)],
  json: [makeWriter("report.json", 16, loadJson)],
  junit: [makeWriter("junit.xml", 16, async () => (await import("../report/junit.ts")).renderJunit)],
  markdown: [makeWriter("report.md", 1, async () => (await import("../report/markdown.ts")).renderMarkdown)],
  har: [makeWriter("report.har", 16, async () => (await import("../report/har.ts")).renderHar)],
  ctrf: [makeWriter("report.ctrf.json", 16, async () => (await import("../report/ctrf.ts")).renderCtrf)],
  // GitHub takes files of up to 10 MB, packed.
  sarif: [makeWriter("report.sarif", 10, loadSarif)],
  badge: [
    makeWriter("badge.svg", 1, async () => (await import("../report/badge.ts")).renderBadge),
    makeWriter("badge.json", 1, async () => (await import("../report/badge.ts")).renderBadgeJson),
  ],
};

/** Returns the names of the files of a format. */
export function listFiles(format: ReportFormat): readonly string[] {
  return writers[format].map(({ file }) => file);
}

/** A file of a report, before it is written. */
export interface RenderedFile {
  /** Its name. */
  readonly file: string;
  /** Content of the file: of each body, header and finding as much as fits the size limit. */
  readonly text: string;
}

/** Renders the files of a report in one format. */
export async function renderFiles(report: Report, format: ReportFormat): Promise<readonly RenderedFile[]> {
  const files: RenderedFile[] = [];
  for (const { file, most, load } of writers[format])
    files.push({ file, text: renderTruncated(report, most, await load()) });
  return files;
}

/** Renders a report in one format as text; of a format with several files, the first one. */
export async function renderReport(report: Report, format: ReportFormat): Promise<string> {
  const [first] = await renderFiles(report, format);
  return first?.text ?? "";
}
