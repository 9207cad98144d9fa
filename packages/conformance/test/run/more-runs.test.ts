/** Runs go on within their limits as long as a check can learn from one, and never beyond. */
import { expect, test } from "vitest";
import type { Report } from "../../src/report/report.ts";
import { judgeWithoutSocket, type JudgeOptions } from "../without-socket.ts";
import { tryService } from "../kills/trial.ts";
import { correctService, type Service } from "../targets/service.ts";
import { run } from "../targets/parts.ts";

const only = ["operation:automation_start"];
const judge = (options: JudgeOptions): Promise<Report> => judgeWithoutSocket(undefined, { only, ...options });

test.for([1, 2, 3, 8])("%i runs are allowed, and as many are started", async (maxRuns) => {
  const { summary, verdict } = await judge({ maxRuns });
  expect([summary.automationRuns, verdict]).toEqual([maxRuns, "conforming"]);
});

test("no run is started once the cost limit is reached", async () => {
  const { summary } = await judge({ maxRuns: 8, maxCostUsd: 0.1 });
  expect(summary).toMatchObject({ automationRuns: 3, costUsd: expect.closeTo(3 * 0.0431) });
});

test("none is started after the plan when every selected check has seen something", async () => {
  const { exchanges } = await judge({ maxRuns: 8, only: ["automation/content-type"] });
  const ids = exchanges.map(({ id }) => id);
  expect(ids).toContain("automation/run-on-kept-connection");
  expect(ids).not.toContain("automation/run-more-1");
});

test("none is started for checks of other operations, nor by the profile free", async () => {
  expect((await judge({ maxRuns: 8, only: ["cookies/*"] })).summary.automationRuns).toBe(0);
  expect((await judge({ maxRuns: 8, profile: "free" })).summary.automationRuns).toBe(0);
});

const isOnUsedConnection = {
  revises: (answer, { onConnection }) =>
    onConnection > 1 && answer.status === 200 ? { ...answer, headers: { "content-type": "text/plain" } } : answer,
} satisfies Partial<Service>;

/** Ends a run by a timeout whenever so many have gone before. */
function timingOutAfter(count: number): Partial<Service> {
  let runs = 0;
  return run((events) => {
    runs += 1;
    return runs > count ? [...events.slice(0, -1), { type: "timeout", detail: "" }] : events;
  });
}

const faults: readonly (readonly [does: string, requirement: string, parts: Partial<Service>])[] = [
  ["streams as text on a connection that was used before", "stream.content-type", isOnUsedConnection],
  ["leaves out the reason of a timeout, which the fifth run shows", "event.timeout.reason", timingOutAfter(4)],
];

test.for(faults)("a server that %s is found within eight runs", async ([, requirement, parts]) => {
  const report = await tryService({ ...correctService, ...parts }, { maxRuns: 8, options: { only } });
  expect(report.checks.flatMap(({ findings }) => findings.map((one) => one.requirement))).toContain(requirement);
});
