import type { Probe } from "../../http/probe.ts";
import { planRead, planScrape } from "../../http/request-plan.ts";
import type { PageName } from "../../target/opened-pages.ts";
import { recordingReadProbe } from "../replay/recording/recording-probe.ts";
import { atTheEnd, inBurst, onKeptConnection, type Repetition } from "../repetitions.ts";
import { everyOptionalHeader } from "../scrape/scrape-probe.ts";
import { productFacts } from "../../site/pages/product.ts";

/** JSON Schema that fits the content of the product page. Source: interface § ScrapeRequest. */
export const productSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    offers: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: {
          price: { type: "number" },
          currency: { type: "string", enum: [productFacts.currency, "USD", "GBP"] },
        },
        required: ["price", "currency"],
        additionalProperties: false,
      },
    },
  },
  required: ["name", "offers"],
  additionalProperties: false,
} as const;

/** JSON Schema that the product page has no data for: it mentions no ship, so any value is made up. */
export const shipSchema = {
  type: "object",
  properties: { imoNumber: { type: "string", pattern: "^IMO [0-9]{7}$" }, decks: { type: "integer", minimum: 1 } },
  required: ["imoNumber", "decks"],
} as const;

/** JSON Schema whose required fields are on the product page and whose optional ones are not: it mentions no captain and no harbour. */
export const partlyToldSchema = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1 },
    captain: { type: "string" },
    homePort: { type: ["string", "null"] },
    grossTonnage: { type: "number" },
  },
  required: ["name"],
} as const;

/** Id of the part of the article that selectors name. */
const chosenPart = "#chosen";

interface Row {
  readonly name: string;
  readonly page: PageName;
  readonly body: Readonly<Record<string, unknown>>;
  /** Connection and timing. Default: a connection of its own, alone, with the others. */
  readonly sending?: Repetition["sending"];
  /** Query of the address. Default: none. */
  readonly query?: string;
  /** Headers that SDKs send. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Circumstances that may not change the answer to a plain scrape of a page. */
const circumstances: readonly Omit<Row, "page" | "body">[] = [
  ...[onKeptConnection, inBurst, atTheEnd].map(({ word, sending }) => ({ name: word, sending })),
  { name: "with-headers", query: "?update_metadata=true", headers: everyOptionalHeader },
];

/** Pages whose plain scrape is repeated in each circumstance. */
const repeatedPages: readonly PageName[] = ["article", "product"];

const repeatedRows: readonly Row[] = circumstances.flatMap((circumstance) =>
  repeatedPages.map((page) => repeatedRow(page, circumstance)),
);

function repeatedRow(page: PageName, { name, ...circumstance }: (typeof circumstances)[number]): Row {
  return { name: `${page}-${name}`, page, body: {}, ...circumstance };
}

/** Ids of the plain scrapes of a page in other circumstances. */
export const listRepeatedScrapes = (page: PageName): string[] =>
  repeatedRows.flatMap((row) => (row.page === page ? `page/${row.name}` : []));

const rows: readonly Row[] = [
  { name: "scrape", page: "article", body: {} },
  { name: "scrape-product", page: "product", body: {} },
  { name: "selector", page: "article", body: { selector: chosenPart } },
  { name: "selector-without-match", page: "article", body: { selector: "#there-is-no-such-part" } },
  { name: "links-on", page: "article", body: { scrape_links: true } },
  { name: "links-off", page: "article", body: { scrape_links: false } },
  { name: "images-on", page: "article", body: { scrape_images: true } },
  { name: "images-off", page: "article", body: { scrape_images: false } },
  { name: "ignored-tags", page: "article", body: { ignored_tags: ["aside", "table"] } },
  { name: "main-content", page: "article", body: { only_main_content: true } },
  { name: "only-images", page: "article", body: { only_images: true } },
  { name: "only-images-asked", page: "article", body: { only_images: true, scrape_images: true } },
  { name: "placeholders", page: "article", body: { use_link_placeholders: true, scrape_images: true } },
  { name: "structured", page: "product", body: { response_format: productSchema } },
  { name: "structured-of-no-ship", page: "product", body: { response_format: shipSchema } },
  { name: "structured-partly", page: "product", body: { response_format: partlyToldSchema } },
  { name: "almanac", page: "almanac", body: {} },
  { name: "ignored-frames", page: "almanac", body: { ignored_tags: ["iframe"] } },
  { name: "instructions", page: "product", body: { instructions: "Give the name and the price of the product." } },
  ...repeatedRows,
];

function makeScrapeProbe({ name, page, body, sending, query = "", headers }: Row): Probe {
  return {
    ...sending,
    id: `page/${name}`,
    operation: "page_scrape",
    needs: ["opens-pages"],
    expects: name === "selector-without-match" ? "open" : "success",
    request: ({ pages }) => {
      const plan = planScrape(pages?.findSession(page) ?? "", body, headers && { headers });
      return { ...plan, path: `${plan.path}${query}` };
    },
  };
}

/** Page scrapes of sessions that are on pages of the fixture site. Source: interface § Endpoints. */
export const pageScrapeProbes: readonly Probe[] = rows.map(makeScrapeProbe);

/** Scrapes the page that changes itself as soon as it has loaded: before the other requests, and beside them. */
export const beforeChangeProbe: Probe = makeScrapeProbe({ name: "before-change", page: "almanac", body: {} });

/** Ids of the probes that read the cookies, each with the page of its session. */
const cookiesRows: readonly (readonly [id: string, page: PageName])[] = [
  ["page/cookies", "article"],
  ["page/cookies-of-product", "product"],
  ["page/cookies-at-the-end", "article"],
];

/** Reads of the cookies of these sessions. Source: interface § Endpoints. */
export const pageCookiesProbes: readonly Probe[] = cookiesRows.map(([id, page]) => ({
  id,
  operation: "session_cookies",
  needs: ["opens-pages"],
  expects: "success",
  ...(id.endsWith("-at-the-end") ? { last: true } : {}),
  request: ({ pages }) => planRead("cookies", pages?.findSession(page) ?? ""),
}));

/** All requests about pages that are planned before a run. */
export const pageProbes: readonly Probe[] = [...pageScrapeProbes, ...pageCookiesProbes, recordingReadProbe];

const pagesOfProbes: ReadonlyMap<string, PageName> = new Map([
  ...rows.map(({ name, page }): [string, PageName] => [`page/${name}`, page]),
  ...cookiesRows,
  [recordingReadProbe.id, "recording"],
]);

/** Returns the page that the session of a probe is on; undefined for a probe that needs none. */
export function findPage(probe: string): PageName | undefined {
  return probe.startsWith("relations/") ? "article" : pagesOfProbes.get(probe);
}
