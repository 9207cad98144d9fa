import { chromium } from "playwright-core";
import { connect } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageLimit } from "@cloud-browser/browsers";
import { startTestService, type TestService } from "../running-service.ts";

let running: TestService;
beforeAll(async () => void (running = await startTestService()));
afterAll(() => running?.[Symbol.asyncDispose]());

/** More pages than a session may have, one of which it has: what became of each. */
async function openAll(newPage: () => Promise<unknown>): Promise<string[]> {
  const opened = Array.from({ length: pageLimit + 2 }, () =>
    newPage().then(
      () => "opened",
      (error: unknown) =>
        /Page limit \(20 per session\) reached/u.test(String(error)) ? "told why not" : String(error),
    ),
  );
  return (await Promise.all(opened)).sort();
}

const expected = [...Array<string>(pageLimit - 1).fill("opened"), ...Array<string>(3).fill("told why not")];

test("Playwright is told that a session has no room for a further page, and may close one for it", async () => {
  const browser = await chromium.connectOverCDP((await running.open()).cdp_url ?? "");
  const [context] = browser.contexts();
  expect(await openAll(async () => context?.newPage())).toEqual(expected);
  await context?.pages()[3]?.close();
  expect(await (await context?.newPage())?.evaluate(() => 1 + 1)).toBe(2);
  await browser.close();
});

test("Puppeteer is told so, too, and does not wait", async () => {
  const browser = await connect({ browserWSEndpoint: (await running.open()).cdp_url ?? "", defaultViewport: null });
  expect(await openAll(() => browser.newPage())).toEqual(expected);
  await browser.disconnect();
});
