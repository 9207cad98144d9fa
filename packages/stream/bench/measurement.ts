import type { Adapter, Input } from "./adapter.ts";
import { readCpuMicroseconds } from "./cpu-clock.ts";
import { median, quantile } from "./statistics.ts";
import type { Tally } from "./tally.ts";

/** How long to measure. */
export interface Effort {
  /** Seconds of wall time per cell, all adapters together; passed only to finish a round or to reach `minRounds`. */
  readonly seconds: number;
  /** Rounds at least, however long they take. */
  readonly minRounds: number;
}

/** What each adapter took for the same input, per round. */
export type Samples = ReadonlyMap<string, readonly number[]>;

/** Rounds at most: more than that changes no median. */
const maxRounds = 40;

/** Lets every adapter read the input once, and compares all that it delivers. @throws {Error} when it differs. */
export async function check(adapters: readonly Adapter[], input: Input, tally: Tally): Promise<void> {
  for (const adapter of adapters) {
    tally.begin(input.corpus.payloads);
    await adapter.run(input, tally);
    tally.finish(adapter, input);
  }
}

/**
 * Measures the CPU time of the main thread, in rounds: every adapter once per round, each time another one first.
 *
 * @returns microseconds per adapter, in the order of the rounds. The first round is not among them.
 */
export async function measure(
  adapters: readonly Adapter[],
  input: Input,
  tally: Tally,
  { seconds, minRounds }: Effort,
): Promise<Samples> {
  const samples = new Map<string, number[]>(adapters.map(({ name }) => [name, []]));
  const deadline = performance.now() + seconds * 1000;
  for (let round = 0; round <= minRounds || (round <= maxRounds && performance.now() < deadline); round++) {
    const shift = round % adapters.length;
    for (const adapter of [...adapters.slice(shift), ...adapters.slice(0, shift)]) {
      const cost = await measureCost(adapter, input, tally);
      if (round > 0) samples.get(adapter.name)?.push(cost);
    }
  }
  return samples;
}

/** How many times as fast as `base` the adapter `name` is: the median of the ratios within the rounds. */
export function computeRatio(samples: Samples, name: string, base: string): number {
  return median(listPairedRatios(samples, name, base));
}

/** Half the distance between the quartiles of the ratios within the rounds, relative to their median. */
export function computeSpread(samples: Samples, name: string, base: string): number {
  const ratios = listPairedRatios(samples, name, base);
  return (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / 2 / median(ratios);
}

function listPairedRatios(samples: Samples, name: string, base: string): readonly number[] {
  const bases = samples.get(base) ?? [];
  return (samples.get(name) ?? []).map((cost, round) => (bases[round] ?? Number.NaN) / cost);
}

async function measureCost(adapter: Adapter, input: Input, tally: Tally): Promise<number> {
  tally.begin();
  // What one adapter leaves behind must not be collected at the cost of the next. A full collection would also throw
  // away feedback and optimised code, so that every sample would begin with warming up.
  globalThis.gc?.({ type: "minor", execution: "sync" });
  const before = readCpuMicroseconds();
  const running = adapter.run(input, tally);
  if (running) await running;
  const after = readCpuMicroseconds();
  tally.finish(adapter, input);
  return after - before;
}
