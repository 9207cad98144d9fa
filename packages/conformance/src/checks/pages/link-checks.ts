import type { Exchange } from "../../http/exchange.ts";
import { combine, nothingSeen, verdict, type Check, type Judgement, type Run } from "../check.ts";
import {
  contentImages,
  judgeAbsent,
  judgePresent,
  linkAddresses,
  onScraped,
  findScrape,
  type Scraped,
  makeScrapeCheck,
} from "./scraped.ts";
import { makeCheck } from "../make-check.ts";

/** Scrapes that show whether the default of the placeholders is what hides links. */
const placeholderIds = ["page/scrape", "relations/default-of-use_link_placeholders"];

/** Returns whether a scrape has the addresses of the links; undefined when it did not succeed. */
function hasLinks(id: string, run: Run): boolean | undefined {
  const exchange = run?.get(id);
  const seen = exchange && findScrape(exchange);
  return seen && "text" in seen ? Object.values(linkAddresses).every((word) => seen.text.includes(word)) : undefined;
}

/** Returns whether links are missing by default, and present with `use_link_placeholders` false. */
function placeholdersHideLinks(run: Run): boolean {
  const [plain, without] = placeholderIds.map((id) => hasLinks(id, run));
  return plain === false && without === true;
}

/** Returns whether the scrape with `scrape_links` true returned the links, as far as that is known. */
const bringsLinks = (run: Run): boolean => hasLinks("page/links-on", run) !== false;

/** Judges that links and images are not spelled out where they stand. A list of what the placeholders stand for is left open. */
export function judgePlaceholders({ text }: Scraped): Judgement {
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
const judgeLinks = (exchange: Exchange): Judgement => onScraped(exchange, (seen) => judgePresent(seen, linkAddresses));

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
  makeScrapeCheck("scrape_links-false", ["page/links-off"], (seen) => judgeAbsent(seen, linkAddresses)),
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
