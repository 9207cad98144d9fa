import { afterAll, beforeAll, expect, test } from "vitest";
import type { FunctionRecord } from "../../src/functions/function-record.ts";
import { account, startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { recordLogin } from "./recorded.ts";
import { TestBrowsers } from "./workplace.ts";

let site: AutomationSite;
let browsers: TestBrowsers;
let login: FunctionRecord;

beforeAll(async () => {
  site = await startAutomationSite();
  browsers = await TestBrowsers.start();
  await using place = await browsers.openPlace();
  login = await recordLogin(place, site.url);
});

afterAll(async () => {
  await browsers[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

test("a function gives the same on the same pages, 20 times of 20", async () => {
  const answers = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await using place = await browsers.openPlace();
      const all: unknown[] = [];
      for (let run = 1; run <= 4; run += 1)
        all.push((await place.run(login, { password: account.password })).data["orders"]);
      return all;
    }),
  );
  expect(answers.flat()).toEqual(Array.from({ length: 20 }, () => ["Order 17: two lamps", "Order 23: one chair"]));
});
