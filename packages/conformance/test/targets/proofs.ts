/** Every target of the proof, and the result of a run of the suite on a correct one, as plain values that can be sent between threads. */
import type { Report } from "../../src/report/report.ts";
import { openServers } from "../kills/open/open-servers.ts";
import type { OpenServer } from "../kills/open/open-server.ts";
import { readingServers } from "../kills/open/reading-servers.ts";
import { judgeParts } from "../kills/trial.ts";
import type { Verdict } from "../kills/verdict.ts";
import type { CorrectTarget } from "./correct/correct-target.ts";
import { correctOutsiders } from "./correct/outsiders.ts";
import { listPairs } from "./correct/pairs.ts";
import { correctRuns } from "./correct/runs.ts";
import { correctSessions } from "./correct/sessions.ts";
import { correctAtTheDoor } from "./correct/strangers.ts";
import { correctWriting } from "./correct/writing.ts";
import { describeWhen, type Fault } from "./fault.ts";
import { faultyTargets } from "./faulty-targets.ts";
import { runSuite } from "./run-suite.ts";
import { beyondFaults } from "./sometimes/beyond.ts";
import { sometimesKeys } from "./sometimes/keys.ts";
import { sometimesOthers } from "./sometimes/others.ts";
import { outsiders } from "./sometimes/outsiders.ts";
import { sometimesScrapes } from "./sometimes/scrapes.ts";

/** A faulty target, and the part of the table that it is in. */
export interface GroupedFault {
  readonly group: string;
  readonly target: Fault;
}

/** The same with what is found. */
export interface Kill extends Verdict, GroupedFault {}

/** One correct target, and what is said of it. */
export interface Acquittal {
  readonly does: string;
  readonly exitCode: number;
  /** True when nothing is found with `--strict` either. */
  readonly isStrict: boolean;
  /** Requirements that are named by warnings. */
  readonly warned: readonly string[];
  /** Checks that failed or could not be judged; expected to be empty. */
  readonly blamed: readonly string[];
}

/** The targets that are right. */
export const correctTargets: readonly (CorrectTarget & Partial<OpenServer>)[] = [
  ...correctSessions,
  ...correctRuns,
  ...correctOutsiders,
  ...correctAtTheDoor,
  ...correctWriting,
  ...openServers,
  ...readingServers.filter(({ neverComes = false }) => !neverComes),
  ...listPairs([...correctSessions, ...correctRuns, ...correctOutsiders, ...openServers], 240),
];

/** Faults that show only sometimes. */
const sometimes = [...sometimesScrapes, ...sometimesOthers, ...sometimesKeys, ...outsiders].map((target): Fault =>
  Object.assign({}, target, { when: describeWhen(target) ?? "for one kind of request" }),
);

/** Every faulty target, the ones that are beyond reach last. */
export const everyFault: readonly GroupedFault[] = [
  ...Object.entries(faultyTargets).flatMap(([group, targets]) => targets.map((target) => ({ group, target }))),
  ...sometimes.map((target) => ({ group: "Shows only sometimes", target })),
  ...beyondFaults.map((target) => ({ group: "Beyond the requests of one run", target })),
];

/** One of ten is judged on a socket in any case. */
export const isOnSocket = (place: number): boolean => place % 10 === 0;

/** Judges one correct target. */
export async function judgeCorrect(target: CorrectTarget, onSocket: boolean): Promise<Acquittal> {
  const report = await (onSocket ? runSuite : judgeParts)(target.parts, target);
  const blamed = report.checks.filter(({ level }) => level === "stated").flatMap(listBlame);
  return {
    does: target.does,
    exitCode: report.exitCode,
    warned: report.checks.flatMap(({ findings }) => findings.map(({ requirement }) => requirement)),
    isStrict: report.checks.flatMap(listBlame).length === 0,
    blamed,
  };
}

function listBlame({ id, status, reason = "", findings }: Report["checks"][number]): string[] {
  if (status !== "fail" && status !== "error") return [];
  return [`${id}: ${[reason, ...findings.map(({ where, received }) => `${where} ${received}`)].join(" ")}`];
}
