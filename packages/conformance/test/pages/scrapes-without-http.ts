/** Scrapes that a simulated browser makes for the suite, without HTTP. */
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
