import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import type { Adapter, Input } from "./adapter.ts";
import { describeAims } from "./aims.ts";
import { listAsyncAdapters, openaiPeer, streamPeer } from "./async-adapters.ts";
import { describeComparison, type Comparison } from "./comparison.ts";
import {
  labelChunking,
  chunkings,
  splitChunks,
  createCorpus,
  type Chunking,
  type Corpus,
  type CorpusName,
} from "./corpus.ts";
import { cpuClockScope } from "./cpu-clock.ts";
import { loadImplementations, type Implementation } from "./implementation.ts";
import { check, measure, type Effort, type Samples } from "./measurement.ts";
import { readOptions, usage, type Options, type Suite } from "./options.ts";
import { callbackPeer, parseFloor, pushAdapters } from "./push-adapters.ts";
import { computeCostOnTop, createSnapshotAdapters, type SnapshotAdapters } from "./snapshot-adapters.ts";
import { median } from "./statistics.ts";
import { writeTable } from "./table.ts";
import { compareShapes } from "./shapes/compare-shapes.ts";
import { createTally } from "./tally.ts";

/** Events per stream, and effort per cell: enough that a run of an adapter takes some 5 ms or more. */
const plans: Record<
  Exclude<Suite, "shapes">,
  { readonly events: Record<CorpusName, number>; readonly effort: Effort }
> = {
  sync: { events: { deltas: 40_000, mixed: 20_000 }, effort: { seconds: 1.8, minRounds: 5 } },
  async: { events: { deltas: 12_000, mixed: 6000 }, effort: { seconds: 2, minRounds: 5 } },
  snapshot: { events: { deltas: 100_000, mixed: 20_000 }, effort: { seconds: 2, minRounds: 5 } },
};

/** Effort per cell of the shapes. */
const shapeEffort: Effort = { seconds: 0.6, minRounds: 7 };

/** How the stream is cut where the chunks matter little. */
const snapshotChunkings: readonly Chunking[] = [16 * 1024, "event"];

const tally = createTally();

try {
  await main();
} catch (error) {
  // An adapter that does not deliver the whole stream is no peer to compare with.
  console.error(error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const options = optionsOrExit();
  if (!options) return console.log(usage);
  const implementations = await loadImplementations(options.ours);
  console.log(describeCircumstances());

  if (options.suites.includes("shapes")) {
    for (const implementation of implementations) {
      const effort = options.quick ? { seconds: 0.15, minRounds: 5 } : shapeEffort;
      const table = await compareShapes(implementation, tally, effort, {
        scale: options.quick ? 0.3 : 1,
        only: options.shape,
      });
      console.log(
        `\nShapes, ${implementation.name}: times as fast as eventsource-parser with JSON.parse, and as openai\n${table}`,
      );
    }
  }
  const sync = await compareAll("sync", pushAdapters(implementations), options);
  for (const comparison of sync) {
    console.log(`\nPush, ${describeComparison(comparison, pushAdapters(implementations), [callbackPeer, parseFloor])}`);
  }
  const async = await compareAll("async", listAsyncAdapters(implementations), options);
  for (const comparison of async) {
    console.log(
      `\nfor await, ${describeComparison(comparison, listAsyncAdapters(implementations), [streamPeer, openaiPeer])}`,
    );
  }
  const snapshots = await measureSnapshots(implementations, options);
  for (const implementation of implementations) {
    const snapshot = snapshots.get(implementation) ?? [];
    console.log(`\nAims of the issue, ${implementation.name}`);
    console.log(describeAims({ sync, async, snapshot }, implementation.name));
  }
}

function optionsOrExit(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(usage);
    process.exit(2);
  }
}

async function compareAll(
  suite: keyof typeof plans,
  adapters: readonly Adapter[],
  options: Options,
): Promise<readonly Comparison[]> {
  if (!options.suites.includes(suite)) return [];
  const comparisons: Comparison[] = [];
  for (const name of options.corpora) {
    const corpus = createCorpus(name, countEvents(suite, name, options));
    // All of it once before anything is measured: that also warms up.
    for (const chunking of chunkings) await check(adapters, createInput(corpus, chunking), tally);
    const cells: (readonly [Chunking, Samples])[] = [];
    for (const chunking of chunkings) {
      const samples = await measure(adapters, createInput(corpus, chunking), tally, chooseEffort(suite, options));
      cells.push([chunking, samples]);
    }
    comparisons.push({ corpus, cells });
  }
  return comparisons;
}

/** Prints what snapshots cost. @returns microseconds per event on top of decoding, per way to cut. */
async function measureSnapshots(
  implementations: readonly Implementation[],
  options: Options,
): Promise<ReadonlyMap<Implementation, readonly number[]>> {
  const costs = new Map<Implementation, number[]>();
  if (!options.suites.includes("snapshot")) return costs;
  const able = implementations.flatMap((implementation): [Implementation, SnapshotAdapters][] => {
    const adapters = createSnapshotAdapters(implementation);
    return adapters ? [[implementation, adapters]] : [];
  });
  if (able.length === 0) return costs;
  const corpus = createCorpus("deltas", countEvents("snapshot", "deltas", options));
  const adapters = able.flatMap(([, { decode, both, reduce }]) => [decode, both, reduce]);
  const rows = adapters.map(({ name }) => [name]);
  const differences = able.map(([{ name }]) => [`${name}, snapshot on top of decoding`]);
  for (const chunking of snapshotChunkings) {
    const input = createInput(corpus, chunking);
    await check(adapters, input, tally);
    const samples = await measure(adapters, input, tally, chooseEffort("snapshot", options));
    adapters.forEach(({ name }, index) => {
      rows[index]?.push((median(samples.get(name) ?? []) / corpus.payloads.length).toFixed(3));
    });
    able.forEach(([implementation, parts], index) => {
      const cost = computeCostOnTop(samples, parts, corpus.payloads.length);
      costs.set(implementation, [...(costs.get(implementation) ?? []), cost]);
      differences[index]?.push(cost.toFixed(3));
    });
  }
  console.log(`\nSnapshots, ${corpus.name} (${corpus.payloads.length} events): microseconds per event`);
  console.log(writeTable([["", ...snapshotChunkings.map(labelChunking)], ...rows, ...differences]));
  return costs;
}

function createInput(corpus: Corpus, chunking: Chunking): Input {
  return { corpus, chunking, chunks: splitChunks(corpus, chunking) };
}

function countEvents(suite: keyof typeof plans, corpus: CorpusName, { events, quick }: Options): number {
  const usual = plans[suite].events[corpus];
  return events ?? (quick && suite !== "snapshot" ? usual / 4 : usual);
}

function chooseEffort(suite: keyof typeof plans, { quick }: Options): Effort {
  const { effort } = plans[suite];
  return quick ? { seconds: effort.seconds / 6, minRounds: 3 } : effort;
}

function describeCircumstances(): string {
  const load = loadavg()
    .map((value) => value.toFixed(1))
    .join(" ");
  const collects = globalThis.gc
    ? "collected (young generation) before every sample"
    : "not collected: start node with --expose-gc";
  const peers: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(new URL("package.json", import.meta.url), "utf8"),
  );
  return [
    `Node ${process.versions.node} on ${cpus()[0]?.model ?? "an unknown processor"}, ${cpus().length} cores, load ${load}`,
    `CPU time of the ${cpuClockScope}; garbage is ${collects}`,
    `Peers: ${Object.entries(peers.dependencies)
      .filter(([name]) => name !== "zod")
      .map((peer) => peer.join(" "))
      .join(", ")}`,
  ].join("\n");
}
