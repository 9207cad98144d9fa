/** Share of the faults that always show a limited run finds, over all parts of the interface. */
import { expect, test } from "vitest";
import { NeedsSocket } from "../kills/memory.ts";
import { tryService } from "../kills/trial.ts";
import { makeFaultyService } from "../targets/faulty-service.ts";
import { faultyTargets } from "../targets/faulty-targets.ts";

const faults = Object.values(faultyTargets)
  .flat()
  .filter(({ choosesAnswers, maxRuns = 1 }) => !choosesAnswers && maxRuns === 1)
  .filter((_, at) => at % 8 === 2);

const shares = [
  [30, 0.5],
  [60, 0.6],
  [100, 0.65],
] as const;

test.for(shares)("%i requests find at least that share of the faults: %f", async ([maxRequests, share]) => {
  const found: boolean[] = [];
  for (const fault of faults) {
    try {
      const { checks } = await tryService(makeFaultyService(fault).service, { options: { maxRequests } });
      found.push(checks.some(({ findings }) => findings.some((finding) => finding.requirement === fault.requirement)));
    } catch (error) {
      if (!(error instanceof NeedsSocket)) throw error;
    }
  }
  expect(found.filter(Boolean).length / found.length).toBeGreaterThanOrEqual(share);
});
