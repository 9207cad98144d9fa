import type { readTableCells } from "@cloud-browser/page-content";
import type { PageField } from "./page-ask.ts";
import type { FieldValues, PageFields } from "./page-fields.ts";
import type { PageGroup, PageItem } from "./page-groups.ts";
import type { InPart } from "./page-scope.ts";
import type { InPage } from "./page-view.ts";

/** Reads tables as groups of rows. */
export interface PageTables extends PageFields, InPage<typeof tablesFunctions> {
  /** The reader of cells of page-content. */
  readonly readTableCells: typeof readTableCells;
}

/** Lists the tables of a part of the page, without rows of totals. Runs in the page. */
function listTables(page: PageTables, inPart: InPart): readonly PageGroup[] {
  const selector = "table, [role=table], [role=grid], [role=treegrid]";
  const isLayout = (table: Element): boolean =>
    ["presentation", "none"].includes(table.getAttribute("role") ?? "") || table.querySelector(selector) !== null;
  return page
    .select(document.body, selector)
    .filter((table) => inPart(table) && !isLayout(table))
    .map((table) => page.readRows(table));
}

/** Reads a table as a group of rows. Runs in the page. */
function readRows(page: PageTables, table: Element): PageGroup {
  const view = { isHidden: (one: Element) => !page.isDrawn(one), textOf: (one: Element) => page.readText(one) };
  const { headers, rows } = page.readTableCells(table, view);
  const heads = page.select(table, "th, td, [role=columnheader]");
  const sayings = headers.map((header) => {
    const cell = header === "" ? undefined : heads.find((one) => page.readText(one) === header);
    const source = cell?.querySelector("abbr[title], [aria-label]") ?? cell;
    const meant =
      source?.getAttribute("title") ?? source?.getAttribute("aria-label") ?? source?.getAttribute("abbr") ?? "";
    return [header, meant].filter((text) => text !== "");
  });
  const sums =
    /^(?:(?:grand |sub-?)?total|sum|average|mean|summe|gesamt(?:summe)?|zwischensumme|durchschnitt|total général|somme|moyenne|suma|totale|promedio|totaal|summa|итого|всего|合計|合计)s?\b\W*(?:\d.*)?$/iu;
  const isSum = ({ cells }: (typeof rows)[number], at: number): boolean => {
    const first = cells.flatMap((cell) => (cell ? [page.readText(cell)] : [])).find((text) => text !== "");
    return first !== undefined && sums.test(first) && at >= rows.length - 2 && rows.length > 1;
  };
  const isBlank = ({ cells }: (typeof rows)[number]): boolean =>
    cells.every((cell) => cell === undefined || page.readText(cell) === "");
  const body = rows.filter((row, at) => !isBlank(row) && !isSum(row, at));
  const left = rows
    .filter((row, at) => !isBlank(row) && isSum(row, at))
    .map(({ element }) => page.readLines(element)[0] ?? "");
  const notes = left.map((text) => `The row ${JSON.stringify(text)} was left out.`);
  const group: PageGroup = {
    kind: "table",
    items: body.map(({ element, cells }) => ({ elements: [element], cells })),
    around: table,
    shape: `table ${JSON.stringify(headers)}`,
    headers: sayings,
    notes,
  };
  return page.dropAds(group);
}

/** Finds the column of a property by its header. Runs in the page. */
function findColumn(
  page: PageTables,
  { headers = [], items }: PageGroup,
  { label, kind }: Pick<PageField, "label" | "kind">,
): FieldValues | { readonly several: string } | undefined {
  const fits = new RegExp(label, "iu");
  const columns = headers.flatMap((sayings, column) => (sayings.some((saying) => fits.test(saying)) ? [column] : []));
  const [column, another] = columns;
  if (column === undefined) return undefined;
  if (another !== undefined) return { several: columns.map((one) => JSON.stringify(headers[one]?.[0])).join(", ") };
  const read = (cell: Element): string => {
    const link = kind === "link" ? cell.querySelector("a[href]") : null;
    return link instanceof HTMLAnchorElement ? link.href : page.readTextOrName(cell);
  };
  const values = items.map(({ cells = [] }) => {
    const cell = cells[column];
    return cell && page.readTextOrName(cell) !== "" ? { element: cell, text: read(cell) } : undefined;
  });
  return { values, way: `column ${headers[column]?.[0]}` };
}

/** Returns a row of a table as an object: header to text. Runs in the page. */
function readRowObject(
  page: PageTables,
  { headers = [] }: PageGroup,
  { cells = [] }: PageItem,
): Record<string, string> {
  const row: Record<string, string> = {};
  for (const [column, [header = `Column ${column + 1}`]] of headers.entries()) {
    let name = header;
    for (let number = 2; Object.hasOwn(row, name); number += 1) name = `${header} ${number}`;
    const cell = cells[column];
    row[name] = cell ? page.readText(cell) : "";
  }
  return row;
}

/** The functions of this module, which run in the page. */
export const tablesFunctions = { listTables, readRows, findColumn, readRowObject };
