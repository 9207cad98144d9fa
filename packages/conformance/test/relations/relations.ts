/** Scrapes of the article, made without HTTP, and what relations between them say of a server. Other tests judge over HTTP. */
import type { Check } from "../../src/checks/check.ts";
import { pageChecks } from "../../src/checks/pages/page-checks.ts";
import { findPage, pageScrapeProbes } from "../../src/checks/pages/page-probes.ts";
import { relationProbes } from "../../src/checks/relations/option-rows.ts";
import { isolatingDefaultProbes } from "../../src/checks/relations/same-answers.ts";
import { relationChecks } from "../../src/checks/relations/relation-checks.ts";
import type { Exchange } from "../../src/http/exchange.ts";
import type { Probe } from "../../src/http/probe.ts";
import { liveTarget } from "../../src/run/live-target.ts";
import { FixtureSite } from "../../src/site/fixture-site.ts";
import type { OpenedPages } from "../../src/target/opened-pages.ts";
import type { Target } from "../../src/target/target.ts";
import { Browser } from "../pages/browser.ts";
import { Consulted } from "../checks/consulted.ts";
import { contentFaults } from "../pages/faulty-servers/content.ts";
import { correctTwists } from "../pages/correct-twists.ts";
import { markdownFaults } from "../pages/faulty-servers/markdown.ts";
import { extractionFaults } from "../pages/faulty-servers/extractions.ts";
import { imageFaults } from "../pages/faulty-servers/images.ts";
import { linkFaults } from "../pages/faulty-servers/links.ts";
import { judgeScrapes, scrapeWithoutHttp, type PageVerdict } from "../pages/scrapes-without-http.ts";
import type { Twist } from "../pages/site-server.ts";

const browser = new Browser();
let target: Target;

/** Opens the page; it is not asked for again. */
export async function openArticle(): Promise<void> {
  await using site = await FixtureSite.start();
  await browser.open(site.findEntrance("article"));
  const { address, host } = site;
  const source = site.readSource("article");
  const pages: OpenedPages = {
    findSession: (page) => page,
    findAddress: (page) => `${address}/${page}`,
    readSource: () => source,
    listCookies: () => [],
    sharesCookies: () => false,
    host,
    hasChanged: () => false,
    recordingMark: 0,
    recordedMs: () => undefined,
    frames: () => ({ frames: [] }),
  };
  target = { ...liveTarget({ baseUrl: "http://127.0.0.1", apiKey: "key", sessionId: "none" }), pages };
}

/** Exchanges that checks look at. */
export const consulted = new Consulted();

function exchangesWith(twist: Twist): Map<string, Exchange> {
  const answer = (probe: Probe): Exchange => scrapeWithoutHttp(probe, target, browser, twist);
  const probes = [...pageScrapeProbes.filter(({ id }) => findPage(id) === "article"), ...relationProbes];
  const run = new Map(probes.map((probe) => [probe.id, answer(probe)]));
  for (const probe of isolatingDefaultProbes(run)) run.set(probe.id, answer(probe));
  return run;
}

/** Judges a server. */
export const judge = (twist: Twist, checks: readonly Check[] = [...pageChecks, ...relationChecks]): PageVerdict =>
  judgeScrapes(checks, target, exchangesWith(twist), (check, exchange, run) => consulted.watch(check, exchange, run));

/** The checks that have findings on a server, and the requirements that these name. */
export function blamed(twist: Twist, among?: readonly Check[]): Pick<PageVerdict, "checks" | "requirements"> {
  const { checks, requirements } = judge(twist, among);
  return { checks, requirements };
}

/** Correct servers that scrape in a way of their own. */
export const otherScrapers = Object.entries(correctTwists).filter(
  ([, { scrape: own, options, taste }]) => own !== undefined || options !== undefined || taste !== undefined,
);

/** Faults that relations see as well: an option that is written out changes what its default gives. */
const seenByRelations: ReadonlySet<string> = new Set(["page/scrape_images-false-in-markdown"]);

/** Faults that one option shows alone: relations say nothing of them. */
export const faultsAlone = [contentFaults, markdownFaults, linkFaults, imageFaults, extractionFaults]
  .flat()
  .filter(({ twist, check }) => !twist.browser && !seenByRelations.has(check));
