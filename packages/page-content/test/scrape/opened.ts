import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { BrowserPool } from "@cloud-browser/browsers";
import { PageScraper, type ScrapedContent, type PageScrapeOptions } from "../../src/scrape/scrape-page.ts";
import { startSite, type Site } from "@cloud-browser/testing/scrape/site.ts";

/** What a scrape is asked. */
export type ScrapeRequest = Parameters<PageScraper["scrape"]>[1];

/** A site and a page of a browser, for the tests of one file. */
export class Opened {
  site!: Site;
  context!: BrowserContext;
  page!: Page;
  readonly scraper = new PageScraper();
  #pool!: BrowserPool;

  constructor() {
    beforeAll(async () => {
      this.site = await startSite();
      this.#pool = await BrowserPool.start({ maxBrowsers: 1 });
      this.context = (await this.#pool.open()).context;
      this.page = await this.context.newPage();
    });
    afterAll(async () => {
      await this.#pool.close();
      await this.site.close();
    });
  }

  /** Opens HTML, and scrapes it. */
  async scrape(
    html: string,
    request: ScrapeRequest = {},
    options: Partial<PageScrapeOptions> = {},
  ): Promise<ScrapedContent> {
    const url = this.site.put("/page", `<!doctype html><title>Title</title>${html}`);
    await this.page.goto(url, { waitUntil: "domcontentloaded" });
    return this.scraper.scrape(this.page, request, { timeoutMs: 30_000, ...options });
  }
}
