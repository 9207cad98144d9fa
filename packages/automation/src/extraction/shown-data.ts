import type { Locator } from "playwright-core";
import { StepError } from "../automation-error.ts";
import { findNameIndex } from "../targets/same-name.ts";

/** A property of a schema, and the name that a page shows for it. */
interface DataProperty {
  readonly key: string;
  readonly name: string;
}

/** Labelled values and tables that a page shows. */
interface PageContent {
  readonly pairs: readonly (readonly [label: string, value: string])[];
  readonly tables: readonly { readonly headers: readonly string[]; readonly rows: readonly (readonly string[])[] }[];
}

/**
 * Reads data that a page shows under names: for a list of objects, the columns of the one table that has them all; for an object, values that
 * stand beside their labels, as "Price: 4.20", in a list of definitions or in a row.
 *
 * @returns Undefined if the page does not show all of it, or the schema asks for something else.
 * @throws {AutomationError} `step_failed` if several tables, or different values, have the names.
 */
export async function readShownData(part: Locator, schema: Readonly<Record<string, unknown>>): Promise<unknown> {
  const rowSchema = schema["type"] === "array" ? schema["items"] : undefined;
  const properties = listProperties(rowSchema ?? schema);
  if (properties.length === 0) return undefined;
  const content = await part.evaluate(readShown);
  return rowSchema === undefined ? readObject(content, properties) : readRows(content, properties);
}

function listProperties(schema: unknown): DataProperty[] {
  if (typeof schema !== "object" || schema === null || !("properties" in schema)) return [];
  const { properties } = schema;
  if (typeof properties !== "object" || properties === null) return [];
  return Object.entries<unknown>({ ...properties }).map(([key, value]) => {
    const title = typeof value === "object" && value !== null && "title" in value ? value.title : undefined;
    return { key, name: typeof title === "string" ? title : key.replaceAll("_", " ") };
  });
}

function readObject({ pairs }: PageContent, properties: readonly DataProperty[]): Record<string, string> | undefined {
  const entries = properties.map(({ key, name }): [string, string] | undefined => {
    const values = [
      ...new Map(pairs.map(([label, value]) => [JSON.stringify([label, value]), { label, value }])).values(),
    ];
    const labels = values.map(({ label }) => label);
    const at = findNameIndex(labels, name, "field");
    if (at === undefined) return undefined;
    if ("several" in at) throw new StepError(`ambiguous: ${at.several} values stand beside "${name}"`);
    return [key, values[at.index]?.value ?? ""];
  });
  return entries.every((one) => one !== undefined) ? Object.fromEntries(entries) : undefined;
}

function readRows({ tables }: PageContent, properties: readonly DataProperty[]): Record<string, string>[] | undefined {
  const fitting = tables.flatMap(({ headers, rows }) => {
    const columns = properties.map(({ name }) => findNameIndex(headers, name, "field"));
    const indexes = columns.flatMap((column) => (column !== undefined && "index" in column ? [column.index] : []));
    return indexes.length === properties.length ? [{ rows, indexes }] : [];
  });
  const [table, another] = fitting;
  if (another !== undefined) throw new StepError(`ambiguous: ${fitting.length} tables have these columns`);
  return table?.rows.map((row) =>
    Object.fromEntries(properties.map(({ key }, at) => [key, row[table.indexes[at] ?? -1] ?? ""])),
  );
}

/** Runs in the page. */
function readShown(root: Element): PageContent {
  const oneLine = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();
  const getText = (element: Element): string =>
    oneLine(element instanceof HTMLElement ? element.innerText : element.textContent);
  const isShown = (element: Element): boolean => element.getClientRects().length > 0;
  const pairs: [string, string][] = [];
  for (const term of root.querySelectorAll("dt")) {
    const definition = term.nextElementSibling;
    if (definition?.localName === "dd" && isShown(term)) pairs.push([getText(term), getText(definition)]);
  }
  const tables: { headers: string[]; rows: string[][] }[] = [];
  const selector = "table, [role=table], [role=grid], [role=treegrid]";
  for (const table of root.matches(selector) ? [root] : root.querySelectorAll(selector)) {
    const rows = [...table.querySelectorAll("tr, [role=row]")].filter(
      (row) => row.closest(selector) === table && isShown(row) && row.closest("tfoot") === null,
    );
    const listCells = (row: Element): Element[] =>
      [...row.querySelectorAll("td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]")].filter(
        (cell) => cell.closest("tr, [role=row]") === row,
      );
    const isHeader = (cell: Element): boolean => cell.matches("th:not([scope=row]), [role=columnheader]");
    const [first, ...others] = rows;
    const head = first ? listCells(first) : [];
    const hasSpans = table.querySelector("[rowspan], [colspan]") !== null;
    if (head.length > 0 && head.every(isHeader) && !hasSpans)
      tables.push({ headers: head.map(getText), rows: others.map((row) => listCells(row).map(getText)) });
    else if (rows.every((row) => listCells(row).length === 2))
      for (const row of rows) {
        const [label, value] = listCells(row);
        if (label && value) pairs.push([getText(label), getText(value)]);
      }
  }
  const lines = root instanceof HTMLElement ? root.innerText.split("\n") : [];
  for (const line of lines.slice(0, 20_000)) {
    if (line.includes("\t")) continue; // a row of a table
    const [, label = "", value = ""] = /^\s*([^:：]{1,80})[:：]\s*(\S.*)$/.exec(line.slice(0, 1_000)) ?? [];
    if (label !== "" && !value.startsWith("//")) pairs.push([oneLine(label), oneLine(value)]);
  }
  return { pairs, tables };
}
