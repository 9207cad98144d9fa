import { chromium } from "playwright-core";
import { connect } from "puppeteer-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readAnswer, startTestService, type TestService } from "../running-service.ts";

let running: TestService;
beforeAll(async () => {
  running = await startTestService();
});
afterAll(() => running[Symbol.asyncDispose]());

const form = z.object({ state: z.string(), end_reason: z.string().nullable() });

async function findState(id: string): Promise<z.infer<typeof form>> {
  return form.parse(await readAnswer(await running.ask("GET", `/control/sessions/${id}`)));
}

// Each row is one of the table in docs/guides/sessions.md.
test.each<[string, (address: string) => Promise<void>]>([
  [
    "browser.close() of Playwright's connectOverCDP",
    async (address) => {
      await (await chromium.connectOverCDP(address)).close();
    },
  ],
  [
    "context.close() of Playwright",
    async (address) => {
      const browser = await chromium.connectOverCDP(address);
      await browser.contexts()[0]?.close();
      await browser.close();
    },
  ],
  [
    "browser.disconnect() of Puppeteer",
    async (address) => {
      await (await connect({ browserWSEndpoint: address })).disconnect();
    },
  ],
])("the session continues after %s, and the next driver finds it", async (_, close) => {
  const { session_id, cdp_url } = await running.service.open();
  await close(cdp_url);
  const again = await connect({ browserWSEndpoint: cdp_url });
  await again.disconnect();
  expect(await findState(session_id)).toEqual({ state: "active", end_reason: null });
  await running.end(session_id);
});

test("the session ends with browser.close() of Puppeteer", async () => {
  const { session_id, cdp_url } = await running.service.open();
  await (await connect({ browserWSEndpoint: cdp_url })).close();
  await expect
    .poll(() => findState(session_id), { timeout: 30_000 })
    .toEqual({ state: "ended", end_reason: "requested" });
});
