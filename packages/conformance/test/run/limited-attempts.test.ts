import { expect, test } from "vitest";
import { tryService } from "../kills/trial.ts";
import { json } from "../targets/messages.ts";
import { correctService, type Service } from "../targets/service.ts";

/** Answers 429 in place of a refusal once it has seen some wrong keys; how long to wait it does not say. */
function limiting(attempts: number): Service {
  let count = 0;
  return {
    ...correctService,
    turnsAway: (request) =>
      (count += 1) > attempts ? json(429, { detail: "too many attempts" }) : correctService.turnsAway(request),
  };
}

test.for([0, 30])("a target that limits attempts with wrong keys after %i is not blamed", async (attempts) => {
  const report = await tryService(limiting(attempts));
  expect(report.checks.flatMap(({ findings }) => findings)).toEqual([]);
  expect(report.verdict).toBe("unfinished");
  const check = report.checks.find(({ id }) => id === "automation/401-wrong-key-in-any-form");
  expect(check).toMatchObject({ status: "error", reason: expect.stringContaining("retry later") });
});
