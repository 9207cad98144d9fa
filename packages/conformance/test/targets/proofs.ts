/** Result of a run of the suite on each target, as plain values that can be sent between threads. */
import type { Report } from "../../src/report/report.ts";
import { correctOutsiders } from "./correct/outsiders.ts";
import { listPairs } from "./correct/pairs.ts";
import { correctRuns } from "./correct/runs.ts";
import { correctAtTheDoor } from "./correct/strangers.ts";
import { correctWriting } from "./correct/writing.ts";
import { correctSessions } from "./correct/sessions.ts";
import { faultyTargets } from "./faulty-targets.ts";
import { openServers } from "../kills/open/open-servers.ts";
import { readingServers } from "../kills/open/reading-servers.ts";
import type { OpenServer } from "../kills/open/open-server.ts";
import type { CorrectTarget } from "./correct/correct-target.ts";
import { NeedsSocket } from "../kills/memory.ts";
import { tryService } from "../kills/trial.ts";
import { runSuite, type Setting } from "./run-suite.ts";
import { correctService, type Service } from "./service.ts";
import { beyondTargets } from "./sometimes/beyond.ts";
import { sometimesKeys } from "./sometimes/keys.ts";
import { sometimesOthers } from "./sometimes/others.ts";
import { outsiders } from "./sometimes/outsiders.ts";
import { sometimesScrapes } from "./sometimes/scrapes.ts";

/** One faulty target, and what is found. */
export interface Kill {
  readonly id: string;
  /** Part of the table that it is in. */
  readonly group: string;
  /** The requirement that it breaks. */
  readonly requirement: string;
  /** The sentence of that requirement. */
  readonly sentence: string;
  /** Circumstance in which the fault shows; undefined for always. */
  readonly when: string | undefined;
  /** Reason why it can't be found; undefined for those that have to be. */
  readonly why: string | undefined;
  /** Ids of the checks that name the requirement. */
  readonly by: readonly string[];
  /** Other requirements that are named. */
  readonly others: readonly string[];
  /** The number of the first request that shows something; 0 for none. */
  readonly request: number;
  /** Number of requests sent. */
  readonly requests: number;
}

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

/** Every faulty target, the ones that are beyond reach last. */
export const everyFault = [
  ...Object.entries(faultyTargets).flatMap(([group, targets]) => targets.map((target) => ({ group, target }))),
  ...[...sometimesScrapes, ...sometimesOthers, ...sometimesKeys, ...outsiders].map((target) => ({
    group: "Shows only sometimes",
    target,
  })),
  ...beyondTargets.map((target) => ({ group: "Beyond the requests of one run", target })),
];

/** Judges one faulty target, by its place among all. */
export async function killAt(place: number): Promise<Kill> {
  const fault = everyFault[place];
  if (!fault) throw new Error(`there is no fault ${place}`);
  const { group, target } = fault;
  const { id, requirement, when, why } = { when: undefined, why: undefined, ...target };
  const report = await judgeAt(place, target.how(), target);
  const sentence = report.requirements.find((row) => row.id === requirement)?.text ?? "";
  const findings = report.checks.flatMap((check) => check.findings.map((finding) => ({ ...finding, check: check.id })));
  const places = findings.map(({ exchange }) => report.exchanges.findIndex((made) => made.id === exchange) + 1);
  const by = findings.filter((finding) => finding.requirement === requirement).map(({ check }) => check);
  const others = findings.map((finding) => finding.requirement).filter((named) => named !== requirement);
  return {
    id,
    group,
    requirement,
    sentence,
    when,
    why,
    by: [...new Set(by)],
    others: [...new Set(others)],
    request: places.length === 0 ? 0 : Math.min(...places),
    requests: report.summary.exchanges,
  };
}

/** One of ten is judged on a socket in any case; and each whose answers, or whose line, are more than bytes. */
async function judgeAt(place: number, parts: Partial<Service>, setting: Setting): Promise<Report> {
  if (place % 10 === 0 || setting.line || setting.automation) return runSuite(parts, setting);
  try {
    return await tryService({ ...correctService, ...parts }, setting);
  } catch (error) {
    if (!(error instanceof NeedsSocket)) throw error;
    return runSuite(parts, setting);
  }
}

/** Judges one correct target, by its place among all. */
export async function acquittalAt(place: number): Promise<Acquittal> {
  const target = correctTargets[place];
  if (!target) throw new Error(`there is no correct target ${place}`);
  const report = await judgeAt(place, target.parts, target);
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
