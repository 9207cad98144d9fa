import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { BrowserPool } from "../src/pool/browser-pool.ts";
import { collectGarbage } from "../src/pages/page-garbage.ts";
import { startSite } from "@cloud-browser/testing/site.ts";

/** Nodes of one document. */
const nodes = 20_000;

/** Nodes in the process of a page, of documents that have gone, too. */
async function readNodes(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const counters = await devtools.send("Memory.getDOMCounters");
  await devtools.detach();
  return counters.nodes;
}

it("frees the memory of earlier documents", async () => {
  await using site = await startSite({ "/page": `<body>${"<b>word</b>".repeat(nodes / 2)}` });
  const pool = await BrowserPool.start();
  try {
    const { context } = await pool.open();
    collectGarbage(context);
    const page = await context.newPage();
    for (let visit = 0; visit < 3; visit += 1) await page.goto(`${site.url}/page?${visit}`);
    expect(await readNodes(page)).toBeGreaterThan(2 * nodes);
    await expect.poll(() => readNodes(page), { timeout: 60_000, interval: 250 }).toBeLessThan(2 * nodes);
  } finally {
    await pool.close();
  }
});
