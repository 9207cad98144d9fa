import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestBrowsers } from "../functions/workplace.ts";
import { otherCases } from "./other-cases.ts";
import { furtherCases } from "./further-cases.ts";
import { otherPagingCases } from "./other-paging-cases.ts";
import { pagingCases } from "./paging-cases.ts";
import { partCases } from "./part-cases.ts";
import { plainCases } from "./plain-cases.ts";
import { runCase } from "./run-case.ts";
import { saidCases } from "./said-cases.ts";
import { settlingCases } from "./settling-cases.ts";
import { unseenCases } from "./unseen-cases.ts";
import { valueCases } from "./value-cases.ts";

let browsers: TestBrowsers;
beforeAll(async () => {
  browsers = await TestBrowsers.start();
});
afterAll(() => browsers[Symbol.asyncDispose]());

describe.each([
  ["what pages say", saidCases],
  ["values that were set", valueCases],
  ["what takes its time", settlingCases],
  ["more than one page", pagingCases],
  ["more of each kind", [...otherCases, ...otherPagingCases]],
  ["pages that say that they show a part", partCases],
  ["what a person can't see", unseenCases],
  ["plain tasks", plainCases],
  ["what an outside judge found", furtherCases],
])("%s", (_, cases) => {
  test.concurrent.each(cases.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
    const outcome = await runCase(browsers, one);
    expect({ ...outcome, right: one.right(outcome) }).toEqual({ ...outcome, right: true });
  });
});
