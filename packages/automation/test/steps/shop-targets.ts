import type { Page } from "playwright-core";
import { locateTarget } from "../../src/targets/find-target.ts";
import { recordTarget } from "../../src/targets/record-target.ts";
import type { StepTarget } from "../../src/task/step.ts";

/** The `data-truth` of what a target leads to; why not, when it leads nowhere. */
export async function findTruth(
  page: Page,
  target: StepTarget,
): Promise<{ truth: string | null; foundAs: string | undefined }> {
  try {
    const { locator, foundAs } = await locateTarget(page, target, new Map(), { timeoutMs: 0 });
    return { truth: await locator.getAttribute("data-truth"), foundAs };
  } catch (error) {
    return { truth: error instanceof Error ? error.message : "?", foundAs: "nothing" };
  }
}

/** Targets of all that the shop has, made on its original layout. */
export async function shopTargets(page: Page, url: string): Promise<[truth: string, target: StepTarget][]> {
  await page.goto(`${url}/shop`);
  const marked = await page.locator("[data-truth]").all();
  const targets: [string, StepTarget][] = [];
  for (const locator of marked)
    targets.push([(await locator.getAttribute("data-truth")) ?? "", await recordTarget(locator)]);
  return targets;
}
