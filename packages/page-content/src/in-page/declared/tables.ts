import { isHidden } from "../flatten/flat-marks.ts";
import type { DeclaredPairs, DeclaredTable, ShownValue } from "./declared-data.ts";
import { isShown, readShownText } from "./shown-text.ts";
import { shownValue } from "./shown-value.ts";

const maxRows = 1_000;
const maxColumns = 40;
const maxLabelLength = 120;

type Grid = readonly (readonly (Element | undefined)[])[];

/**
 * Extracts the data of a table: rows with headers, or labels with values. Undefined for a layout table: one
 * that contains tables, or has neither headers nor labels. Hidden rows and cells are skipped.
 */
export function readTable(table: Element, base: string, heading?: string): DeclaredTable | DeclaredPairs | undefined {
  if (table.querySelector("table") || table.getAttribute("role") === "presentation") return undefined;
  const rows = ownRows(table);
  const grid = gridOf(rows);
  const caption = table.querySelector("caption");
  const name = (caption && !isHidden(caption) ? readShownText(caption) : "") || heading;
  const named = name ? { name } : {};
  const headers = headerRows(rows);
  if (headers > 0) return { ...named, ...readRows(grid, rows, headers, base) };
  const pairs = grid.flatMap((row) => pairOf(row, base));
  return pairs.length > 0 && pairs.length >= grid.length - 1 ? { ...named, by: "table", pairs } : undefined;
}

function ownRows(table: Element): readonly Element[] {
  const rows = [...table.querySelectorAll("tr")].slice(0, maxRows);
  return rows.filter((row) => !isHidden(row) && !(row.parentElement && isHidden(row.parentElement)));
}

function cellsOf(row: Element): readonly Element[] {
  return [...row.children].filter((cell) => /^t[hd]$/i.test(cell.nodeName) && !isHidden(cell)).slice(0, maxColumns);
}

/** Returns the number of header rows at the top. */
function headerRows(rows: readonly Element[]): number {
  let count = 0;
  for (const row of rows) {
    const cells = cellsOf(row);
    const inHead = /^thead$/i.test(row.parentElement?.nodeName ?? "");
    const allHeaders =
      cells.length > 1 && cells.every((cell, at) => isHeader(cell) || (at === 0 && readShownText(cell) === ""));
    if (!inHead && !(allHeaders && count === 0)) break;
    count += 1;
  }
  return rows.length > count ? count : 0;
}

function isHeader(cell: Element): boolean {
  if (/^th$/i.test(cell.nodeName)) return true;
  const child = cell.firstElementChild;
  return (
    cell.children.length === 1 &&
    /^(b|strong)$/i.test(child?.nodeName ?? "") &&
    readShownText(cell) === (child && readShownText(child))
  );
}

/** Returns the cells by row and column; a cell that spans several is repeated. */
function gridOf(rows: readonly Element[]): Grid {
  const grid: (Element | undefined)[][] = rows.map(() => []);
  for (const [rowNumber, row] of rows.entries()) {
    let column = 0;
    for (const cell of cellsOf(row)) {
      while (grid[rowNumber]?.[column]) column += 1;
      const width = spanOf(cell, "colspan") || 1;
      const height = heightOf(cell, rows, rowNumber);
      for (const spanned of grid.slice(rowNumber, rowNumber + height)) {
        for (let place = column; place < Math.min(column + width, maxColumns); place += 1) spanned[place] = cell;
      }
      column += width;
      if (column >= maxColumns) break;
    }
  }
  return grid;
}

function spanOf(cell: Element, attribute: string): number {
  const span = Number.parseInt(cell.getAttribute(attribute) ?? "1", 10);
  return span >= 0 ? span : 1;
}

/** Returns the number of rows that a cell spans: 0 means the rest of its row group, which it never exceeds. */
function heightOf(cell: Element, rows: readonly Element[], rowNumber: number): number {
  const asked = spanOf(cell, "rowspan");
  if (asked === 1) return 1;
  const group = rows[rowNumber]?.parentElement;
  const others = rows.slice(rowNumber).findIndex(({ parentElement }) => parentElement !== group);
  const left = others < 0 ? rows.length - rowNumber : others;
  return asked === 0 ? left : Math.min(asked, left);
}

function readRows(
  grid: Grid,
  elements: readonly Element[],
  headers: number,
  base: string,
): Pick<DeclaredTable, "columns" | "rows"> {
  const width = Math.max(...grid.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, column) => headerOf(grid, headers, column));
  const rows: (ShownValue | null)[][] = [];
  const read = new Map<Element, ShownValue>();
  for (const [at, row] of grid.entries()) {
    const isSection = width > 1 && new Set(row).size <= 1;
    if (at < headers || isSection || isInvisible(elements[at])) continue;
    rows.push(Array.from({ length: width }, (_, column) => valueOf(row[column])));
  }
  return { columns, rows };

  function valueOf(cell: Element | undefined): ShownValue | null {
    if (!cell) return null;
    const value = read.get(cell) ?? shownValue(cell, base);
    read.set(cell, value);
    return value.text || value.src || value.href ? value : null;
  }
}

function isInvisible(row: Element | undefined): boolean {
  return row !== undefined && !isShown(row) && readShownText(row) === "";
}

/** Returns the text of the lowest header of a column. */
function headerOf(grid: Grid, headers: number, column: number): string {
  const texts = grid.slice(0, headers).map((row) => (row[column] ? readShownText(row[column]) : ""));
  return (texts.findLast(Boolean) ?? "").slice(0, maxLabelLength);
}

/** A label and its value: two cells, the first of which is a header or ends with a colon. */
function pairOf(row: readonly (Element | undefined)[], base: string): DeclaredPairs["pairs"] {
  const [label, value] = row;
  if (row.length !== 2 || !label || !value || label === value) return [];
  const text = readShownText(label).replace(/\s*:$/, "");
  const shown = shownValue(value, base);
  const isLabel = isHeader(label) || readShownText(label).endsWith(":");
  return isLabel && !/^th$/i.test(value.nodeName) && text && shown.text && text.length <= maxLabelLength
    ? [[text, shown]]
    : [];
}
