/* oxlint-disable unicorn/consistent-function-scoping -- functions that run in the page can't use anything outside of them */
import type { Frame, Locator, Page } from "playwright-core";
import { nameSimilarity } from "../targets/similar-names.ts";

/** A table of a page, as table extraction returns it. */
export interface PageTable {
  /** Its caption, or the heading before it; empty without one. */
  readonly name: string;
  /** Its headers, unique. */
  readonly headers: readonly string[];
  /** Its rows: header to text. */
  readonly rows: readonly Readonly<Record<string, string>>[];
}

/** Least similarity of a name, from 0 to 1. */
const minSimilarity = 0.6;

/** Extracts a table: the one that a locator matches, or the largest one in it. */
export async function tableAt(part: Locator): Promise<PageTable | undefined> {
  return largest(await part.evaluate(readTables));
}

/** Reads the table of a page with a similar name, or else the largest one. */
export async function tableOf(page: Page, name: string): Promise<PageTable | undefined> {
  const read = async (frame: Frame): Promise<PageTable[]> =>
    frame.locator(":root").evaluate(readTables, undefined, { timeout: 3000 });
  const tables = (await Promise.all(page.frames().map((frame) => read(frame).catch(() => [])))).flat();
  const named = tables.filter((table) => nameSimilarity(name.replaceAll("_", " "), table.name) >= minSimilarity);
  return largest(named.length > 0 ? named : tables);
}

function largest(tables: readonly PageTable[]): PageTable | undefined {
  const size = ({ headers, rows }: PageTable): number =>
    (headers.length > 1 ? 1 : 0.1) * headers.length * (rows.length + 1);
  return tables.reduce<PageTable | undefined>(
    (most, one) => (most === undefined || size(one) > size(most) ? one : most),
    undefined,
  );
}

/** Runs in the page. */
function readTables(root: Element): PageTable[] {
  const maxRows = 5000;
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const isShown = (element: Element): boolean => element.getClientRects().length > 0;
  const textOf = (element: Element): string =>
    oneLine(element instanceof HTMLElement ? element.innerText : element.textContent);
  const selector = "table, [role=table], [role=grid], [role=treegrid]";
  const rowSelector = "tr, [role=row]";
  const cellSelector = "td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]";

  /** Selects within elements and the open shadow roots in them. */
  const inside = (within: Element | ShadowRoot, wanted: string): Element[] => {
    const found = [...within.querySelectorAll(wanted)];
    const hosts = [...within.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
    return [...found, ...hosts.flatMap((shadow) => inside(shadow, wanted))];
  };
  const ownRows = (table: Element): Element[] =>
    inside(table, rowSelector).filter(
      (row) => row.closest(selector) === table || row.getRootNode() !== table.getRootNode(),
    );
  const cellsOf = (row: Element): Element[] =>
    [...row.querySelectorAll(cellSelector)].filter((cell) => cell.closest(rowSelector) === row);
  const isHeader = (cell: Element): boolean =>
    cell.localName === "th" ? cell.getAttribute("scope") !== "row" : cell.getAttribute("role") === "columnheader";

  const nameOf = (table: Element): string => {
    const caption = table.querySelector("caption");
    const label =
      table.getAttribute("aria-label") ??
      (table.getAttribute("aria-labelledby") ?? "")
        .split(/\s+/)
        .map((id) => (id === "" ? "" : document.getElementById(id)?.textContent))
        .join(" ");
    if (caption || oneLine(label) !== "") return oneLine(caption?.textContent ?? label);
    const headings = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")];
    return oneLine(
      headings.findLast((heading) => heading.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING)
        ?.textContent,
    );
  };

  /** Texts by row and column; a cell that spans several is repeated. */
  const gridOf = (rows: readonly Element[]): string[][] => {
    const grid: string[][] = rows.map(() => []);
    for (const [y, row] of rows.entries()) {
      let x = 0;
      for (const cell of cellsOf(row)) {
        while (grid[y]?.[x] !== undefined) x += 1;
        const text = textOf(cell);
        const span = (name: string): number => Math.min(50, Math.max(1, Number(cell.getAttribute(name) ?? 1) || 1));
        for (let down = 0; down < span("rowspan"); down += 1) {
          for (let right = 0; right < span("colspan"); right += 1) {
            const line = grid[y + down];
            if (line) line[x + right] = text;
          }
        }
        x += span("colspan");
      }
    }
    return grid.map((line) => Array.from(line, (text) => text ?? ""));
  };

  const read = (table: Element): PageTable => {
    const rows = ownRows(table)
      .filter((row) => isShown(row) && row.closest("tfoot") === null)
      .slice(0, maxRows);
    const grid = gridOf(rows);
    const isHead = (row: Element): boolean => {
      const cells = cellsOf(row);
      return row.closest("thead") !== null || (cells.length > 0 && cells.every(isHeader));
    };
    const heads = rows.flatMap((row, index) => (isHead(row) ? [index] : []));
    const leading = heads.filter((index, position) => index === position); // header rows at the top of the table
    const width = Math.max(0, ...grid.map((line) => line.length));
    const headers: string[] = [];
    for (let column = 0; column < width; column += 1) {
      const texts = [...new Set(leading.map((index) => grid[index]?.[column] ?? "").filter((text) => text !== ""))];
      const base = texts.join(" ") || `Column ${column + 1}`;
      let header = base;
      for (let number = 2; headers.includes(header); number += 1) header = `${base} ${number}`;
      headers.push(header);
    }
    const body = grid.filter((line, index) => !heads.includes(index) && line.some((text) => text !== ""));
    return {
      name: nameOf(table),
      headers,
      rows: body.map((line) => Object.fromEntries(headers.map((header, column) => [header, line[column] ?? ""]))),
    };
  };

  const around = root.closest(selector);
  const tables = root.matches(selector)
    ? [root]
    : [...(root.shadowRoot ? inside(root.shadowRoot, selector) : []), ...inside(root, selector)];
  const layout = (table: Element): boolean =>
    ["presentation", "none"].includes(table.getAttribute("role") ?? "") || table.querySelector(selector) !== null;
  const shown = [...(tables.length === 0 && around ? [around] : tables)].filter(isShown);
  const real = shown.filter((table) => !layout(table));
  return (real.length > 0 ? real : shown).map(read).filter(({ headers }) => headers.length > 0);
}
