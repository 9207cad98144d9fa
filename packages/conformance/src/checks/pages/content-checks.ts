import { judgeAccepted } from "../answers.ts";
import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { pageCookiesProbes, findPage, pageScrapeProbes, listRepeatedScrapes } from "./page-probes.ts";
import { judgeScraped } from "../scrape/open-refusals.ts";
import {
  contentImages,
  judgeAbsent,
  judgePresent,
  linkAddresses,
  linkTexts,
  onScraped,
  findScrape,
  type Markers,
  type Scraped,
} from "./scraped.ts";
import { markers } from "../../site/pages/markers.ts";

/** Makes a check on the Markdown of some scrapes. The first requirement is the one that a finding names. */
function markdownCheck(
  name: string,
  title: string,
  requirements: readonly [string, ...string[]],
  probes: readonly string[],
  judge: (seen: Scraped, requirement: string, exchange: Exchange) => Judgement,
): Check {
  return {
    id: `page/${name}`,
    title,
    requirements,
    probes,
    judge: (exchange) => onScraped(exchange, (seen) => judge(seen, requirements[0], exchange)),
  };
}

const { content, chosen, table, aside, navigation, footer, rendered, main, product, start, after, frames } = markers;

/** Markers in a paragraph of the product page, since another check judges headings. */
const productText: Markers = { "description of the product": product["description of the product"] };

/** Links and images of the article: no other page has any. */
const references: Markers = { ...linkTexts, ...linkAddresses, ...contentImages };

/** Markers that only pages of other sessions contain. */
const foreignToArticle: Markers = { ...product, ...after, ...frames };
const foreignToProduct: Markers = { ...start, ...references, "page of the other session": content.heading };
const foreignTo: Readonly<Record<string, Markers>> = {
  "page/scrape": foreignToArticle,
  "page/scrape-product": { ...foreignToProduct, ...after },
  ...Object.fromEntries(listRepeatedScrapes("article").map((id) => [id, foreignToArticle])),
  ...Object.fromEntries(listRepeatedScrapes("product").map((id) => [id, foreignToProduct])),
  "page/almanac": { ...product, ...references, "page of the first session": content.heading, ...main },
};

const noSelector = "scrape.request.selector.default";

/** Returns whether a scrape has one part of the article, and nothing of the content outside of it: as if that part had been selected. */
const isNarrowed = ({ text }: Scraped): boolean =>
  Object.values<string>(chosen).every((word) => text.includes(word)) &&
  Object.values<string>(content).every((word) => !text.includes(word));

/** Judges that the article has no table: the text of the table may stay. */
function judgeNoTable({ text }: Scraped, requirement: string): Judgement {
  const words = Object.values<string>(table);
  const row = text
    .split("\n")
    .find((line) => words.some((word) => line.includes(word)) && /\||<t[rdh][\s>]/.test(line));
  return verdict(row === undefined, {
    requirement,
    where: "body /markdown",
    expected: "no table, since its tag is in `ignored_tags`",
    received: `a row of it: ${JSON.stringify(row)}`,
  });
}

const withContent = "scrape.request.ignored_tags.with-content";
const ignoringProbe = "page/ignored-tags";

/** Returns whether `ignored_tags` had an effect in a run. */
function isIgnored(run: ReadonlyMap<string, Exchange> | undefined): boolean {
  const exchange = run?.get(ignoringProbe);
  const seen = exchange && findScrape(exchange);
  return seen === undefined || "reason" in seen || judgeNoTable(seen, withContent).findings.length === 0;
}

