import { expect, test } from "vitest";
import { checks, listProbes } from "../../src/run/suite.ts";
import { leftOutReason, prioritizeProbes } from "../../src/run/prioritize.ts";
import { tryService } from "../kills/trial.ts";
import { makeFaultyService } from "../targets/faulty-service.ts";
import { faultyTargets } from "../targets/faulty-targets.ts";
import { correctService } from "../targets/service.ts";

const send = listProbes(1).filter(
  ({ needs }) => !needs?.includes("opens-pages") && !needs?.includes("chooses-answers"),
);
const plan = { send, unsent: new Map<string, string>() };

const idsWithin = (limit: number): Set<string> =>
  new Set(prioritizeProbes(plan, checks, limit).send.map(({ id }) => id));

/** Stated requirements that requests of the plan can show. */
const stated = new Set(
  checks
    .filter(({ level, probes }) => level === "stated" && send.some(({ id }) => probes.includes(id)))
    .flatMap(({ requirements }) => requirements),
);

/** Counts those that have a request among those that are chosen. */
function shownBy(ids: ReadonlySet<string>): number {
  const shown = checks.filter(({ probes }) => probes.some((id) => ids.has(id)));
  return new Set(shown.flatMap(({ requirements }) => requirements.filter((one) => stated.has(one)))).size;
}

test("a plan within the limit stays as it is", () => {
  expect(prioritizeProbes(plan, checks, send.length)).toBe(plan);
});

test("every stated requirement is shown before any is shown for the sake of a second time", () => {
  expect(shownBy(idsWithin(30)) / stated.size).toBeGreaterThan(0.8);
  expect(shownBy(idsWithin(100))).toBe(stated.size);
});

test("what is left out is skipped with the reason, and the order stays", () => {
  const limited = prioritizeProbes(plan, checks, 60);
  expect(send.filter(({ id }) => limited.send.some((one) => one.id === id))).toEqual(limited.send);
  expect(new Set(limited.unsent.values())).toEqual(new Set([leftOutReason(60)]));
  expect(limited.send.length + limited.unsent.size).toBe(send.length);
});

test.for([30, 60, 100, 300])("within %i, no request comes without those that it is judged against", (limit) => {
  const ids = idsWithin(limit);
  const chosen = send.filter(({ id }) => ids.has(id));
  for (const { id, judgedAgainst = [] } of chosen)
    expect([id, judgedAgainst.filter((one) => !ids.has(one))]).toEqual([id, []]);
  const isKept = ({ connection }: (typeof send)[number]): boolean => connection === "kept";
  expect([undefined, send.find(isKept)]).toContain(chosen.find(isKept));
});

test.for([1, 7, 30, 100])(
  "a correct server gets no finding from %i requests, and no more of them",
  async (maxRequests) => {
    const report = await tryService(correctService, { options: { maxRequests } });
    expect(report.checks.flatMap(({ findings }) => findings)).toEqual([]);
    expect(report.checks.filter(({ status }) => status === "error")).toEqual([]);
    expect(report.summary.exchanges).toBeLessThanOrEqual(maxRequests);
    expect(report.run.requestsLeftOut).toBeGreaterThan(0);
    expect(report.sentence).toContain("left out (--max-requests)");
    expect(report.checks.some(({ reason }) => reason === leftOutReason(maxRequests))).toBe(true);
  },
);

/**
 * Of each part of the interface the first fault of a stated sentence that every answer of its kind shows: what is assumed comes later, and
 * strangers are let in by one kind of request only.
 */
const faults = Object.entries(faultyTargets).flatMap(([about, group]) =>
  about === "Authentication: strangers" ? [] : (group.find(({ requirement }) => stated.has(requirement)) ?? []),
);

/** Faults whose requests are not among the first 30. */
const later: ReadonlyMap<string, number> = new Map([["scrape-admits-nobody-in-particular", 60]]);

test.for(faults.map((fault) => [later.get(fault.id) ?? 30, fault.id, fault] as const))(
  "%i requests find a server that %s",
  async ([maxRequests, , fault]) => {
    const report = await tryService(makeFaultyService(fault).service, { options: { maxRequests } });
    const named = report.checks.flatMap(({ findings }) => findings.map((finding) => finding.requirement));
    expect(named).toContain(fault.requirement);
  },
);

test("the requests that find out whose fault a refusal is are within the limit", async () => {
  const gone = { ...correctService, rejects: () => ({ status: 404, headers: {}, pieces: ["{}"] }) };
  const { summary, checks: judged } = await tryService(gone, { options: { maxRequests: 40 } });
  expect(summary.exchanges).toBeLessThanOrEqual(40);
  expect(judged.filter(({ status }) => status === "fail").length).toBeGreaterThan(0);
});
