import { judgeAccepted } from "../answers.ts";
import { combine, nothingSeen, verdict, type Check, type Judgement, type Exchanges } from "../check.ts";
import { pageCookiesProbes, findPage, pageScrapeProbes, listRepeatedScrapes } from "./page-probes.ts";
import { judgeScraped } from "../scrape/open-refusals.ts";
import {
  contentImages,
  judgeAbsent,
  judgePresent,
  linkAddresses,
  linkTexts,
  onScrape,
  type Markers,
  type Scrape,
  makeScrapeCheck,
  findScrapeIn,
} from "./scrape.ts";
import { markers } from "../../site/pages/markers.ts";
import { makeCheck } from "../make-check.ts";
import type { Exchange } from "../../http/exchange.ts";

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
const isNarrowed = ({ text }: Scrape): boolean =>
  Object.values<string>(chosen).every((word) => text.includes(word)) &&
  Object.values<string>(content).every((word) => !text.includes(word));

/** Judges that the article has no table: the text of the table may stay. */
function judgeNoTable({ text }: Scrape): Judgement {
  const words = Object.values<string>(table);
  const row = text
    .split("\n")
    .find((line) => words.some((word) => line.includes(word)) && /\||<t[rdh][\s>]/.test(line));
  return verdict(row === undefined, {
    where: "body /markdown",
    expected: "no table, since its tag is in `ignored_tags`",
    received: `a row of it: ${JSON.stringify(row)}`,
  });
}

const ignoringProbe = "page/ignored-tags";

/** Returns whether `ignored_tags` had an effect in a run. */
function isIgnored(run: Exchanges): boolean {
  const scrape = findScrapeIn(run, ignoringProbe);
  return scrape === undefined || judgeNoTable(scrape).findings.length === 0;
}

/** Judges that nothing is left of ignored elements. */
const judgeLeftOut: Check["judge"] = (exchange, _, run) =>
  isIgnored(run)
    ? onScrape(exchange, (scrape) =>
        judgeAbsent(scrape, exchange.id === ignoringProbe ? { ...table, ...aside } : frames),
      )
    : nothingSeen("The option has no effect; another check reports that.");

/** Judges that a scrape has some words, and lacks others. */
const judgeBoth = (scrape: Scrape, present: Markers, absent: Markers): Judgement =>
  combine([judgePresent(scrape, present), judgeAbsent(scrape, absent)], "");

const articles = listRepeatedScrapes("article");
const currentIds = [
  "page/scrape",
  "page/scrape-product",
  "page/almanac",
  ...articles,
  ...listRepeatedScrapes("product"),
];
const scrapeIds = pageScrapeProbes.map(({ id }) => id).filter((id) => id !== "page/selector-without-match");
const cookieIds = pageCookiesProbes.map(({ id }) => id);
const surroundings = { ...navigation, ...footer };