/** Checks of scrapes without options, and of the options that choose a part of the page. Source: interface § ScrapeRequest. */
export const contentChecks: readonly Check[] = [
  {
    id: "page/scrape-status-200",
    title: "Scrapes of a session that the suite has opened are answered with 200.",
    requirements: ["scrape.status-200"],
    probes: pageScrapeProbes.map(({ id }) => id).filter((id) => id !== "page/selector-without-match"),
    judge: (exchange, _, run) => judgeScraped(exchange, "scrape.status-200", run),
  },
  {
    id: "page/cookies-status-200",
    title: "Reads of the cookies of a session that the suite has opened are answered with 200.",
    requirements: ["cookies.status-200"],
    probes: pageCookiesProbes.map(({ id }) => id),
    judge: (exchange, _, run) => judgeAccepted(exchange, "cookies.status-200", run),
  },
  markdownCheck(
    "markdown-has-content",
    "The Markdown has headings, paragraphs, lists and code of the page.",
    ["scrape.response.markdown.meaning", noSelector, "scrape.request.only_images.default"],
    ["page/scrape", ...listRepeatedScrapes("article")],
    (seen, requirement) =>
      judgePresent(seen, { ...content, ...linkTexts }, isNarrowed(seen) ? noSelector : requirement),
  ),
  markdownCheck(
    "markdown-of-rendered-page",
    "The Markdown has what a script wrote into the page while it loaded.",
    ["scrape.markdown-of-current-page"],
    ["page/scrape"],
    (seen, requirement) => judgePresent(seen, rendered, requirement),
  ),
  markdownCheck(
    "markdown-of-current-page",
    "The Markdown is of the page on which the session named is now: not of the page before, nor of another session's.",
    ["scrape.markdown-of-current-page"],
    [
      "page/scrape",
      "page/scrape-product",
      "page/almanac",
      ...listRepeatedScrapes("article"),
      ...listRepeatedScrapes("product"),
    ],
    (seen, requirement, { id }) => {
      const own = findPage(id) === "product" ? judgePresent(seen, productText, requirement) : nothingSeen("");
      return combine([own, judgeAbsent(seen, foreignTo[id] ?? {}, requirement)], "");
    },
  ),
  markdownCheck(
    "selector-limits-content",
    "With `selector` only what is inside of the selected part is scraped, and all of that.",
    ["scrape.request.selector.meaning"],
    ["page/selector"],
    (seen, requirement) => {
      const outside = { ...content, ...table, ...navigation, ...footer, ...rendered };
      return combine([judgePresent(seen, chosen, requirement), judgeAbsent(seen, outside, requirement)], "");
    },
  ),
  markdownCheck(
    "ignored_tags-are-ignored",
    "What a tag in `ignored_tags` makes of its content is not there, and elements of other tags are.",
    ["scrape.request.ignored_tags.meaning"],
    [ignoringProbe],
    (seen, requirement) => combine([judgeNoTable(seen, requirement), judgePresent(seen, main, requirement)], ""),
  ),
  {
    id: "page/ignored_tags-are-left-out",
    title: "Elements whose tag is in `ignored_tags` are left out, with everything inside.",
    requirements: [withContent],
    probes: [ignoringProbe, "page/ignored-frames"],
    judge: (exchange, _, run) =>
      isIgnored(run)
        ? onScraped(exchange, (seen) =>
            judgeAbsent(seen, exchange.id === ignoringProbe ? { ...table, ...aside } : frames, withContent),
          )
        : nothingSeen("The option has no effect; another check reports that."),
  },
  markdownCheck(
    "ignored_tags-default",
    "Without `ignored_tags` no tag is left out.",
    ["scrape.request.ignored_tags.default"],
    ["page/scrape"],
    (seen, requirement) => judgePresent(seen, { ...table, ...aside }, requirement),
  ),
  markdownCheck(
    "only_main_content-leaves-out-surroundings",
    "With `only_main_content` the navigation bar and the footer are left out, and the main content is not.",
    ["scrape.request.only_main_content.meaning"],
    ["page/main-content"],
    (seen, requirement) =>
      combine(
        [judgeAbsent(seen, { ...navigation, ...footer }, requirement), judgePresent(seen, main, requirement)],
        "",
      ),
  ),
  markdownCheck(
    "only_main_content-default",
    "Without `only_main_content` the navigation bar and the footer are there.",
    ["scrape.request.only_main_content.default"],
    ["page/scrape"],
    (seen, requirement) => judgePresent(seen, { ...navigation, ...footer }, requirement),
  ),
  markdownCheck(
    "only_images-leaves-out-content",
    "With `only_images` the content of the page is left out.",
    ["scrape.request.only_images.meaning"],
    ["page/only-images"],
    (seen, requirement) => judgeAbsent(seen, { ...content, ...chosen, ...table }, requirement),
  ),
];
