import { nodeAfter, type FlatElement } from "../flatten/flat-tree.ts";
import { isHidden } from "../flatten/flat-marks.ts";
import { readLoosePart } from "./loose-parts.ts";

/** A cell of a table. */
export interface Cell {
  /** The element. */
  readonly element: FlatElement;
  /** True when it names a row or a column. */
  readonly header: boolean;
  /** Columns that it goes over. */
  readonly columns: number;
  /** Rows that it goes over. */
  readonly rows: number;
}

/** Parts of a table. */
export interface TableParts {
  /** Its title, if it has one. */
  readonly caption: FlatElement | undefined;
  /** Its rows, those of the head first. */
  readonly rows: readonly (readonly Cell[])[];
  /** Number of rows in the head. */
  readonly headRows: number;
  /** True when it holds no data, but puts parts of the page side by side. */
  readonly layout: boolean;
  /** Elements in the table before its rows, except its title: possible where scripts or roles make the table. */
  readonly before: readonly FlatElement[];
  /** Elements in the table after its rows. */
  readonly after: readonly FlatElement[];
  /** True when there are elements between its rows, or in a row beside its cells. */
  readonly stray: boolean;
}

const cellRoles = new Set(["cell", "gridcell", "columnheader", "rowheader"]);
const tableRoles = new Set(["table", "grid", "treegrid"]);
/** Maximum number of rows and columns that a cell can span. */
const maxSpan = 65_534;
/** Maximum number of other elements around a row within its table, or a cell within its row. */
const maxDepth = 8;
const sections = new Set(["thead", "tbody", "tfoot"]);
const blocks = new Set("h1 h2 h3 h4 h5 h6 article section nav aside blockquote hr".split(" "));

/** Reads the rows and cells of a table, not those of tables within. */
export function readTableParts(table: FlatElement): TableParts {
  const head: FlatElement[] = [];
  const body: FlatElement[] = [];
  const foot: FlatElement[] = [];
  const before: FlatElement[] = [];
  const after: FlatElement[] = [];
  let caption: FlatElement | undefined;
  let stray = false;
  const visit = (parent: FlatElement, into: FlatElement[], depth: number): void => {
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      const child = readLoosePart(node);
      if (child === undefined || isHidden(child)) continue;
      const name = child.localName;
      if (isRow(child)) {
        stray ||= after.length > 0;
        into.push(child);
      } else if (name === "caption") caption ??= child;
      else if (sections.has(name) && parent === table) visit(child, { thead: head, tfoot: foot }[name] ?? body, depth);
      else if (depth > 0 && !isTable(child) && child.find(isRow)) visit(child, body, depth - 1);
      else if (hasContent(child)) (head.length + body.length + foot.length > 0 ? after : before).push(child);
    }
  };
  visit(table, body, maxDepth);
  const headCells = listRows(head);
  const rows = [...headCells, ...listRows(body), ...listRows(foot)];
  const first = rows[0] ?? [];
  const namesColumns =
    first.length > 1 &&
    first.every((cell) => cell.header || isBlank(cell.element)) &&
    first.some((cell) => cell.header);
  const headRows = headCells.length > 0 ? headCells.length : namesColumns && rows.length > 1 ? 1 : 0;
  stray ||= [...head, ...body, ...foot].some((row) => hasStrayParts(row, maxDepth));
  const layout = isLayout(table, rows, caption !== undefined || headCells.length > 0);
  return { caption, rows, headRows, layout, before, after, stray };
}

/** Returns the rows with cells. A cell that spans beyond its table section is cut there. */
function listRows(rows: readonly FlatElement[]): Cell[][] {
  const filled: Cell[][] = [];
  let part: FlatElement | null = null;
  let below = 0;
  for (const row of rows.toReversed()) {
    if (row.parent !== part) below = 0;
    part = row.parent;
    const cells = listCells(row, below + 1);
    if (cells.length === 0) continue;
    filled.push(cells);
    below += 1;
  }
  return filled.toReversed();
}

function isTable(element: FlatElement): boolean {
  return element.localName === "table" || tableRoles.has(element.getAttribute("role") ?? "");
}

function isRow(element: FlatElement): boolean {
  return element.localName === "tr" || element.getAttribute("role") === "row";
}

function isCell(element: FlatElement): boolean {
  return element.localName === "td" || element.localName === "th" || cellRoles.has(element.getAttribute("role") ?? "");
}

function hasContent(element: FlatElement): boolean {
  return !isBlank(element) || element.find(({ localName }) => localName === "img") !== undefined;
}

/** Returns whether a row has content outside of its cells. */
function hasStrayParts(row: FlatElement, depth: number): boolean {
  for (let child = row.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === 3 && child.nodeValue.trim() !== "") return true;
    if (child.nodeType !== 1 || isCell(child) || isHidden(child)) continue;
    if (depth === 0 || !child.find(isCell) ? hasContent(child) : hasStrayParts(child, depth - 1)) return true;
  }
  return false;
}

