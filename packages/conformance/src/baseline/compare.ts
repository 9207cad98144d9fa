import type { CheckResult, Observation, Report } from "../report/report.ts";
import { failsUnexpectedly, type Verdict } from "../report/verdict.ts";

/** A check and one requirement that it found violated. */
export interface ComparedFailure {
  /** Id of the check. */
  readonly check: string;
  /** Id of the requirement. */
  readonly requirement: string;
  /** Level of the check: a `stated` one decides, an `assumed` one only warns. */
  readonly level: CheckResult["level"];
  /** Place of the violation, as in the new report. */
  readonly where: string;
  /** Expected value, in words. */
  readonly expected: string;
  /** Received value, in words. */
  readonly received: string;
}

/** A check that was judged in one report and not in the other. */
export interface ComparedCheck {
  /** Id of the check. */
  readonly check: string;
  /** Level of the check: a `stated` one decides, an `assumed` one only warns. */
  readonly level: CheckResult["level"];
  /** Reason why it is not judged there. */
  readonly reason: string;
}

/** A change in something that the interface leaves open. */
export interface ComparedObservation {
  /** Id of the row in the second list of `requirements.yaml`. */
  readonly id: string;
  /** Text of the row: the thing that is left open. */
  readonly text: string;
  /** Values that were not seen before. */
  readonly came: readonly string[];
  /** Values that were seen before and are no longer seen. */
  readonly went: readonly string[];
}

/** Name, start and verdict of one of the two reports. */
export interface ComparedReport {
  /** Name of the target. */
  readonly target: string;
  /** Start of the run: ISO 8601, UTC. */
  readonly startedAt: string;
  /** The verdict. */
  readonly verdict: Verdict;
  /** Version of the suite. */
  readonly suite: string;
  /** Version of the contract. */
  readonly contract: string;
}

/** Two reports side by side. */
export interface Comparison {
  /** The earlier report. */
  readonly old: ComparedReport;
  /** The later one. */
  readonly new: ComparedReport;
  /** True when anything that decides got worse. */
  readonly worse: boolean;
  /** The result as one sentence. */
  readonly sentence: string;
  /** Differences that make the two less comparable: another target, suite, contract or profile, or an incomplete run. */
  readonly notes: readonly string[];
  /** Checks that fail now, did not fail before, and are not expected to. */
  readonly newFailures: readonly ComparedFailure[];
  /** Ids of checks that failed and pass now. */
  readonly fixed: readonly string[];
  /** Ids of checks that fail in both. */
  readonly stillFailing: readonly string[];
  /** Ids of checks that fail, covered by an entry that did not cover them before. */
  readonly newlyExpected: readonly string[];
  /** Checks that were judged before and are not judged now. Such a failure does not count as fixed, nor such a pass as kept. */
  readonly noLongerChecked: readonly ComparedCheck[];
  /** Checks that were not judged and are now. */
  readonly newlyChecked: readonly string[];
  /** Changes of behaviour that the interface leaves open. They never make a comparison worse. */
  readonly observations: readonly ComparedObservation[];
}

/**
 * Compares two reports.
 *
 * Worse is: a failure that is new (a stated check that did not fail on this requirement before, or only warned, and that no expected
 * failure covers), a stated check that is no longer judged, or a verdict that no longer is `conforming`. A failed check that is skipped now
 * is not fixed. Assumed checks, observations, and checks that a newer suite judges for the first time are listed; of these, only new
 * failures of stated checks count as worse.
 */
export function compareReports(old: Report, now: Report): Comparison {
  const before = new Map(old.checks.map((check) => [check.id, check]));
  const after = new Map(now.checks.map((check) => [check.id, check]));
  const newFailures = now.checks.flatMap((check) => failuresNewIn(check, before.get(check.id)));
  const noLongerChecked = old.checks.filter(isJudged).flatMap((check) => lostIn(after.get(check.id), check));
  const of = (is: (check: CheckResult, was: CheckResult | undefined) => boolean): string[] =>
    now.checks.filter((check) => is(check, before.get(check.id))).map((check) => check.id);
  const lists = {
    newFailures,
    fixed: of((check, was) => check.status === "pass" && was?.status === "fail"),
    stillFailing: of((check, was) => failsUnexpectedly(check) && was !== undefined && failsUnexpectedly(was)),
    newlyExpected: of((check, was) => check.expected !== undefined && was?.expected === undefined),
    noLongerChecked,
    newlyChecked: of((check, was) => isJudged(check) && !(was && isJudged(was))),
    observations: comparedObservations(old.observations, now.observations),
  };
  const fell = old.verdict === "conforming" && now.verdict !== "conforming";
  const worse = newFailures.some(decisive) || noLongerChecked.some(decisive) || fell;
  return {
    old: aboutReport(old),
    new: aboutReport(now),
    worse,
    sentence: writeSentence(lists, worse, now),
    notes: notesOn(old, now),
    ...lists,
  };
}

