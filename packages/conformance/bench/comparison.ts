/** Runs suites on targets, and keeps what they say that they do not say of the reference. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Suite } from "./suite.ts";
import { reference, type BenchTarget } from "./targets.ts";

/** A suite that works here. */
export interface Contender {
  readonly suite: Suite;
  /** What it complains of although the server is correct: not counted anywhere else. */
  readonly noise: ReadonlySet<string>;
  readonly folder: string;
}

/** One run. */
export interface Outcome {
  readonly suite: Suite;
  readonly target: BenchTarget;
  /** What is said of this target, and not of the reference. */
  readonly news: readonly string[];
  /** Whether the run came to its end. */
  readonly ended: boolean;
  readonly seconds: number;
}

const folders = mkdtempSync(join(tmpdir(), "conformance-bench-"));
process.on("exit", () => rmSync(folders, { recursive: true, force: true }));

/** Sets a suite up, and runs it on the reference twice; throws when it does not come to an end there. */
export async function enter(suite: Suite): Promise<Contender> {
  const folder = mkdtempSync(join(folders, "suite-"));
  await suite.prepare(folder);
  const noise = new Set<string>();
  for (let time = 0; time < 2; time += 1) {
    const { complaints, broke } = await judge(suite, folder, reference);
    if (broke !== undefined) throw new Error(`the reference: ${broke}`);
    for (const complaint of complaints) noise.add(complaint);
  }
  return { suite, noise, folder };
}

/** Runs a suite on a target that nothing else has met. */
async function judge(suite: Suite, folder: string, target: BenchTarget) {
  await using served = await target.start();
  const own = mkdtempSync(join(folders, "run-"));
  try {
    return await suite.judge(served.url, folder, own);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Runs all suites on all targets, with limited concurrency. */
export async function compare(
  contenders: readonly Contender[],
  targets: readonly BenchTarget[],
  concurrency: number,
  onTarget: (done: number) => void,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = [...targets];
  const worker = async (): Promise<void> => {
    for (let target = waiting.shift(); target; target = waiting.shift()) {
      for (const contender of contenders) outcomes.push(await compareOutcome(contender, target));
      onTarget(outcomes.length / contenders.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return outcomes;
}

async function compareOutcome({ suite, noise, folder }: Contender, target: BenchTarget): Promise<Outcome> {
  const begun = performance.now();
  const { complaints, broke } = await judge(suite, folder, target);
  const news = complaints.filter((complaint) => !noise.has(complaint));
  if (broke !== undefined) news.push(`the run came to no end: ${broke}`);
  return { suite, target, news, ended: broke === undefined, seconds: (performance.now() - begun) / 1000 };
}
