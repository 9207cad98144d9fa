import type { components } from "@cloud-browser/spec/types";
import type { Page } from "playwright-core";
import type { PageContent, InPageRequest, Unread } from "../in-page/page-request.ts";
import { PageContentError } from "../page-content-error.ts";
import { Deadline } from "./deadline.ts";
import { awaitPageData } from "./page-data.ts";
import type { PageWorld } from "./page-world.ts";
import { PageCache } from "./scraped-page.ts";
import { selectElements } from "./selected-elements.ts";
import { UnreadParts } from "./unread-parts.ts";
import { explainUnresponsive } from "./unresponsive-page.ts";

/** The body of a page scrape. Source: interface § ScrapeRequest. */
export type ScrapeRequest = components["schemas"]["ScrapeRequest"];

/** Bounds of one scrape. */
export interface ScrapeLimits {
  /** Maximum number of nodes that are read. Default: 500,000. */
  readonly maxNodes?: number;
  /** Maximum number of characters that are read, and of the Markdown. Default: 10,000,000. */
  readonly maxCharacters?: number;
  /** Longest time to read the page, in milliseconds; the result then has what was read. Default: 4,000, and at most half of `timeoutMs`. */
  readonly maxReadMs?: number;
  /** Longest time to wait for a page that is still loading, in milliseconds. Default: 2,500, and at most half of `timeoutMs`. */
  readonly maxSettleMs?: number;
}

/** Options of a scrape beside the request. */
export interface PageScrapeOptions {
  /** Longest time for all of it, in milliseconds. */
  readonly timeoutMs: number;
  /** True when data that the page declares are read. Default: false. */
  readonly declared?: boolean;
  /** True when invisibly rendered text is left out, and the content of closed tabs and disclosures. Default: false. */
  readonly visibleOnly?: boolean;
  /** Bounds. Default: those of each. */
  readonly limits?: ScrapeLimits;
}

/** Content of a page. */
export type ScrapedContent = PageContent;

/** Reads the page in one round trip; returns the parts that have to be added, if there are any. */
const read = `(page, request) => {
  const unread = page.reader.unreadParts(request);
  return unread.frames + unread.hosts > 0 ? { unread } : { content: page.reader.read(request) };
}`;
/** Reads at once after settling: the page is read again only if it has requested more, which most have not. */
const settleAndRead = `async (page, ms, request) => {
  await page.settle(ms);
  return request.selection ? {} : { ...(${read})(page, request), mayGrow: page.mayGrow() };
}`;
/** Longest wait for the responses to data requests of a page, and then for their rendering, in milliseconds. */
const maxForData = { answerMs: 1_500, drawMs: 500 } as const;
/** Time without changes after which a page with new data counts as rendered, in milliseconds. */
const stableMs = 100;
/** Maximum number of consecutive rounds of data requests. */
const maxDataRounds = 3;
/** Maximum number of attempts of a scrape when the page navigates meanwhile. */
const maxAttempts = 4;

/**
 * Scrapes pages, and keeps a DevTools session and an isolated world for each, so that the next scrape is faster. Keep one for as long as
 * its pages are scraped.
 *
 * @example
 * ```ts from=examples/api/page-content/page-scraper.ts
 * import { BrowserPool } from "@cloud-browser/browsers";
 * import { PageScraper } from "@cloud-browser/page-content";
 *
 * const pool = await BrowserPool.start({ maxBrowsers: 1 });
 * const { context } = await pool.open();
 * const page = await context.newPage();
 * await page.setContent("<main><h1>Ferry</h1><p>Leaves at <b>9:30</b>.</p></main>");
 *
 * await using scraper = new PageScraper();
 * const { markdown } = await scraper.scrape(page, { only_main_content: true }, { timeoutMs: 15_000 });
 * console.log(markdown); // # Ferry Leaves at **9:30**.
 * await pool.close();
 * ```
 */
export class PageScraper implements AsyncDisposable {
  readonly #pages = new Map<Page, PageCache>();

  /**
   * Scrapes the document that a page shows now, as the request says. Waits a little for one that still loads.
   *
   * @throws {PageContentError} `bad-selector`: malformed selector. `page-failed`: the page crashed, is closed, or timed out.
   */
  async scrape(page: Page, request: ScrapeRequest, options: PageScrapeOptions): Promise<ScrapedContent> {
    const scraped = this.#follow(page);
    const deadline = new Deadline(options.timeoutMs);
    const failed = new AbortController();
    const failWith = (message: string): void => failed.abort(new PageContentError("page-failed", message));
    const crashed = (): void => failWith("the page has crashed; open it again");
    const closed = (): void => failWith("the page was closed while it was scraped");
    page.on("crash", crashed);
    page.on("close", closed);
    if (scraped.hasCrashed) crashed();
    try {
      const explain = (): Promise<string> => explainUnresponsive(scraped);
      return await deadline.hold(attempts(scraped, request, options, deadline), failed.signal, explain);
    } catch (error) {
      if (error instanceof PageContentError) throw error;
      scraped.forgetSession();
      throw new PageContentError("page-failed", "the page can't be read: it crashed, was closed, or kept navigating", {
        cause: error,
      });
    } finally {
      page.off("crash", crashed);
      page.off("close", closed);
    }
  }

