import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import {
  contentImages,
  judgeAbsent,
  judgePresent,
  linkAddresses,
  onScraped,
  findScrape,
  type Scraped,
} from "./scraped.ts";

const meaning = "scrape.request.scrape_links.meaning";
const placeholders = "scrape.request.use_link_placeholders.meaning";

/** Scrapes that show whether the default of the placeholders is what hides links. */
const placeholderIds = ["page/scrape", "relations/default-of-use_link_placeholders"];

/** Returns whether links are missing by default, and present with `use_link_placeholders` false. */
function placeholdersHideLinks(run: ReadonlyMap<string, Exchange> | undefined): boolean {
  const [plain, without] = placeholderIds.map((id) => {
    const exchange = run?.get(id);
    const seen = exchange && findScrape(exchange);
    return seen && "text" in seen ? Object.values(linkAddresses).every((word) => seen.text.includes(word)) : undefined;
  });
  return plain === false && without === true;
}

/** Returns whether the scrape with `scrape_links` true returned the links, as far as that is known. */
function bringsLinks(run: ReadonlyMap<string, Exchange> | undefined): boolean {
  const exchange = run?.get("page/links-on");
  const seen = exchange && findScrape(exchange);
  return (
    seen === undefined || "reason" in seen || Object.values(linkAddresses).every((word) => seen.text.includes(word))
  );
}

/** Judges that links and images are not spelled out where they stand. A list of what the placeholders stand for is left open. */
export function judgePlaceholders({ text }: Scraped): Judgement {
  return combine(
    Object.entries({ ...linkAddresses, ...contentImages }).map(([what, word]) => {
      const inPlace = new RegExp(
        String.raw`\]\(\s*<?[^)\s>]*${word}|<https?://[^>\s]*${word}|(?:href|src)="?[^"\s>]*${word}`,
      );
      return verdict(!inPlace.test(text), {
        requirement: placeholders,
        where: "body /markdown",
        expected: `a placeholder in place of the ${what}`,
        received: `the address itself (${word})`,
      });
    }),
    "",
  );
}

/** Checks of the options about links. Source: interface § ScrapeRequest. */
export const linkChecks: readonly Check[] = [
  {
    id: "page/scrape_links-true",
    title: "With `scrape_links` true the Markdown has the addresses of the links.",
    requirements: [meaning],
    probes: ["page/links-on"],
    consults: placeholderIds,
    judge: (exchange, _, run) =>
      placeholdersHideLinks(run)
        ? nothingSeen("Links come with `use_link_placeholders` false: the default of that is what is wrong.")
        : onScraped(exchange, (seen) => judgePresent(seen, linkAddresses, meaning)),
  },
  {
    id: "page/scrape_links-false",
    title: "With `scrape_links` false the Markdown has no address of a link.",
    requirements: [meaning],
    probes: ["page/links-off"],
    judge: (exchange) => onScraped(exchange, (seen) => judgeAbsent(seen, linkAddresses, meaning)),
  },
  {
    id: "page/scrape_links-default",
    title: "Without `scrape_links` and `use_link_placeholders` the Markdown has the addresses of the links.",
    requirements: ["scrape.request.scrape_links.default", "scrape.request.use_link_placeholders.default"],
    probes: ["page/scrape"],
    consults: ["page/links-on"],
    judge: (exchange, _, run) =>
      bringsLinks(run)
        ? onScraped(exchange, (seen) => judgePresent(seen, linkAddresses, "scrape.request.scrape_links.default"))
        : nothingSeen("Some links are missing when they are asked for by name, too."),
  },
  {
    id: "page/use_link_placeholders-replaces",
    title: "With `use_link_placeholders` placeholders stand where the addresses of links and images would.",
    requirements: [placeholders],
    probes: ["page/placeholders"],
    judge: (exchange) => onScraped(exchange, judgePlaceholders),
  },
];
