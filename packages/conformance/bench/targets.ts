/** The targets that all suites are run on: those of the self-test, as servers on sockets of their own. */
import { correctRuns } from "../test/targets/correct/runs.ts";
import { correctSessions } from "../test/targets/correct/sessions.ts";
import { makeFaultyService } from "../test/targets/faulty-service.ts";
import { faultyTargets } from "../test/targets/faulty-targets.ts";
import { serve, type Line, type Served } from "../test/targets/serve.ts";
import { correctService, type Service } from "../test/targets/service.ts";
import { sometimesOthers } from "../test/targets/sometimes/others.ts";
import { sometimesScrapes } from "../test/targets/sometimes/scrapes.ts";
import { shuffled } from "./random.ts";

/** One server that a suite is run on. */
export interface BenchTarget {
  /** What it does. */
  readonly id: string;
  /** Which requirement it breaks; undefined when it is correct. */
  readonly breaks: string | undefined;
  /** Which part of the interface it is about; empty when it is correct. */
  readonly group: string;
  /** Starts it anew, as a run must not meet what another one left behind. */
  readonly start: () => Promise<Served>;
}

/** Faulty and correct ones. */
export interface BenchTargets {
  readonly faulty: readonly BenchTarget[];
  readonly correct: readonly BenchTarget[];
}

const start =
  (make: () => Service, line?: Line): (() => Promise<Served>) =>
  () =>
    serve(make(), line);

/** The correct server that every suite is run on first. */
export const reference: BenchTarget = {
  id: "the reference",
  breaks: undefined,
  group: "",
  start: start(() => correctService),
};

/** A fault that a mock shows only when it is asked to is left out: no peer asks. */
const always = Object.entries(faultyTargets).flatMap(([group, targets]) =>
  targets.filter(({ choosesAnswers }) => choosesAnswers !== true).map((target) => ({ group, target })),
);
const sometimes = [...sometimesScrapes, ...sometimesOthers].map((target) => ({
  group: "Shows only sometimes",
  target,
}));

const faulty = [...always, ...sometimes].map(({ group, target }): BenchTarget => ({
  id: target.id,
  breaks: target.requirement,
  group,
  start: start(() => makeFaultyService(target).service),
}));

/** One with two addresses is left out, and so is the one that is the reference: most peers take a single address. */
const correct = [...correctSessions, ...correctRuns]
  .filter(({ automation, parts, line }) => !automation && (Object.keys(parts).length > 0 || line !== undefined))
  .map(({ does, parts, line }): BenchTarget => ({
    id: does,
    breaks: undefined,
    group: "",
    start: start(() => ({ ...correctService, ...parts }), line),
  }));

/** Whether its fault is one of the event stream. */
export const isOfStream = ({ breaks }: BenchTarget): boolean =>
  breaks !== undefined && /^(stream|event)\b/.test(breaks);

/** A sample, the same for the same seed, of all targets. */
export function sample(faults: number, corrects: number, seed: number): BenchTargets {
  return {
    faulty: shuffled(faulty, seed).slice(0, faults),
    correct: shuffled(correct, seed).slice(0, corrects),
  };
}
