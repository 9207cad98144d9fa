import Table from "cli-table3";
import cliTruncate from "cli-truncate";
import { printable } from "./printable.ts";
import type { Terminal } from "./terminal.ts";

/** A column of a list. */
export interface Column {
  /** Text above the column. */
  readonly header: string;
  /** True for numbers and times, whose ends are below each other. */
  readonly isRight?: boolean;
  /** True to leave it out, with its cells. */
  readonly isHidden?: boolean;
}

/** Borders of cells: none, but two spaces between them. */
const chars = {
  ...Object.fromEntries(
    ["top", "bottom", "left", "right", "mid"].flatMap((side) =>
      ["", "-left", "-mid", "-right"].map((part) => [side + part, ""]),
    ),
  ),
  "left-mid": "",
  "mid-mid": "",
  "right-mid": "",
  middle: "  ",
};

/**
 * Prints rows below their headers, each column as wide as its content. On a terminal lines are truncated to its width. Cells are
 * untrusted, so control characters and line ends are left out.
 *
 * @param rows - Cells of each row, one for each column.
 */
export function printTable(
  { print, stdout, colors }: Terminal,
  all: readonly Column[],
  rows: readonly (readonly string[])[],
): void {
  const columns = all.filter(({ isHidden }) => !isHidden);
  const table = new Table({
    chars,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colAligns: columns.map(({ isRight }) => (isRight ? "right" : "left")),
    head: columns.map(({ header }) => header),
  });
  for (const row of rows) table.push(row.filter((_, at) => !all[at]?.isHidden).map(printable));
  const { columns: width } = stdout;
  for (const [at, line] of table.toString().split("\n").entries()) {
    const text = line.trimEnd();
    const shown = stdout.isTTY && width ? cliTruncate(text, width) : text;
    print(at === 0 ? colors.bold(shown) : shown);
  }
}
