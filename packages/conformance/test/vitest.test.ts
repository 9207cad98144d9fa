import { afterAll, expect } from "vitest";
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

afterAll(async () => {
  await prism?.server.stop();
  expect(verdict).toBe("conforming");
});
