import type { components } from "@cloud-browser/spec/types";
import { extractStructured, type Model, type PageScraper } from "@cloud-browser/page-content";
import { ServiceError } from "../service-error.ts";
import { runInSpan } from "../tracing/spans.ts";
import { tryAgainWhenBusy } from "./second-try.ts";
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
