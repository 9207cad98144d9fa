import type { Adapter } from "./adapter.ts";
import { labelChunking, type Chunking, type Corpus } from "./corpus.ts";
import { computeRatio, computeSpread, type Samples } from "./measurement.ts";
import { geometricMean, median } from "./statistics.ts";
import { formatRatio, writeTable } from "./table.ts";

/** What was measured for one corpus: a column per chunking. */
export interface Comparison {
  /** What was read. */
  readonly corpus: Corpus;
  /** The samples of each way to cut it. */
  readonly cells: readonly (readonly [Chunking, Samples])[];
}

/** The ratio of each cell: how many times as fast as `base`. */
export function listRatios({ cells }: Comparison, name: string, base: string): readonly number[] {
  return cells.map(([, samples]) => computeRatio(samples, name, base));
}

/** The geometric mean of the ratios of all cells. */
export function computeMeanRatio(comparison: Comparison, name: string, base: string): number {
  return geometricMean(listRatios(comparison, name, base));
}

/**
 * The table of one comparison.
 *
 * @param bases - the first is what the cells and the first mean compare with; each other one gets a mean of its own.
 */
export function describeComparison(
  comparison: Comparison,
  adapters: readonly Adapter[],
  bases: readonly [Adapter, ...Adapter[]],
): string {
  const { corpus, cells } = comparison;
  const base = bases[0].name;
  const head = [
    "",
    ...cells.map(([chunking]) => labelChunking(chunking)),
    ...bases.map((_, index) => `mean ${index + 1}`),
  ];
  const rows = adapters.map(({ name }) => [
    name,
    ...cells.map(([, samples]) => {
      const rate = (corpus.payloads.length / median(samples.get(name) ?? [])) * 1000;
      return `${formatRatio(computeRatio(samples, name, base))} ${rate.toFixed(0).padStart(5)}`;
    }),
    ...bases.map((other) => formatRatio(computeMeanRatio(comparison, name, other.name))),
  ]);
  const spreads = cells.flatMap(([, samples]) =>
    adapters.filter(({ name }) => name !== base).map(({ name }) => computeSpread(samples, name, base)),
  );
  const rounds = cells.map(([, samples]) => samples.get(base)?.length ?? 0);
  const size = `${corpus.payloads.length} events, ${(corpus.bytes.length / 1e6).toFixed(1)} MB`;
  return [
    `${corpus.name} (${size}): times as fast as ${base}, and thousand events per second`,
    writeTable([head, ...rows]),
    bases.map(({ name }, index) => `mean ${index + 1}: geometric mean of the ratios to ${name}`).join("\n"),
    `${Math.min(...rounds)} to ${Math.max(...rounds)} rounds; ratios vary by ${(median(spreads) * 100).toFixed(0)} % ` +
      "between rounds (half of the middle 50 %, median over the cells)",
  ].join("\n");
}
