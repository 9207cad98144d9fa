import { readTableCells } from "@cloud-browser/page-content";
import type { Frame, Locator, Page } from "playwright-core";
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
const reader = new Function("root", `return (${String(readTables)})(root, ${String(readTableCells)})`) as (
  root: Element,
) => PageTable[];
/* oxlint-enable typescript/no-implied-eval, typescript/no-unsafe-type-assertion, no-new-func */

/** Least similarity of a name, from 0 to 1. */
const minSimilarity = 0.6;

/** Extracts a table: the one that a locator matches, or the largest one in it. */
export async function readTableAt(part: Locator): Promise<PageTable | undefined> {
  return findLargest(await part.evaluate(reader));
}

/** Reads the table of a page with a similar name, or else the largest one. */
export async function readPageTable(page: Page, name: string): Promise<PageTable | undefined> {
  const read = async (frame: Frame): Promise<PageTable[]> =>
    frame.locator(":root").evaluate(reader, undefined, { timeout: 3000 });
  const tables = (await Promise.all(page.frames().map((frame) => read(frame).catch(() => [])))).flat();
  const sameName = tables.filter((table) => compareNames(name.replaceAll("_", " "), table.name) >= minSimilarity);
  return findLargest(sameName.length > 0 ? sameName : tables);
}

function findLargest(tables: readonly PageTable[]): PageTable | undefined {
  const measureTable = ({ headers, rows }: PageTable): number =>
    (headers.length > 1 ? 1 : 0.1) * headers.length * (rows.length + 1);
  return tables.reduce<PageTable | undefined>(
    (most, one) => (most === undefined || measureTable(one) > measureTable(most) ? one : most),
    undefined,
  );
}

/** Runs in the page, with the reader of cells of page-content. */
function readTables(root: Element, readCells: typeof readTableCells): PageTable[] {
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
  return (real.length > 0 ? real : visible).map(read).filter(({ headers }) => headers.length > 0);
}
