/** What is tried, in the order of the columns. */
export const steps = [
  "connect",
  "by http",
  "navigate",
  "click, fill",
  "evaluate",
  "screenshot",
  "cookies",
  "PDF",
  "emulate",
  "upload",
  "download",
  "trace",
  "new tab",
] as const;

/** What came of it. `refused`: the client read from the service why not, and what to do. `–`: the client has no such thing. */
export type Outcome = "yes" | "refused" | "no" | "–";

/** What one client did. */
export interface Row {
  /** Name and version. */
  readonly client: string;
  /** By step. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** A row as it stands in a table of Markdown, whatever the width of its columns. */
export function listCells({ client, outcomes }: Row): string[] {
  return [client, ...steps.map((step) => outcomes.get(step) ?? "–")];
}

/** The whole table in Markdown, its columns aligned. */
export function writeTable(rows: readonly Row[]): string {
  const cells = [["client", ...steps], ...rows.map(listCells)];
  const widths = ["client", ...steps].map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body.map(line)].join("\n");
}

/** The rows of the table that a page has between its marks, by their client. */
export function rowsIn(page: string): ReadonlyMap<string, readonly string[]> {
  const lines = partIn(page)
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const rows = lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return new Map(rows.map((row) => [row[0] ?? "", row]));
}

const marks = /(<!-- clients -->\n)([\s\S]*?)(<!-- \/clients -->)/;

const partIn = (page: string): string => {
  const part = marks.exec(page)?.[2];
  if (part === undefined) throw new Error("the page has no table between <!-- clients --> and <!-- /clients -->");
  return part;
};

/** A page with another table. */
export function withTable(page: string, table: string): string {
  partIn(page);
  return page.replace(marks, (_, begin: string, __: string, end: string) => `${begin}\n${table}\n\n${end}`);
}
