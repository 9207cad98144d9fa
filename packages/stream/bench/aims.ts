import { openaiPeer, streamPeer } from "./async-adapters.ts";
import { computeMeanRatio, listRatios, type Comparison } from "./comparison.ts";
import type { CorpusName } from "./corpus.ts";
import { callbackPeer } from "./push-adapters.ts";
import { formatRatio } from "./table.ts";

/** What a run measured; what is missing was not measured. */
export interface Findings {
  /** Push, per corpus. */
  readonly sync: readonly Comparison[];
  /** Asynchronous iteration, per corpus. */
  readonly async: readonly Comparison[];
  /** What a snapshot costs on top of decoding, per way to cut: microseconds per event. Empty without snapshots. */
  readonly snapshot: readonly number[];
}

/** One line per aim of the issue, for the adapter `ours`: reached or not, by how much. */
export function describeAims({ sync, async, snapshot }: Findings, ours: string): string {
  const cells = sync.flatMap((comparison) => listRatios(comparison, ours, callbackPeer.name));
  return [
    judgeRatio("push, mixed", 1.45, listMeans(selectCorpus(sync, "mixed"), ours, callbackPeer.name)),
    judgeRatio("push, deltas", 2, listMeans(selectCorpus(sync, "deltas"), ours, callbackPeer.name)),
    judgeRatio("push, slowest cell", 1.1, cells.length > 0 ? [Math.min(...cells)] : []),
    ...async.flatMap((comparison) => [
      judgeRatio(
        `for await, ${comparison.corpus.name}, to its stream`,
        2,
        listMeans([comparison], ours, streamPeer.name),
      ),
      judgeRatio(`for await, ${comparison.corpus.name}, to openai`, 4, listMeans([comparison], ours, openaiPeer.name)),
    ]),
    judgeSnapshot(snapshot),
  ].join("\n");
}

function selectCorpus(comparisons: readonly Comparison[], name: CorpusName): readonly Comparison[] {
  return comparisons.filter(({ corpus }) => corpus.name === name);
}

function listMeans(comparisons: readonly Comparison[], ours: string, base: string): readonly number[] {
  return comparisons.map((comparison) => computeMeanRatio(comparison, ours, base));
}

function judgeRatio(what: string, aim: number, [ratio]: readonly number[]): string {
  if (ratio === undefined || Number.isNaN(ratio)) return line("not measured", what, `aim ${aim}x`);
  return line(ratio >= aim ? "reached" : "not reached", what, `${formatRatio(ratio)}, aim ${aim}x`);
}

function judgeSnapshot(costs: readonly number[]): string {
  const what = "snapshot, on top of decoding";
  const aim = 0.3;
  if (costs.length === 0) return line("not measured", what, `aim ${aim} us per event`);
  const worst = Math.max(...costs);
  return line(worst <= aim ? "reached" : "not reached", what, `${worst.toFixed(3)} us per event, aim ${aim}`);
}

function line(verdict: string, what: string, numbers: string): string {
  return `${verdict.padEnd(12)}  ${what.padEnd(32)}  ${numbers}`;
}
