import type { Adapter, Input } from "../adapter.ts";
import { openaiPeer, streamPeer, createForAwait } from "../async-adapters.ts";
import { labelChunking, splitChunks, type Chunking, type Corpus } from "../corpus.ts";
import type { Implementation } from "../implementation.ts";
import { check, measure, computeRatio, computeSpread, type Effort } from "../measurement.ts";
import { callbackPeer, push } from "../push-adapters.ts";
import { createShapeCorpus, shapes, type Shape, type ShapeCorpus } from "./shapes.ts";
import { median } from "../statistics.ts";
import { formatRatio, writeTable } from "../table.ts";
import type { Tally } from "../tally.ts";

/** How the streams of shapes are cut. */
const chunkings: readonly Chunking[] = ["event", 16 * 1024, 2 ** 20];

/** What is compared with what. */
const ways = ["push", "for await", "to openai"] as const;

/** How many times as fast as a peer a shape is read in one way. */
interface Cell {
  readonly way: (typeof ways)[number];
  readonly chunking: Chunking;
  readonly ratio: number;
  readonly aim: number;
  readonly spread: number;
}

/** Measures all shapes, and prints a table with the shape of the worst cell first. */
export async function compareShapes(
  implementation: Implementation,
  tally: Tally,
  effort: Effort,
  { scale, only }: { readonly scale: number; readonly only: string | undefined },
): Promise<string> {
  const rows: { readonly shape: Shape; readonly cells: readonly Cell[] }[] = [];
  for (const shape of shapes) {
    if (only !== undefined && !shape.name.includes(only)) continue;
    const corpora = createShapeCorpus(shape, scale);
    const cells: Cell[] = [];
    for (const chunking of chunkings) cells.push(...(await compare(implementation, corpora, chunking, tally, effort)));
    rows.push({ shape, cells });
  }
  rows.sort((one, other) => findWorst(one.cells) - findWorst(other.cells));
  const cells = rows.flatMap((row) => row.cells.map((cell) => ({ ...cell, shape: row.shape.name })));
  const missed = cells.filter(({ ratio, aim }) => ratio < aim).sort((a, b) => a.ratio / a.aim - b.ratio / b.aim);
  return [
    writeTable([
      ["", ...chunkings.flatMap((chunking) => ways.map((way) => `${way}, ${labelChunking(chunking)}`))],
      ...rows.map(({ shape, cells: own }) => [shape.name].concat(own.map(getText))),
    ]),
    `ratios vary by ${(median(cells.map(({ spread }) => spread)) * 100).toFixed(0)} % between rounds (median over the cells)`,
    `${cells.length - missed.length} of ${cells.length} cells reach their aim`,
    ...missed.map(
      ({ shape, way, chunking, ratio, aim }) =>
        `not reached  ${shape}, ${way}, ${labelChunking(chunking)}: ${formatRatio(ratio)}, aim ${aim}x`,
    ),
  ].join("\n");
}

/** Writes a cell; a mark says that it misses its aim. */
function getText({ ratio, aim }: Cell): string {
  return `${formatRatio(ratio)}${ratio < aim ? " <" : "  "}`;
}

/** How far a row is from its aims; below 1 it misses one. */
function findWorst(cells: readonly Cell[]): number {
  return Math.min(...cells.map(({ ratio, aim }) => ratio / aim));
}

async function compare(
  implementation: Implementation,
  { shape, corpus, peers }: ShapeCorpus,
  chunking: Chunking,
  tally: Tally,
  effort: Effort,
): Promise<readonly Cell[]> {
  const createInput = (of: Corpus): Input => ({ corpus: of, chunking, chunks: splitChunks(of, chunking) });
  const [input, peerInput] = [createInput(corpus), createInput(peers)];
  /** A peer, which reads the stream that is made for it. */
  const findPeer = (peer: Adapter): Adapter => ({ ...peer, run: (_, sink) => peer.run(peerInput, sink) });
  const ours = push(implementation);
  const iterated = createForAwait(implementation);
  const sync = await measureAll([ours, findPeer(callbackPeer)], input, tally, effort);
  const cells: Cell[] = [writeCell("push", sync, ours, callbackPeer)];
  if (iterated) {
    const async = await measureAll([iterated, findPeer(streamPeer), findPeer(openaiPeer)], input, tally, effort);
    cells.push(
      writeCell("for await", async, iterated, streamPeer),
      writeCell("to openai", async, iterated, openaiPeer),
    );
  }
  return cells;

  function writeCell(
    way: Cell["way"],
    samples: Awaited<ReturnType<typeof measure>>,
    our: Adapter,
    peer: Adapter,
  ): Cell {
    return {
      way,
      chunking,
      ratio: computeRatio(samples, our.name, peer.name),
      spread: computeSpread(samples, our.name, peer.name),
      aim: aims[shape.group][way],
    };
  }
}

async function measureAll(adapters: readonly Adapter[], input: Input, tally: Tally, effort: Effort) {
  await check(adapters, input, tally);
  return measure(adapters, input, tally, effort);
}

/** Aims of the issue, by the kind of events. */
const aims: Readonly<Record<Shape["group"], Readonly<Record<Cell["way"], number>>>> = {
  today: { push: 2.1, "for await": 2.1, "to openai": 2.5 },
  small: { push: 1.5, "for await": 1.6, "to openai": 2.5 },
  "ten fields": { push: 1.2, "for await": 1.2, "to openai": 2.5 },
  "2 kB": { push: 0.97, "for await": 1.2, "to openai": 0 },
  other: { push: 0.97, "for await": 0.97, "to openai": 0 },
};
