import { afterAll, beforeAll, expect, test } from "vitest";
import { allShapes } from "./plurals/all-shapes.ts";
import { findFault, ShapeRuns } from "./plurals/run-shape.ts";

/** One of each kind; plurals.long.test.ts has them all. */
const some = new Set([
  "get the name and price of the cheapest three products",
  "get the titles of the articles under News",
  "get the prices in the Wholesale table",
  "how many reviews are there?",
]);
const cases = allShapes.flatMap(({ about, tasks }, index) =>
  tasks.filter(({ task }) => some.has(task)).map((task) => [about, task.task, index, task] as const),
);

let runs: ShapeRuns;
beforeAll(async () => {
  runs = await ShapeRuns.start(allShapes);
});
afterAll(() => runs[Symbol.asyncDispose]());

test.each(cases)("%s: %s", async (_about, _words, index, task) => {
  expect(findFault(task, await runs.run(index, task.task))).toBeUndefined();
});
