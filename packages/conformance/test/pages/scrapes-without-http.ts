/** Scrapes that a simulated browser makes for the suite, without HTTP, and what checks say of them. */
import { applicableExchanges, listFindings, type Check, type Exchanges } from "../../src/checks/check.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import type { Probe } from "../../src/http/probe.ts";
import type { Target } from "../../src/target/target.ts";
import type { Browser } from "./browser.ts";
import { defaultOptions, scrape, type DataSpace, type ScrapeOptions } from "./scrape.ts";
import { plainTaste, scrapeStatus, type Twist } from "./site-server.ts";

/** Results of correct servers, by page and options: most faults change few of the requests. */
const cache = new Map<string, DataSpace>();

function scrapeCached(browser: Browser, options: ScrapeOptions, taste: Twist["taste"]): DataSpace {
  if (taste) return scrape(browser, options, { ...plainTaste, ...taste });
  const key = JSON.stringify([browser.source, options]);
  const space = cache.get(key) ?? scrape(browser, options, plainTaste);
  cache.set(key, space);
  return space;
}

/** Returns the exchange of a probe with a server that has a twist, and whose page is open in the browser. */
export function scrapeWithoutHttp(probe: Probe, target: Target, browser: Browser, twist: Twist): Exchange {
  const plan = probe.request(target);
  const request: Partial<ScrapeOptions> = JSON.parse(plan.body ?? "{}");
  const options = { ...defaultOptions, ...request };
  const answer = scrapeCached(browser, twist.options?.(options, request) ?? options, twist.taste);
  const bytes = Buffer.from(JSON.stringify(twist.scrape?.(answer, request, browser) ?? answer));
  const { id, operation, expects } = probe;
  const about = { id, operation, expects, url: `http://127.0.0.1${plan.path}`, plan, requestHeaders: {} };
  return {
    ...about,
    startedAt: new Date(0),
    durationMs: 1,
    response: {
      status: scrapeStatus(twist, request),
      headers: [["content-type", "application/json"]],
      chunks: [{ atMs: 1, bytes }],
      end: "complete",
    },
  };
}

/** Results of the checks of a server. */
export interface PageVerdict {
  /** Checks that fail, and the requirements that they name. */
  readonly checks: string[];
  readonly requirements: string[];
  /** Checks that saw something, and found nothing wrong. */
  readonly passed: string[];
  /** Reasons of the others. */
  readonly reasons: string[];
}

/**
 * Judges the scrapes that a server has made.
 *
 * @param watch - Returns the run as a judge of an exchange sees it. Default: as it is.
 */
export function judgeScrapes(
  checks: readonly Check[],
  target: Target,
  run: ReadonlyMap<string, Exchange>,
  watch: (check: Check, exchange: Exchange, run: ReadonlyMap<string, Exchange>) => Exchanges = () => run,
): PageVerdict {
  const results = checks.map((check) => {
    const exchanges = applicableExchanges(check, run.values());
    const judgements = exchanges.map((exchange) => check.judge(exchange, target, watch(check, exchange, run)));
    return {
      id: check.id,
      findings: judgements.flatMap((judgement, at) => listFindings(check, judgement, exchanges[at] ?? { id: "" })),
      assertions: judgements.reduce((sum, { assertions }) => sum + assertions, 0),
      reason: (judgements.find(({ isBeside }) => isBeside !== true) ?? judgements[0])?.reason,
    };
  });
  const failed = results.filter(({ findings }) => findings.length > 0);
  return {
    checks: failed.map(({ id }) => id),
    requirements: [...new Set(failed.flatMap(({ findings }) => findings.map(({ requirement }) => requirement)))],
    passed: results.filter(({ findings, assertions }) => findings.length === 0 && assertions > 0).map(({ id }) => id),
    reasons: results.filter(({ assertions }) => assertions === 0).map(({ id, reason }) => `${id}: ${reason}`),
  };
}
