import { readTableCells } from "@cloud-browser/page-content";
import type { Locator, Page } from "playwright-core";
import { readFrames } from "../page/frames.ts";
import { compareNames } from "../targets/similar-names.ts";

/** A table of a page, as table extraction returns it. */
export interface PageTable {
  /** Its caption, or the heading before it; empty without one. */
  readonly name: string;
  /** Its headers, unique. */
  readonly headers: readonly string[];
  /** Its rows: header to text. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** Function that runs in the page: both readers in one text, as a page gets a single function. */
/* oxlint-disable typescript/no-implied-eval, typescript/no-unsafe-type-assertion, no-new-func -- made of two functions of ours, evaluated in the page only */
const reader = new Function(
  "root",
  "namesOnly",
  `return (${String(readTables)})(root, namesOnly, ${String(readTableCells)})`,
) as (root: Element, namesOnly: boolean) => PageTable[];
/* oxlint-enable typescript/no-implied-eval, typescript/no-unsafe-type-assertion, no-new-func */

/** Least similarity of a name, from 0 to 1. */
const minSimilarity = 0.6;

/** Extracts a table: the one that a locator matches, or the largest one in it. */
export async function readTableAt(part: Locator): Promise<PageTable | undefined> {
  return findLargest(await part.evaluate(reader, false));
}

/** Reads the table of a page with a similar name, or else the largest one. */
export async function readPageTable(page: Page, name: string): Promise<PageTable | undefined> {
  const tables = await readAll(page, false);
  const sameName = tables.filter((table) => compareNames(name.replaceAll("_", " "), table.name) >= minSimilarity);
  return findLargest(sameName.length > 0 ? sameName : tables);
}

/**
 * Returns the names of the tables with data that a page shows: in its main content, if that has some. Their captions, or the headings before
 * them; empty without one.
 */
export async function listTableNames(page: Page): Promise<readonly string[]> {
  return (await readAll(page, true)).map(({ name }) => name);
}

async function readAll(page: Page, namesOnly: boolean): Promise<readonly PageTable[]> {
  const tables = await readFrames(page, async (frame) =>
    frame.locator(":root").evaluate(reader, namesOnly, { timeout: 3000 }),
  );
  return tables.flat();
}

function findLargest(tables: readonly PageTable[]): PageTable | undefined {
  const measureTable = ({ headers, rows }: PageTable): number =>
    (headers.length > 1 ? 1 : 0.1) * headers.length * (rows.length + 1);
  return tables.reduce<PageTable | undefined>(
    (most, one) => (most === undefined || measureTable(one) > measureTable(most) ? one : most),
    undefined,
  );
}

/**
 * Runs in the page, with the reader of cells of page-content.
 *
 * @param namesOnly - Returns tables with data alone, in the main content if that has some, without their headers and rows.
 */
function readTables(root: Element, namesOnly: boolean, readCells: typeof readTableCells): PageTable[] {
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const isShown = (element: Element): boolean =>
    element.getClientRects().length > 0 || getComputedStyle(element).display === "contents";
  const getText = (element: Element): string =>
    oneLine(element instanceof HTMLElement ? element.innerText : element.textContent);
  const selector = "table, [role=table], [role=grid], [role=treegrid]";

  /** Selects tables within elements and the open shadow roots in them. */
  const selectTables = (within: Element | ShadowRoot): Element[] => {
    const hosts = [...within.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
    return [...within.querySelectorAll(selector), ...hosts.flatMap(selectTables)];
  };

  const getName = (table: Element, title: string): string => {
    const caption = table.querySelector("caption");
    const label =
      table.getAttribute("aria-label") ??
      (table.getAttribute("aria-labelledby") ?? "")
        .split(/\s+/)
        .map((id) => (id === "" ? "" : document.getElementById(id)?.textContent))
        .join(" ");
    const own = oneLine(caption?.textContent ?? label) || title;
    if (own !== "") return own;
    const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")];
    return oneLine(
      headings.findLast((heading) => heading.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING)
        ?.textContent,
    );
  };

  const read = (table: Element): PageTable => {
    const {
      title,
      headers: names,
      rows,
    } = readCells(table, { isHidden: (element) => !isShown(element), textOf: getText });
    const width = Math.max(names.length, ...rows.map(({ cells }) => cells.length));
    const headers: string[] = [];
    for (let column = 0; column < width; column += 1) {
      const base = names[column] || `Column ${column + 1}`;
      let header = base;
      for (let number = 2; headers.includes(header); number += 1) header = `${base} ${number}`;
      headers.push(header);
    }
    const texts = new Map<Element, string>();
    const readCell = (cell: Element | undefined): string => {
      if (cell === undefined) return "";
      const text = texts.get(cell) ?? getText(cell);
      texts.set(cell, text);
      return text;
    };
    const body = rows.map(({ cells }) => cells.map(readCell)).filter((line) => line.some((text) => text !== ""));
    return {
      name: getName(table, title),
      headers,
      rows: body.map((line) => Object.fromEntries(headers.map((header, column) => [header, line[column] ?? ""]))),
    };
  };

  const around = root.closest(selector);
  const tables = root.matches(selector)
    ? [root]
    : [...(root.shadowRoot ? selectTables(root.shadowRoot) : []), ...selectTables(root)];
  const isLayout = (table: Element): boolean =>
    ["presentation", "none"].includes(table.getAttribute("role") ?? "") || table.querySelector(selector) !== null;
  const visible = [...(tables.length === 0 && around ? [around] : tables)].filter(isShown);
  const real = visible.filter((table) => !isLayout(table));
  if (!namesOnly) return (real.length > 0 ? real : visible).map(read).filter(({ headers }) => headers.length > 0);

  const hasData = (table: Element): boolean => {
    const hasHeaders = table.querySelector("th, [role=columnheader], [role=rowheader]") !== null;
    const isForm = !hasHeaders && table.querySelector("input:not([type=hidden]), select, textarea") !== null;
    const isVisible = getComputedStyle(table).visibility === "visible";
    return !isForm && isVisible && table.querySelectorAll("tr, [role=row]").length > 1;
  };
  const data = real.filter(hasData);
  const inMain = data.filter((table) => table.closest("main, [role=main]") !== null);
  return (inMain.length > 0 ? inMain : data).map((table) => ({ name: getName(table, ""), headers: [], rows: [] }));
}
