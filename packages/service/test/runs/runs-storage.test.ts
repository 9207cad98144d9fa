import { expect, test } from "vitest";
import { defaultRunLimits, type Assignment, type RunsOptions } from "../../src/runs/run-options.ts";
import { Runs } from "../../src/runs/runs.ts";

test("a run that can't be stored is refused, and releases its slots", async () => {
  let reserved = 0;
  const options = {
    sessions: {
      reserve: () => {
        reserved += 1;
        return { release: () => void (reserved -= 1) };
      },
      queue: { advance: () => undefined },
    },
    records: { create: () => Promise.reject(new Error("connection refused")) },
    clock: { now: () => 1 },
    limits: { ...defaultRunLimits, count: 1 },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of the parts as a start needs
  const runs = new Runs(options as unknown as RunsOptions);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing of it is used
  const assignment = { worker: { cost: () => "0" } } as unknown as Assignment;
  await Promise.all([
    expect(runs.start(assignment)).rejects.toMatchObject({ code: "storage-failed" }),
    expect(runs.start(assignment)).rejects.toMatchObject({ code: "busy" }),
  ]);
  await runs.close();
  expect([reserved, runs.open]).toEqual([0, []]);
});
