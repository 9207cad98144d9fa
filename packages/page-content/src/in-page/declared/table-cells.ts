/* oxlint-disable unicorn/consistent-function-scoping -- runs in the page, too, where it can't use anything outside of it */

/** Functions by which a reader of tables accesses a page. */
export interface TableView {
  /** Returns whether an element is not shown, with all that is in it. */
  readonly isHidden: (element: Element) => boolean;
  /** Returns the text that an element shows, in one line. */
  readonly textOf: (element: Element) => string;
}

/** Cells of a table. */
export interface TableCells {
  /** Text of the row above the headers that is one cell; empty without one. */
  readonly title: string;
  /** Headers by column: the texts of the header rows at the top, from above to below; empty where a column has none. */
  readonly headers: readonly string[];
  /** The lowest text of each header. */
  readonly lowest: readonly string[];
  /** Rows under the headers, without those that repeat the headers, only part the table or sum it up. */
  readonly rows: readonly TableRow[];
}

/** Row of a table. */
export interface TableRow {
  /** Its element. */
  readonly element: Element;
  /** Its cells by column. A cell that spans several columns or rows is in each; undefined where a row has none. */
  readonly cells: readonly (Element | undefined)[];
}

/**
 * Reads the cells of a table, for table extraction and structured data: one of HTML or of ARIA roles, in open shadow roots too, at most
 * 5,000 rows and 100 columns. Uses nothing outside of itself, so its text can be evaluated in a page.
 */
export function readTableCells(table: Element, { isHidden, textOf }: TableView): TableCells {
  const maxRows = 5000;
  const maxColumns = 100;
  const tableSelector = "table, [role=table], [role=grid], [role=treegrid]";
  const rowSelector = "tr, [role=row]";
  const cellSelector = "td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]";

  /** Selects within elements and the open shadow roots in them. */
  const inside = (within: Element | ShadowRoot, selector: string): Element[] => {
    const found = [...within.querySelectorAll(selector)];
    const hosts = [...within.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
    return hosts.length === 0 ? found : [...found, ...hosts.flatMap((shadow) => inside(shadow, selector))];
  };
  const isOwn = (row: Element): boolean =>
    row.parentElement?.parentElement === table ||
    row.closest(tableSelector) === table ||
    row.getRootNode() !== table.getRootNode();
  const isWithin = (row: Element, part: "thead" | "tfoot"): boolean => row.parentElement?.localName === part;
  const hasHiddenPart = (row: Element): boolean => {
    for (let at: Element | null = row; at !== null && at !== table; at = at.parentElement)
      if (isHidden(at)) return true;
    return false;
  };
  const listCells = (row: Element): Element[] => {
    const children = [...row.children].filter((child) => child.matches(cellSelector));
    const all =
      children.length > 0
        ? children
        : [...row.querySelectorAll(cellSelector)].filter((cell) => cell.closest(rowSelector) === row);
    return all.filter((cell) => !isHidden(cell)).slice(0, maxColumns);
  };

  const elements = inside(table, rowSelector)
    .slice(0, maxRows)
    .filter((row) => isOwn(row) && !isWithin(row, "tfoot") && !hasHiddenPart(row));
  const own = elements.map(listCells);

  const readSpan = (cell: Element, name: "colspan" | "rowspan"): number => {
    const span = Number.parseInt(cell.getAttribute(name) ?? cell.getAttribute(`aria-${name}`) ?? "1", 10);
    return span >= 0 ? span : 1;
  };
  /** Returns the number of rows that a cell spans: 0 means the rest of its row group, which it never exceeds. */
  const measureHeight = (cell: Element, y: number): number => {
    const span = readSpan(cell, "rowspan");
    if (span === 1) return 1;
    const group = elements[y]?.parentElement;
    const others = elements.slice(y).findIndex(({ parentElement }) => parentElement !== group);
    const left = others < 0 ? elements.length - y : others;
    return span === 0 ? left : Math.min(span, left);
  };
  const grid: (Element | undefined)[][] = elements.map(() => []);
  for (const [y, cells] of own.entries()) {
    let x = 0;
    for (const cell of cells) {
      while (grid[y]?.[x] !== undefined) x += 1;
      if (x >= maxColumns) break;
      const end = Math.min(x + (readSpan(cell, "colspan") || 1), maxColumns);
      for (const row of grid.slice(y, y + measureHeight(cell, y)))
        for (let place = x; place < end; place += 1) row[place] = cell;
      x = end;
    }
  }
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const texts = new Map<Element, string>();
  const read = (cell: Element | undefined): string => {
    if (cell === undefined) return "";
    const text = texts.get(cell) ?? textOf(cell);
    texts.set(cell, text);
    return text;
  };

  const isHeader = (cell: Element): boolean =>
    cell.localName === "th"
      ? !/^row/i.test(cell.getAttribute("scope") ?? "")
      : cell.getAttribute("role") === "columnheader";
  const isBold = (cell: Element): boolean => {
    const [child, other] = cell.children;
    return (
      child !== undefined &&
      other === undefined &&
      /^(?:b|strong)$/.test(child.localName) &&
      read(cell) === textOf(child)
    );
  };
  /** Returns whether a row has headers only; a first one that is blank is the corner. */
  const namesColumns = (y: number, isName: (cell: Element) => boolean): boolean => {
    const cells = own[y] ?? [];
    return (
      cells.some(isName) &&
      (cells.length > 1 || width === 1) &&
      cells.every((cell, x) => isName(cell) || (x === 0 && read(cell) === ""))
    );
  };
  const isTitle = (y: number): boolean => width > 1 && new Set(grid[y]).size === 1 && (own[y] ?? []).some(isHeader);

  const titles = isTitle(0) && elements.length > 1 ? 1 : 0;
  let end = titles;
  while (end < elements.length && (isWithin(elements[end] ?? table, "thead") || namesColumns(end, isHeader))) end += 1;
  // Where all rows look like headers, only the first is one.
  if (end === elements.length && end > titles) end = titles + 1;
  if (end === titles && namesColumns(end, (cell) => isHeader(cell) || isBold(cell))) end += 1;
  const hasHeaders = end > titles && elements.length > end;
  const heads = hasHeaders ? grid.slice(titles, end).filter((row) => new Set(row).size > 1 || width === 1) : [];
  const columns = Array.from({ length: width }, (_, x) => [
    ...new Set(heads.map((row) => read(row[x])).filter((text) => text !== "")),
  ]);
  const repeats = (row: readonly (Element | undefined)[]): boolean =>
    row.every((cell, x) => cell !== undefined && isHeader(cell) && ["", ...(columns[x] ?? [])].includes(read(cell)));
  const rows = grid.flatMap((cells, y) => {
    const element = elements[y];
    const isPart = width > 1 && new Set(cells).size <= 1;
    const leaves = element === undefined || (hasHeaders && (y < end || isPart || repeats(cells)));
    return leaves || cells.length === 0 ? [] : [{ element, cells: Array.from(cells) }];
  });
  return {
    title: titles > 0 ? read(grid[0]?.[0]) : "",
    headers: hasHeaders ? columns.map((column) => column.join(" ")) : [],
    lowest: hasHeaders ? columns.map((column) => column.at(-1) ?? "") : [],
    rows,
  };
}
