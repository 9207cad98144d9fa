/** Lines of a terminal: the first column to the left, all others to the right. The first row is the head. */
export function writeTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
  return lines.toSpliced(1, 0, widths.map((width) => "-".repeat(width)).join("  ")).join("\n");
}

/** A ratio with three digits that count. */
export function formatRatio(ratio: number): string {
  if (Number.isNaN(ratio)) return "-";
  return `${ratio.toFixed(ratio < 10 ? 2 : ratio < 100 ? 1 : 0)}x`;
}
