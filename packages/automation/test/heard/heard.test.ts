import { afterAll, beforeAll, expect, test } from "vitest";
import { TestBrowsers } from "../functions/workplace.ts";
import { pagingCases } from "./paging-cases.ts";
import { runCase, type Case } from "./run-case.ts";
import { saidCases } from "./said-cases.ts";
import { valueCases } from "./value-cases.ts";

let browsers: TestBrowsers;
beforeAll(async () => {
  browsers = await TestBrowsers.start();
});
afterAll(() => browsers[Symbol.asyncDispose]());

/** One of each kind; heard.long.test.ts has them all. */
const cases: readonly Case[] = [...saidCases, ...valueCases, ...pagingCases];

test.each([
  "a form that is answered with 500",
  "an alert that says that all went well",
  "a value that is put back before a native form is sent",
  "rows of which the page says how many there are",
])("%s", async (name) => {
  const one = cases.find((some) => some.name === name);
  if (!one) throw new Error(`there is no case named ${name}`);
  const outcome = await runCase(browsers, one);
  expect({ ...outcome, right: one.right(outcome) }).toMatchObject({ right: true });
});
