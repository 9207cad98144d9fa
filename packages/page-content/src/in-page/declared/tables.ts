import { isHidden } from "../flatten/flat-marks.ts";
import type { DeclaredPairs, DeclaredTable, ShownValue } from "./declared-data.ts";
import { isShown, readShownText } from "./shown-text.ts";
import { shownValue } from "./shown-value.ts";
import { readTableCells, type TableRow } from "./table-cells.ts";

/** Selects tables of HTML and of ARIA roles. */
export const tableSelector = "table, [role=table], [role=grid], [role=treegrid]";
const maxLabelLength = 120;

/**
 * Extracts the data of a table: rows with headers, or labels with values. Undefined for a layout table: one
 * that contains tables, or has neither headers nor labels. Hidden rows and cells are skipped.
 */
export function readDeclaredTable(
  table: Element,
  base: string,
  heading?: string,
): DeclaredTable | DeclaredPairs | undefined {
  if (table.querySelector(tableSelector) || /^(?:presentation|none)$/i.test(table.getAttribute("role") ?? "")) {
    return undefined;
  }
  const { title, headers, lowest, rows } = readTableCells(table, { isHidden, textOf: (cell) => readShownText(cell) });
  const caption = table.querySelector("caption");
  const name = (caption && !isHidden(caption) ? readShownText(caption) : "") || title || heading;
  const named = name ? { name } : {};
  if (headers.length > 0) {
    const differ = lowest.some((text, column) => text !== headers[column]);
    const columns = { columns: headers.map(cut), ...(differ ? { lowest: lowest.map(cut) } : {}) };
    return { ...named, ...columns, rows: readRows(rows, headers.length, base) };
  }
  const pairs = rows.flatMap(({ cells }) => pairCells(cells, base));
  return pairs.length > 0 && pairs.length >= rows.length - 1 ? { ...named, by: "table", pairs } : undefined;
}

function cut(text: string): string {
  return text.slice(0, maxLabelLength);
}

function readRows(rows: readonly TableRow[], width: number, base: string): DeclaredTable["rows"] {
  const read = new Map<Element, ShownValue>();
  return rows
    .filter(({ element }) => isShown(element) || readShownText(element) !== "")
    .map(({ cells }) => Array.from({ length: width }, (_, column) => readValue(cells[column])));

  function readValue(cell: Element | undefined): ShownValue | null {
    if (!cell) return null;
    const value = read.get(cell) ?? shownValue(cell, base);
    read.set(cell, value);
    return value.text || value.src || value.href ? value : null;
  }
}

/** A label and its value: two cells, the first of which is a header, bold or ends with a colon. */
function pairCells(row: readonly (Element | undefined)[], base: string): DeclaredPairs["pairs"] {
  const [label, value] = row;
  if (row.length !== 2 || !label || !value || label === value) return [];
  const text = readShownText(label).replace(/\s*:$/, "");
  const shown = shownValue(value, base);
  const isLabel = isName(label) || readShownText(label).endsWith(":");
  return isLabel && !/^th$/i.test(value.nodeName) && text && shown.text && text.length <= maxLabelLength
    ? [[text, shown]]
    : [];
}

function isName(cell: Element): boolean {
  if (/^th$/i.test(cell.nodeName)) return true;
  const [child, other] = cell.children;
  return (
    child !== undefined &&
    other === undefined &&
    /^(?:b|strong)$/i.test(child.nodeName) &&
    readShownText(cell) === readShownText(child)
  );
}
