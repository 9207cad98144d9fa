/** One figure of the service: what it is to be, and what was measured. */
export interface Figure {
  /** What was measured. */
  readonly name: string;
  /** Unit of the values. */
  readonly unit: string;
  /** What it is to be at most; undefined for one that is told and not aimed at. */
  readonly goal?: number;
  /** Which of the values the goal is for. Default: `median`. */
  readonly of?: "median" | "p95" | "max";
  /** What was measured. */
  readonly values: readonly number[];
  /** Digits after the point. Default: 1. */
  readonly digits?: number;
}

/** The value below which such a part of the values lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

/** The figures as a table of Markdown. */
export function writeTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, unit, goal, of = "median", values, digits = 1 }) => {
    const format = (value: number): string => value.toFixed(digits);
    const facts = {
      min: percentile(values, 0),
      median: percentile(values, 0.5),
      p95: percentile(values, 0.95),
      max: percentile(values, 1),
    };
    const reached = goal === undefined ? "" : facts[of] <= goal ? "yes" : "no";
    const aim = goal === undefined ? "" : `≤ ${goal}${of === "median" && values.length === 1 ? "" : ` (${of})`}`;
    const { min, median, p95, max } = facts;
    return `| ${[`${name}, ${unit}`, aim, format(min), format(median), format(p95), format(max), values.length, reached].join(" | ")} |`;
  });
  return [
    "| figure | goal | min | median | p95 | max | values | reached |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}
