import type { components } from "@cloud-browser/spec/types";
import { extractStructured, PageContentError, type Model, type PageScraper } from "@cloud-browser/page-content";
import type { BrowserContext } from "playwright-core";
import { ServiceError } from "../service-error.ts";
import { runInSpan } from "../tracing/spans.ts";
import type { Session } from "./session.ts";

type ScrapeRequest = components["schemas"]["ScrapeRequest"];
type DataSpace = components["schemas"]["DataSpace"];

/** Longest time for the page itself, in milliseconds, for each try; a model has a limit of its own. */
export const scrapeTimeoutMs = 15_000;

/** Parts of a session that a scrape uses. */
type ScrapedSession = Pick<Session, "activePage" | "read" | "failedDocuments">;

/** Dependencies of a scraper of sessions. */
export interface SessionScraperParts {
  /** Scraper of pages. */
  readonly scraper: PageScraper;
  /** Model that extracts data; undefined for none. */
  readonly model: Model | undefined;
  /** Times scrapes. */
  readonly metrics: { readonly timeScrape: (scrape: Promise<DataSpace>) => Promise<DataSpace> };
  /** Throws while this process may have no sessions; undefined when it always may. */
  readonly requireLease: (() => void) | undefined;
}

/** Scrapes the pages that sessions are on, by {@link scrapeSession}. */
export class SessionScraper {
  readonly #parts: SessionScraperParts;

  constructor(parts: SessionScraperParts) {
    this.#parts = parts;
  }

  /**
   * Scrapes the page of a session, times that, and returns it only if the session still belongs to this process.
   *
   * @throws {ServiceError} As `scrapeSession`; `storage-failed` when this process has lost its lease meanwhile.
   */
  async scrape(session: ScrapedSession, request: ScrapeRequest, visibleOnly = false): Promise<DataSpace> {
    const { scraper, model, metrics, requireLease } = this.#parts;
    const data = await metrics.timeScrape(scrapeSession(scraper, session, request, model, visibleOnly));
    requireLease?.();
    return data;
  }
}

/** Message when `declared` was not asked for. */
const nothingDeclared = "the scrape returned no declared data";

/**
 * Scrapes the page that a session is on, and extracts data from it when the request names a structure or gives instructions.
 *
 * Source: interface § Endpoints (page_scrape).
 *
 * @throws {ServiceError} `page-failed` when there is no page or it does not answer, `bad-selector`, `busy`.
 */
export async function scrapeSession(
  scraper: PageScraper,
  session: ScrapedSession,
  request: ScrapeRequest,
  model?: Model,
  visibleOnly = false,
): Promise<DataSpace> {
  const page = session.activePage.current;
  if (!page) throw new ServiceError("page-failed", "the session has no page; all pages were closed");
  const requireDocument = (): void => {
    const failed = session.failedDocuments.findError(page);
    if (failed) throw failed;
  };
  requireDocument();
  const { response_format: responseFormat, instructions } = request;
  const wantsData = (responseFormat ?? null) !== null || (instructions ?? "").trim() !== "";
  const scraped = await runInSpan("page.scrape", {}, () =>
    tryAgainWhenBusy(page.context(), () =>
      session.read(() =>
        scraper.scrape(page, request, { timeoutMs: scrapeTimeoutMs, declared: wantsData, visibleOnly }),
      ),
    ),
  );
  // One that was on its way may have failed meanwhile.
  requireDocument();
  const nothing = scraped.markdown === "" ? await session.failedDocuments.findEmptyError(page) : undefined;
  if (nothing) throw nothing;
  const { declared } = scraped;
  const markdown = [scraped.markdown, scraped.legend].filter((part) => part !== "").join("\n\n");
  const images = scraped.images === null ? null : [...scraped.images];
  if (!wantsData) return { markdown, images, structured: null };
  if (declared === null) throw new TypeError(nothingDeclared);
  const placeholders = new Map(Object.entries(scraped.placeholders));
  // The model gets placeholders instead of URLs.
  const structured = await runInSpan("page.extract", {}, () =>
    extractStructured({ declared, markdown: scraped.markdown, placeholders, responseFormat, instructions, model }),
  );
  return { markdown, images, structured };
}

/** Times of a second try. */
export interface SecondTryTimes {
  /** How often the browser is asked meanwhile, in milliseconds. */
  readonly askEveryMs: number;
  /** From how late an answer on it was too busy for its pages, in milliseconds. */
  readonly busyMs: number;
}

const defaultTimes: SecondTryTimes = { askEveryMs: 2_000, busyMs: 3_000 };

/**
 * Tries again, once, what failed while the browser itself was busy: the pages of other sessions share it, and one of them may keep it
 * for seconds with a single message. A page that does not respond in a browser that does gets no second try.
 *
 * @param context - Context of the page, in that browser.
 */
export async function tryAgainWhenBusy<Result>(
  context: Pick<BrowserContext, "cookies">,
  attempt: () => Promise<Result>,
  { askEveryMs, busyMs }: SecondTryTimes = defaultTimes,
): Promise<Result> {
  let askedMs: number | undefined;
  let longestMs = 0;
  const measureWait = (): number => Math.max(longestMs, askedMs === undefined ? 0 : performance.now() - askedMs);
  const noteAnswer = (): void => {
    longestMs = measureWait();
    askedMs = undefined;
  };
  const asking = setInterval(() => {
    if (askedMs !== undefined) return;
    askedMs = performance.now();
    // Something that the browser answers without any page.
    context.cookies("http://nobody.invalid/").then(noteAnswer, noteAnswer);
  }, askEveryMs).unref();
  try {
    return await attempt();
  } catch (error) {
    const isPageFault = error instanceof PageContentError && error.code === "page-failed";
    if (!isPageFault || measureWait() < busyMs) throw error;
  } finally {
    clearInterval(asking);
  }
  return attempt();
}