function listCells(row: FlatElement, maxRows: number, depth = maxDepth): Cell[] {
  const cells: Cell[] = [];
  for (let child = row.firstElementChild; child !== null; child = child.nextElementSibling) {
    // Most cells have nothing that would need a look.
    if (child.attributes.length === 0) {
      const header = child.localName === "th";
      if (header || child.localName === "td") cells.push({ element: child, header, columns: 1, rows: 1 });
      else if (depth > 0 && child.localName !== "table") cells.push(...listCells(child, maxRows, depth - 1));
      continue;
    }
    if (isHidden(child)) continue;
    if (!isCell(child)) {
      if (depth > 0 && !isTable(child)) cells.push(...listCells(child, maxRows, depth - 1));
      continue;
    }
    const header = child.localName === "th" || /^(?:column|row)header$/.test(child.getAttribute("role") ?? "");
    const rows = Math.min(span(child, "rowspan"), maxRows);
    cells.push({ element: child, header, columns: span(child, "colspan"), rows });
  }
  return cells;
}

/** Reads the span of a cell. A `rowspan` of 0 means all remaining rows. */
function span(cell: FlatElement, name: "colspan" | "rowspan"): number {
  const text = cell.getAttribute(name) ?? cell.getAttribute(`aria-${name}`);
  if (text === null) return 1;
  const value = Number.parseInt(text, 10);
  if (value === 0 && name === "rowspan") return maxSpan;
  return Number.isFinite(value) && value > 1 ? Math.min(value, maxSpan) : 1;
}

function isLayout(table: FlatElement, rows: readonly (readonly Cell[])[], named: boolean): boolean {
  const role = table.getAttribute("role");
  if (role === "presentation" || role === "none") return true;
  const widest = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (widest <= 1) return true;
  const holds = inspectContent(table);
  if (holds.table && !holds.head) return true;
  if (named || rows.some((row) => row.some((cell) => cell.header))) return false;
  return rows.length === 1 || holds.table || holds.block;
}

/**
 * Returns what a table contains at any depth: another table, a head or header cells, block elements.
 */
function inspectContent(table: FlatElement): {
  readonly table: boolean;
  readonly head: boolean;
  readonly block: boolean;
} {
  const holds = { table: false, head: false, block: false };
  for (let node = nodeAfter(table, table); node !== null; node = nodeAfter(node, table)) {
    if (node.nodeType !== 1) continue;
    const name = node.localName;
    if (name === "table") holds.table = true;
    else if (name === "th" || (name === "thead" && node.parent === table)) holds.head = true;
    else if (blocks.has(name) || node.getAttribute("role") === "form") holds.block = true;
  }
  return holds;
}

function isBlank(element: FlatElement): boolean {
  return element.textContent.trim() === "";
}

/** Longest text that is repeated in each row that its cell spans. */
const repeated = 80;

/**
 * The texts of a table by row and column: a cell that spans several columns is in the first of them, what goes over
 * several rows in each.
 */
export function spread(rows: readonly (readonly Cell[])[], readText: (cell: Cell) => string): string[][] {
  // A span can claim 65,534 cells: no row gets wider than the real cells of the widest.
  const widest = rows.reduce((most, row) => Math.max(most, row.length), 0);
  let claimed = 0;
  let real = 0;
  for (const [index, row] of rows.entries()) {
    real += row.length;
    for (const cell of row) claimed += Math.min(cell.columns, widest) * Math.min(cell.rows, rows.length - index);
  }
  const ignored = claimed > 20 * real + 1_000;
  const maxColumns = ignored ? 1 : widest;
  const carried: { left: number; text: string }[] = [];
  const simple = claimed === real;
  return rows.map((cells) => {
    if (simple) return cells.map(readText);
    const texts: string[] = [];
    const carry = (): void => {
      for (let above = carried[texts.length]; above !== undefined && above.left > 0; above = carried[texts.length]) {
        above.left -= 1;
        texts.push(above.text);
      }
    };
    for (const cell of cells) {
      carry();
      const text = readText(cell);
      const columns = Math.min(cell.columns, maxColumns);
      for (let column = 0; column < columns; column += 1) {
        const shown = column === 0 ? text : "";
        if (cell.rows > 1 && !ignored)
          carried[texts.length] = { left: cell.rows - 1, text: shown.length > repeated ? "" : shown };
        texts.push(shown);
      }
    }
    carry();
    return texts;
  });
}

/** The line under the head of a table for a column: how its texts are aligned. */
export function writeDelimiter(cell: Cell | undefined): string {
  const style = /text-align:\s*(left|right|center)/i.exec(cell?.element.getAttribute("style") ?? "")?.[1];
  const align = (cell?.element.getAttribute("align") ?? style ?? "").toLowerCase();
  return { left: ":--", right: "--:", center: ":-:" }[align] ?? "---";
}
