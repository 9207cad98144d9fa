import { afterAll, expect, test } from "vitest";
import { prismTarget, type PrismTarget } from "../src/target.ts";
import { describeConformance } from "../src/vitest.ts";

let prism: PrismTarget | undefined;
let verdict: string | undefined;

describeConformance({
  title: "the binding on the mock",
  target: async () => {
    prism = await prismTarget();
    return prism.target;
  },
  onReport: (report) => {
    verdict = report.verdict;
  },
});

test("the binding hands over the report", () => {
  expect(verdict).toBe("conforming");
});

afterAll(() => prism?.server.stop());