  /** Detaches from its pages, and leaves them open. */
  async [Symbol.asyncDispose](): Promise<void> {
    const pages = [...this.#pages.values()];
    this.#pages.clear();
    await Promise.all(pages.map((page) => page.close()));
  }

  #follow(page: Page): PageCache {
    const known = this.#pages.get(page);
    if (known) return known;
    const scraped = new PageCache(page);
    this.#pages.set(page, scraped);
    page.once("close", () => this.#pages.delete(page));
    return scraped;
  }
}

async function attempts(
  scraped: PageCache,
  request: ScrapeRequest,
  options: PageScrapeOptions,
  deadline: Deadline,
): Promise<ScrapedContent> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await scrapeOnce(scraped, request, options, deadline);
    } catch (error) {
      scraped.forgetWorld();
      const wentElsewhere =
        error instanceof Error && /context|navigat|frame|object id|object with given id/i.test(error.message);
      if (error instanceof PageContentError || !wentElsewhere || attempt >= maxAttempts) throw error;
    }
  }
}

async function scrapeOnce(
  scraped: PageCache,
  request: ScrapeRequest,
  options: PageScrapeOptions,
  deadline: Deadline,
): Promise<ScrapedContent> {
  const { maxSettleMs = 2_500 } = options.limits ?? {};
  const settleMs = { value: Math.min(maxSettleMs, options.timeoutMs / 2) };
  const { page } = scraped;
  let world = await scraped.world();
  const inPageRequest = pageRequest(request, options, deadline);
  if (inPageRequest.mainContent) await world.loadMainContent();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what these functions of the page reader give
  let attempt = (await world.call(settleAndRead, settleMs, { value: inPageRequest })) as Attempt;
  const grown = attempt.mayGrow !== false && (await waitForGrowth(scraped, world, settleMs.value));
  if (inPageRequest.selection) world = await selectElements(page, world, request.selector ?? "", deadline);
  if (inPageRequest.selection && inPageRequest.mainContent) await world.loadMainContent();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
  if (inPageRequest.selection || grown) attempt = (await world.call(read, { value: inPageRequest })) as Attempt;
  if (attempt.content !== undefined) return attempt.content;
  const parts = new UnreadParts(page, inPageRequest);
  try {
    if (attempt.unread !== undefined) await parts.bring(world, attempt.unread);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `read` gives
    return (await world.call("(page, request) => page.reader.read(request)", { value: inPageRequest })) as PageContent;
  } finally {
    await parts.close();
  }
}

/** Result of one attempt: the content, or the parts that have to be added first. */
interface Attempt {
  readonly content?: PageContent;
  readonly unread?: Unread;
  /** False when no script of the page can have requested more. */
  readonly mayGrow?: boolean;
}

/** Waits for data that the page has requested and for its rendering, at most for the given time. Returns whether data were requested. */
async function waitForGrowth(scraped: PageCache, world: PageWorld, maxMs: number): Promise<boolean> {
  const end = performance.now() + maxMs;
  for (let round = 0; round < maxDataRounds; round += 1) {
    const leftMs = end - performance.now();
    if (leftMs <= 0 || !(await awaitPageData(scraped, Math.min(leftMs, maxForData.answerMs)))) return round > 0;
    await world.call("(page, ms, calm) => page.settle(ms, calm)", { value: maxForData.drawMs }, { value: stableMs });
  }
  return true;
}

function pageRequest(
  request: ScrapeRequest,
  { declared = false, visibleOnly = false, limits = {}, timeoutMs }: PageScrapeOptions,
  deadline: Deadline,
): InPageRequest {
  return {
    links: request.scrape_links ?? true,
    images: request.scrape_images ?? false,
    onlyImages: request.only_images ?? false,
    mainContent: request.only_main_content ?? false,
    placeholders: request.use_link_placeholders ?? false,
    ignoredTags: request.ignored_tags ?? [],
    selection: typeof request.selector === "string",
    visibleOnly,
    declared,
    maxNodes: limits.maxNodes ?? 500_000,
    maxCharacters: limits.maxCharacters ?? 10_000_000,
    maxMs: Math.min(limits.maxReadMs ?? 4_000, timeoutMs / 2, deadline.leftMs / 2),
  };
}
