/** Runs our suite and those of others on the same targets, and prints what each of them found. */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { compare, enter, type Contender, type Outcome } from "./comparison.ts";
import type { Suite } from "./suite.ts";
import { dredd } from "./suites/dredd.ts";
import { ours } from "./suites/ours.ts";
import { portman } from "./suites/portman.ts";
import { prism } from "./suites/prism.ts";
import { respect } from "./suites/respect.ts";
import { stepCi } from "./suites/step-ci.ts";
import { formatTable } from "./table.ts";
import { isOfStream, sample, type BenchTargets } from "./targets.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    faults: { type: "string" },
    correct: { type: "string" },
    seed: { type: "string", default: "1" },
    concurrency: { type: "string", default: "2" },
  },
});
const all = Number.MAX_SAFE_INTEGER;
const size = values.quick ? { faults: 20, correct: 5 } : { faults: all, correct: all };
const seed = Number(values.seed);
const targets = sample(Number(values.faults ?? size.faults), Number(values.correct ?? size.correct), seed);

const load = loadavg().map((value) => value.toFixed(1));
console.log(`Node ${process.versions.node} on ${cpus()[0]?.model}, ${cpus().length} cores, load ${load.join(" ")}`);
console.log(`${targets.faulty.length} faulty servers, ${targets.correct.length} correct ones, seed ${seed}`);

const contenders: Contender[] = [];
const absent: string[] = [];
for (const suite of [ours, portman, stepCi, respect, dredd, prism]) await admit(suite);

const everything = [...targets.faulty, ...targets.correct];
const outcomes = await compare(contenders, everything, Number(values.concurrency), (done) => {
  if (process.stderr.isTTY || done % 10 === 0) console.error(`${done} of ${everything.length} servers`);
});
console.log(`\n${formatTable([formatHead(targets), ...contenders.map((contender) => formatRow(contender, targets))])}`);
for (const { suite } of contenders) console.log(`${suite.name}: ${suite.input}`);
for (const line of absent) console.log(line);
console.log(`\nRuns that came to no end: a complaint, too\n${formatList(outcomes.filter(({ ended }) => !ended))}`);
console.log(
  `\nFalse alarms\n${formatList(outcomes.filter(({ target, news }) => isCorrect(target) && news.length > 0))}`,
);
if (values.list) console.log(`\nFaults, and who found them\n${targets.faulty.map(finders).join("\n")}`);
process.exit();

async function admit(suite: Suite): Promise<void> {
  try {
    contenders.push(await enter(suite));
  } catch (error) {
    absent.push(`${suite.name}: not run: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isCorrect({ breaks }: Outcome["target"]): boolean {
  return breaks === undefined;
}

function formatHead({ faulty, correct }: BenchTargets): string[] {
  const stream = faulty.filter(isOfStream).length;
  const counts = [`faults of ${faulty.length}`, `of the stream, of ${stream}`, `false alarms of ${correct.length}`];
  return ["", ...counts, "noise", "s per server", "s in all"];
}

function formatRow({ suite, noise }: Contender, { correct }: BenchTargets): string[] {
  const own = outcomes.filter((outcome) => outcome.suite === suite);
  const found = own.filter(({ target, news }) => !isCorrect(target) && news.length > 0);
  const alarms = own.filter(({ target, news }) => isCorrect(target) && news.length > 0);
  const seconds = own.reduce((sum, outcome) => sum + outcome.seconds, 0);
  const counts = [found.length, found.filter(({ target }) => isOfStream(target)).length];
  const times = [(seconds / own.length).toFixed(1), seconds.toFixed(0)];
  const alarmed = correct.length === 0 ? "-" : String(alarms.length);
  return [suite.name, ...counts.map(String), alarmed, String(noise.size), ...times];
}

function formatList(alarms: readonly Outcome[]): string {
  const lines = alarms.map(({ suite, target, news }) => `  ${suite.name}: ${target.id}: ${brief(news.at(-1))}`);
  return lines.sort().join("\n") || "  none";
}

function finders(target: Outcome["target"]): string {
  const by = outcomes.filter((outcome) => outcome.target === target && outcome.news.length > 0);
  const names = contenders.map(({ suite }) => suite.name).filter((name) => by.some(({ suite }) => suite.name === name));
  return `  ${target.id}: ${names.join(", ") || "nobody"}`;
}

function brief(text = ""): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 140 ? `${line.slice(0, 140)}…` : line;
}
