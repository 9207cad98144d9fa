import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allShapes } from "./plurals/all-shapes.ts";
import { findFault, ShapeRuns } from "./plurals/run-shape.ts";

let runs: ShapeRuns;
beforeAll(async () => {
  runs = await ShapeRuns.start(allShapes);
});
afterAll(() => runs[Symbol.asyncDispose]());

const cases = allShapes.flatMap(({ about, tasks }, index) =>
  tasks.map((task) => [about, task.task, index, task] as const),
);

describe("a plural is read as a careful person would, or refused", () => {
  test.concurrent.each(cases)("%s: %s", async (_about, _words, index, task) => {
    expect(findFault(task, await runs.run(index, task.task))).toBeUndefined();
  });
});
