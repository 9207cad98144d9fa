import type { FlatElement } from "../flatten/flat-tree.ts";
import { writeDelimiter, readTableParts, spread, type Cell, type TableParts } from "./table-grid.ts";
import type { Walk } from "./walk.ts";

/** Writes a table: as one of Markdown when it holds data, as blocks when it only puts them side by side. */
export function writeTable(element: FlatElement, walk: Walk): void {
  const table = readTableParts(element);
  if (table.stray) return walk.children(element);
  for (const part of table.before) walk.block(() => walk.children(part));
  if (walk.run.breaks !== "line") writeFlat(table, walk);
  else if (table.layout) writeLayout(table, walk);
  else walk.block(() => writeData(table, walk));
  for (const part of table.after) walk.block(() => walk.children(part));
}

/** A table within a cell or a heading: its rows as lines. */
function writeFlat(table: TableParts, walk: Walk): void {
  for (const row of table.rows) {
    walk.run.lineBreak();
    for (const cell of row) {
      walk.run.space();
      walk.children(cell.element);
      walk.run.space();
    }
  }
}

function writeLayout(table: TableParts, walk: Walk): void {
  if (table.caption !== undefined) walk.element(table.caption);
  for (const row of table.rows) {
    walk.block(() => {
      for (const cell of row) {
        walk.run.space();
        walk.children(cell.element);
        walk.run.space();
      }
    });
  }
}

function writeData(table: TableParts, walk: Walk): void {
  const caption = table.caption;
  if (caption !== undefined) walk.block(() => walk.children(caption));
  const rows = spread(table.rows, (cell) => cellText(cell, walk));
  const columns = rows.reduce((most, row) => Math.max(most, usedColumns(row)), 0);
  if (columns === 0) return;
  const firstIsHead = table.headRows > 0 || namesColumns(table, rows);
  const head = firstIsHead ? (rows[0] ?? []) : [];
  const delimiters = Array.from({ length: columns }, (_, column) =>
    writeDelimiter(table.rows[0]?.[column] ?? table.rows[1]?.[column]),
  );
  const lines = [writeLine(padRow(head, columns)), writeLine(delimiters)];
  for (const row of firstIsHead ? rows.slice(1) : rows)
    if (usedColumns(row) > 0) lines.push(writeLine(row.slice(0, columns)));
  walk.out.write(lines);
}

/** Without a single header cell, the first row is the head when it looks like names: short, all there, no numbers. */
function namesColumns(table: TableParts, rows: readonly (readonly string[])[]): boolean {
  if (table.rows.some((row) => row.some((cell) => cell.header))) return false;
  const [first = []] = rows;
  const distinct = new Set(first);
  return (
    rows.length > 2 &&
    distinct.size === first.length &&
    first.every((text) => text !== "" && text.length <= 40 && !/\d/.test(text))
  );
}

function cellText(cell: Cell, walk: Walk): string {
  const line = walk.line(cell.element, "tag");
  return line.includes("|") ? line.replaceAll("|", String.raw`\|`) : line;
}

function usedColumns(row: readonly string[]): number {
  return row.findLastIndex((text) => text !== "") + 1;
}

function padRow(row: readonly string[], columns: number): string[] {
  return Array.from({ length: columns }, (_, column) => row[column] ?? "");
}

function writeLine(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
