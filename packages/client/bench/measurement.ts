import { readCpuMicroseconds } from "../../stream/bench/cpu-clock.ts";
import { quantile } from "../../stream/bench/statistics.ts";
import type { Way } from "./way.ts";

/** How much to measure. */
export interface Effort {
  /** Calls per sample. */
  readonly calls: number;
  /** Samples per way. */
  readonly rounds: number;
}

/** What one way takes, beside the floor. */
export interface Finding {
  /** The way. */
  readonly way: Way;
  /** Median, in microseconds of CPU time of the main thread per call. */
  readonly cost: number;
  /** Median of the differences to the floor within the rounds, in microseconds per call. */
  readonly over: number;
  /** Half the distance between the quartiles of these differences. */
  readonly spread: number;
  /** Median of the ratios to the floor within the rounds. */
  readonly ratio: number;
}

/** Rounds that are not counted. */
const warmUp = 3;

/** Measures in rounds: every way once per round, each time another one first. The first way is the floor. */
export async function measure(ways: readonly Way[], { calls, rounds }: Effort): Promise<readonly Finding[]> {
  const samples = ways.map((): number[] => []);
  for (let round = 0; round < warmUp + rounds; round++) {
    for (let turn = 0; turn < ways.length; turn++) {
      const index = (turn + round) % ways.length;
      const cost = await readCost(ways[index]?.call, calls);
      if (round >= warmUp) samples[index]?.push(cost);
    }
  }
  const floor = samples[0] ?? [];
  return ways.map((way, index) => {
    const own = samples[index] ?? [];
    const differences = own.map((cost, round) => cost - (floor[round] ?? Number.NaN));
    return {
      way,
      cost: quantile(own, 0.5),
      over: quantile(differences, 0.5),
      spread: (quantile(differences, 0.75) - quantile(differences, 0.25)) / 2,
      ratio: quantile(
        own.map((cost, round) => cost / (floor[round] ?? Number.NaN)),
        0.5,
      ),
    };
  });
}

async function readCost(call: Way["call"] | undefined, calls: number): Promise<number> {
  globalThis.gc?.({ type: "minor", execution: "sync" });
  const before = readCpuMicroseconds();
  for (let count = 0; count < calls; count++) await call?.();
  return (readCpuMicroseconds() - before) / calls;
}
