/** Measures of a JSON value that determine the cost of validating it. */
export interface JsonSize {
  /** Number of values, nested ones included. */
  readonly values: number;
  /** Number of pairs of items in all arrays together. */
  readonly pairs: number;
  /** True when all numbers are finite: `JSON.parse` returns `Infinity` for larger ones. */
  readonly finite: boolean;
}

/** Measures a JSON value of any depth. */
export function sizeOf(data: unknown): JsonSize {
  let [values, pairs, finite] = [0, 0, true];
  const left: unknown[] = [data];
  while (left.length > 0) {
    const value = left.pop();
    values++;
    if (typeof value === "number") finite &&= Number.isFinite(value);
    if (typeof value !== "object" || value === null) continue;
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (inner === value) pairs += inner.length ** 2;
    for (const each of inner) left.push(each);
  }
  return { values, pairs, finite };
}
