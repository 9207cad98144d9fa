import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StepTarget } from "../../src/task/step.ts";
import type { BrowserPool } from "@cloud-browser/browsers";
import { shopTargets, findTruth } from "./shop-targets.ts";
import { startAutomationSite, type AutomationSite } from "@cloud-browser/testing/automation/site.ts";
import { openStepContext, startBrowsers } from "./step-context.ts";

let site: AutomationSite;
let pool: BrowserPool;
let page: Page;
let targets: [truth: string, target: StepTarget][];

beforeAll(async () => {
  site = await startAutomationSite();
  pool = await startBrowsers();
  page = (await openStepContext(pool)).page();
  targets = await shopTargets(page, site.url);
}, 60_000);

afterAll(async () => {
  await pool.close();
  await site[Symbol.asyncDispose]();
});

describe("Targets of the original page", () => {
  it("lead to the same elements in at least 97 of 100 changed pages, and never to another one silently", async () => {
    let count = 0;
    const silentlyWrong: string[] = [];
    for (let seed = 0; seed < 100; seed += 1) {
      await page.goto(`${site.url}/shop?seed=${seed}`);
      const some = [0, 9].flatMap((offset) => targets.slice((seed + offset) % targets.length).slice(0, 1));
      const results = await Promise.all(
        some.map(async ([truth, target]) => ({ truth, found: await findTruth(page, target) })),
      );
      if (results.every((one) => one.found.truth === one.truth)) count += 1;
      for (const one of results) {
        if (one.found.truth !== one.truth && one.found.foundAs === undefined)
          silentlyWrong.push(`${seed}: ${one.truth}`);
      }
    }
    expect(silentlyWrong).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(97);
  }, 90_000);

  it("match nothing, or report the change, when the element was removed", async () => {
    const silentlyWrong: string[] = [];
    for (const [index, [truth, target]] of targets.entries()) {
      await page.goto(`${site.url}/shop?seed=${index}&without=${truth}`);
      const result = await findTruth(page, target);
      if (result.foundAs === undefined) silentlyWrong.push(`${index}: ${truth}`);
    }
    expect(silentlyWrong).toEqual([]);
  }, 60_000);
});
