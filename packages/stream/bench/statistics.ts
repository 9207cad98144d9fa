/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The mean for ratios. */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** The number below which a fraction of the numbers lies, between two of them in proportion. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