function decisive({ level }: { readonly level: CheckResult["level"] }): boolean {
  return level === "stated";
}

function isJudged({ status }: CheckResult): boolean {
  return status === "pass" || status === "fail";
}

/** Returns the first finding for each requirement on which the check did not fail before, or only warned where it decides now. */
function failuresNewIn(check: CheckResult, was: CheckResult | undefined): ComparedFailure[] {
  if (!failsUnexpectedly(check)) return [];
  const onlyWarned = was !== undefined && decisive(check) && !decisive(was);
  const earlier =
    was && failsUnexpectedly(was) && !onlyWarned ? was.findings.map((finding) => finding.requirement) : [];
  const findings = check.findings.filter(({ requirement }) => !earlier.includes(requirement));
  const first = new Map(findings.toReversed().map((finding) => [finding.requirement, finding]));
  const { id, level } = check;
  return [...first.values()].toReversed().map(({ requirement, where, expected, received }) => ({
    check: id,
    requirement,
    level,
    where,
    expected,
    received,
  }));
}

function lostIn(check: CheckResult | undefined, { id, level }: CheckResult): ComparedCheck[] {
  if (check && isJudged(check)) return [];
  return [
    {
      check: id,
      level,
      reason: check ? (check.reason ?? "The reason is not known.") : "The new report does not contain this check.",
    },
  ];
}

function comparedObservations(old: readonly Observation[], now: readonly Observation[]): ComparedObservation[] {
  const texts = new Map([...old, ...now].map((row) => [row.id, row.text]));
  return [...texts].flatMap(([id, text]) => {
    const [was, is] = [new Set(listValues(old, id)), new Set(listValues(now, id))];
    const [came, went] = [[...is].filter((value) => !was.has(value)), [...was].filter((value) => !is.has(value))];
    return came.length + went.length === 0 ? [] : [{ id, text, came, went }];
  });
}

function listValues(rows: readonly Observation[], id: string): readonly string[] {
  return rows.filter((row) => row.id === id).flatMap((row) => row.values);
}

function aboutReport({ target, startedAt, verdict, suite }: Report): ComparedReport {
  return { target: target.name, startedAt, verdict, suite: suite.version, contract: suite.contract };
}

function notesOn(old: Report, now: Report): string[] {
  const pairs: readonly (readonly [string, string, string])[] = [
    ["targets", old.target.name, now.target.name],
    ["kinds of target", old.target.kind, now.target.kind],
    ["versions of the suite", old.suite.version, now.suite.version],
    ["versions of the contract", old.suite.contract, now.suite.contract],
    ["profiles", old.run.profile, now.run.profile],
    ["seeds", String(old.run.seed), String(now.run.seed)],
    ["readings", formatReadings(old), formatReadings(now)],
  ];
  return [
    ...pairs.flatMap(([what, was, is]) => (was === is ? [] : [`The ${what} differ: ${was}, now ${is}.`])),
    ...(old.run.interrupted ? ["The old run was interrupted."] : []),
    ...(now.run.interrupted ? ["The new run was interrupted."] : []),
    ...(isPartial(old) ? ["The old run judged a selection of the checks."] : []),
    ...(isPartial(now) ? ["The new run judged a selection of the checks."] : []),
    ...(old.startedAt > now.startedAt
      ? ["The first report is the later one: were they given in the wrong order?"]
      : []),
  ];
}

/** Returns the readings that differ from the default, as text. */
function formatReadings({ readings = [] }: Report): string {
  const pairs = readings.filter(({ by }) => by !== "default").map(({ id, value }) => `${id}=${value}`);
  return pairs.join(", ") || "the defaults";
}

/** Returns whether a run judged only the checks that somebody selected. */
export function isPartial({ run }: Pick<Report, "run">): boolean {
  return run.checks.selected < run.checks.all;
}

type Lists = Pick<Comparison, "newFailures" | "fixed" | "stillFailing" | "noLongerChecked">;

function writeSentence(
  { newFailures, fixed, stillFailing, noLongerChecked }: Lists,
  worse: boolean,
  now: Report,
): string {
  const counts = [
    [newFailures.filter(decisive).length, "new failure"],
    [noLongerChecked.filter(decisive).length, "check that is no longer judged", "checks that are no longer judged"],
    [stillFailing.length, "failure as before", "failures as before"],
    [fixed.length, "fixed", "fixed"],
  ] as const;
  const phrases = counts.flatMap(([count, one, many = `${one}s`]) =>
    count === 0 ? [] : [`${count} ${count === 1 ? one : many}`],
  );
  const details = phrases.length > 0 ? phrases.join(", ") : worse ? `the verdict is ${now.verdict}` : "all as before";
  return `${worse ? "Worse" : "Nothing is worse"}: ${details}.`;
}
