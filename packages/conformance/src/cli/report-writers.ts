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

const megabyte = 1_000_000;

const writers: Readonly<Record<ReportFormat, readonly Writer[]>> = {
  html: [
    {
      file: "report.html",
      most: 4.5 * megabyte,
      load: async () => (await import("../report/html/html.ts")).renderHtml,
    },
  ],
  json: [
    {
      file: "report.json",
      most: 16 * megabyte,
      load: async () => {
        const { visibleJson } = await import("../report/visible-text.ts");
        return (report) => `${visibleJson(report)}\n`;
      },
    },
  ],
  junit: [
    { file: "junit.xml", most: 16 * megabyte, load: async () => (await import("../report/junit.ts")).renderJunit },
  ],
  markdown: [
    { file: "report.md", most: megabyte, load: async () => (await import("../report/markdown.ts")).renderMarkdown },
  ],
  har: [{ file: "report.har", most: 16 * megabyte, load: async () => (await import("../report/har.ts")).renderHar }],
  ctrf: [
    { file: "report.ctrf.json", most: 16 * megabyte, load: async () => (await import("../report/ctrf.ts")).renderCtrf },
  ],
  sarif: [
    {
      file: "report.sarif",
      // GitHub takes files of up to 10 MB, packed.
      most: 10 * megabyte,
      load: async () => {
        const { renderSarif } = await import("../report/sarif.ts");
        const lines = (await import("../contract/contract-lines.ts")).contractLines();
        return (report) => renderSarif(report, lines);
      },
    },
  ],
  badge: [
    { file: "badge.svg", most: megabyte, load: async () => (await import("../report/badge.ts")).renderBadge },
    { file: "badge.json", most: megabyte, load: async () => (await import("../report/badge.ts")).renderBadgeJson },
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
