/** A program that drives a session. */
export interface ProgramSnippet {
  readonly name: string;
  readonly code: string;
}

/** Writes short programs that connect with a session, and find its page. The address is a secret, so none of them has it. */
export function writeSnippets(): readonly ProgramSnippet[] {
  return [
    {
      name: "Playwright",
      code: `import { chromium } from "playwright-core";

const browser = await chromium.connectOverCDP(process.env.CDP_URL);
const [page] = browser.contexts()[0].pages();
console.log(await page.title());
await browser.close(); // disconnects; the session goes on`,
    },
    {
      name: "Puppeteer",
      code: `import puppeteer from "puppeteer-core";

const browser = await puppeteer.connect({ browserWSEndpoint: process.env.CDP_URL, defaultViewport: null });
const [page] = await browser.pages();
console.log(await page.title());
await browser.disconnect();`,
    },
    {
      name: "Python",
      code: `import os
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.connect_over_cdp(os.environ["CDP_URL"])
    page = browser.contexts[0].pages[0]
    print(page.title())`,
    },
  ];
}