/** Checks of scrapes without options, and of the options that choose a part of the page. Source: interface § ScrapeRequest. */
export const contentChecks: readonly Check[] = [
  makeCheck("page/scrape-status-200", scrapeIds, (exchange, _, run) => judgeScraped(exchange, run)),
  makeCheck("page/cookies-status-200", cookieIds, (exchange, _, run) => judgeAccepted(exchange, run)),
  {
    ...makeScrapeCheck("markdown-has-content", ["page/scrape", ...articles], (scrape) =>
      judgePresent(scrape, { ...content, ...linkTexts }, isNarrowed(scrape) ? noSelector : undefined),
    ),
    requirements: ["scrape.response.markdown.meaning", noSelector, "scrape.request.only_images.default"],
  },
  makeScrapeCheck("markdown-of-rendered-page", ["page/scrape"], (scrape) => judgePresent(scrape, rendered)),
  makeScrapeCheck("markdown-of-current-page", currentIds, (scrape, { id }) =>
    judgeBoth(scrape, findPage(id) === "product" ? productText : {}, foreignTo[id] ?? {}),
  ),
  makeScrapeCheck("selector-limits-content", ["page/selector"], (scrape) =>
    judgeBoth(scrape, chosen, { ...content, ...table, ...surroundings, ...rendered }),
  ),
  makeScrapeCheck("ignored_tags-are-ignored", [ignoringProbe], (scrape) =>
    combine([judgeNoTable(scrape), judgePresent(scrape, main)], ""),
  ),
  makeCheck("page/ignored_tags-are-left-out", [ignoringProbe, "page/ignored-frames"], judgeLeftOut),
  makeScrapeCheck("ignored_tags-default", ["page/scrape"], (scrape) => judgePresent(scrape, { ...table, ...aside })),
  makeScrapeCheck("only_main_content-leaves-out-surroundings", ["page/main-content"], (scrape) =>
    combine([judgeAbsent(scrape, surroundings), judgePresent(scrape, main)], ""),
  ),
  makeScrapeCheck("only_main_content-default", ["page/scrape"], (scrape) => judgePresent(scrape, surroundings)),
  makeScrapeCheck("only_images-leaves-out-content", ["page/only-images"], (scrape) =>
    judgeAbsent(scrape, { ...content, ...chosen, ...table }),
  ),
];

/** Scrapes that show whether the default of the placeholders is what hides links. */
const placeholderIds = ["page/scrape", "relations/default-of-use_link_placeholders"];

/** Returns whether a scrape has the addresses of the links; undefined when it did not succeed. */
function hasLinks(id: string, run: Exchanges): boolean | undefined {
  const scrape = findScrapeIn(run, id);
  return scrape && Object.values(linkAddresses).every((word) => scrape.text.includes(word));
}

/** Returns whether links are missing by default, and present with `use_link_placeholders` false. */
function placeholdersHideLinks(run: Exchanges): boolean {
  const [plain, without] = placeholderIds.map((id) => hasLinks(id, run));
  return plain === false && without === true;
}

/** Returns whether the scrape with `scrape_links` true returned the links, as far as that is known. */
const bringsLinks = (run: Exchanges): boolean => hasLinks("page/links-on", run) !== false;

/** Judges that links and images are not spelled out where they stand. A list of what the placeholders stand for is left open. */
export function judgePlaceholders({ text }: Scrape): Judgement {
  return combine(
    Object.entries({ ...linkAddresses, ...contentImages }).map(([what, word]) => {
      const inPlace = new RegExp(
        String.raw`\]\(\s*<?[^)\s>]*${word}|<https?://[^>\s]*${word}|(?:href|src)="?[^"\s>]*${word}`,
      );
      return verdict(!inPlace.test(text), {
        where: "body /markdown",
        expected: `a placeholder in place of the ${what}`,
        received: `the address itself (${word})`,
      });
    }),
    "",
  );
}

/** Judges that the addresses of the links of the article are there. */
const judgeLinks = (exchange: Exchange): Judgement =>
  onScrape(exchange, (scrape) => judgePresent(scrape, linkAddresses));

/** Checks of the options about links. Source: interface § ScrapeRequest. */
export const linkChecks: readonly Check[] = [
  makeCheck(
    "page/scrape_links-true",
    ["page/links-on"],
    (exchange, _, run) =>
      placeholdersHideLinks(run)
        ? nothingSeen("Links come with `use_link_placeholders` false: the default of that is what is wrong.")
        : judgeLinks(exchange),
    { consults: placeholderIds },
  ),
  makeScrapeCheck("scrape_links-false", ["page/links-off"], (scrape) => judgeAbsent(scrape, linkAddresses)),
  makeCheck(
    "page/scrape_links-default",
    ["page/scrape"],
    (exchange, _, run) =>
      bringsLinks(run)
        ? judgeLinks(exchange)
        : nothingSeen("Some links are missing when they are asked for by name, too."),
    { consults: ["page/links-on"] },
  ),
  makeScrapeCheck("use_link_placeholders-replaces", ["page/placeholders"], judgePlaceholders),
];
