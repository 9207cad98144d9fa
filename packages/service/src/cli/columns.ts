/** A column of a list. */
interface Column {
  /** What stands above it. */
  readonly header: string;
  /** True for numbers and times, whose ends are below each other. */
  readonly isRight?: boolean;
  /** True to leave it out, with its cells. */
  readonly isHidden?: boolean;
}

/**
 * Prints rows below their headers, each column as wide as what is in it. On a terminal lines are cut to its width; pages and clients choose what is
 * in cells, so what would move the cursor or begin a line is left out.
 *
 * @param rows - Cells of each row, one for each column.
 */
export function printColumns(all: readonly Column[], rows: readonly (readonly string[])[]): void {
  const columns = all.filter(({ isHidden }) => !isHidden);
  const shown = rows.map((row) => row.filter((_, at) => !all[at]?.isHidden).map(printable));
  const lines = [columns.map(({ header }) => header), ...shown];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  for (const line of lines) {
    const cells = line.map((cell, at) =>
      columns[at]?.isRight ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
    );
    console.log(cells.join("  ").trimEnd().slice(0, process.stdout.columns));
  }
}

/** Returns a text on one line, without what would move the cursor. */
export function printable(text: string): string {
  return text.replaceAll(/\s+/gu, " ").replaceAll(/[\p{Cc}\p{Cf}]/gu, "");
}

/** Returns a time of ISO 8601 up to its minute: `2030-01-31 12:00`. */
export function minuteOf(time: string): string {
  return time.slice(0, 16).replace("T", " ");
}
