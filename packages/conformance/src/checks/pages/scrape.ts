import { makeCheck } from "../make-check.ts";
import { isObject } from "../../http/json.ts";
import { combine, nothingSeen, verdict, type Judgement, type Check, type Exchanges } from "../check.ts";
import { jsonAnswer, type Exchange } from "../../http/exchange.ts";
import type { OpenedPages, PageName } from "../../target/opened-pages.ts";
import { findPage } from "./page-probes.ts";
import { entryWords } from "../../site/pages/almanac.ts";
import { imageMarkers, linkMarkers, linkTextMarkers, markers as words } from "../../site/pages/markers.ts";
import { pictureFolder, pictureKinds, pictureNames, pictureTexts } from "../../site/pages/pictures.ts";

/** A scrape that succeeded, as the judges look at it. Source: interface § DataSpace. */
export interface Scrape {
  /** The Markdown in lower case and without invisible characters. */
  readonly text: string;
  /** The Markdown as it came. */
  readonly markdown: string;
  /** Entries of `images` that are objects. */
  readonly images: readonly Readonly<Record<string, unknown>>[];
  /** Value of `structured`; undefined when it is absent. */
  readonly structured: unknown;
}

/** Cache of scrapes by their bodies, since many checks judge the same one, and answers that are alike share their body. */
const cache = new WeakMap<object, Scrape>();

/** Returns the scrape of an exchange, or the reason why the exchange has no scrape to judge. Source: interface § DataSpace. */
export function findScrape(exchange: Exchange): Scrape | { readonly reason: string } {
  const body = jsonAnswer(exchange, 200);
  if (!("value" in body)) return body;
  const markdown = readMember(body.value, "markdown");
  if (!isObject(body.value) || typeof markdown !== "string") return { reason: "The answer has no `markdown`." };
  const scrape = cache.get(body.value) ?? readScrape(body.value, markdown);
  cache.set(body.value, scrape);
  return scrape;
}

function readScrape(body: object, markdown: string): Scrape {
  const images = readMember(body, "images");
  return {
    text: foldText(markdown),
    markdown,
    images: Array.isArray(images) ? images.filter(isObject) : [],
    structured: readMember(body, "structured"),
  };
}

/** Returns the scrape of a run by the id of its probe; undefined when none succeeded. */
export function findScrapeIn(run: Exchanges, id: string): Scrape | undefined {
  const exchange = run?.get(id);
  const scrape = exchange && findScrape(exchange);
  return scrape && "reason" in scrape ? undefined : scrape;
}

/** Judges a scrape, when there is one. */
export function onScrape(exchange: Exchange, judge: (scrape: Scrape) => Judgement): Judgement {
  const scrape = findScrape(exchange);
  return "reason" in scrape ? nothingSeen(scrape.reason) : judge(scrape);
}

/** Folds a text for comparison: Unicode form NFKC, lower case, no soft hyphens. */
export function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u00ad\u200b-\u200d\u2060\ufeff]|&shy;|&#173;|&#xad;/g, "");
}

/** Pattern of an HTML document; single HTML elements are valid Markdown. */
const htmlDocument = /^\s*(<\?xml[^>]*>\s*)?(<!doctype\s+html|<html[\s>])/i;

/** Returns whether the Markdown is in fact an HTML document. */
export function isHtmlDocument({ markdown }: Scrape): boolean {
  return htmlDocument.test(markdown);
}

/** Text that every scrape of a page contains, if it is of that page. */
const ownWords: Partial<Record<PageName, string>> = {
  article: words.main.paragraph,
  product: words.product["description of the product"],
  almanac: entryWords[0] ?? "",
};

/** Judges the Markdown of a page. An HTML document, and Markdown of another page, are skipped here: each has its own check. */
export function onMarkdown(exchange: Exchange, judge: (scrape: Scrape) => Judgement): Judgement {
  const scrape = findMarkdown(exchange);
  return "reason" in scrape ? nothingSeen(scrape.reason) : judge(scrape);
}

/** Returns the scrape of an exchange, or the reason why its Markdown can't be compared with the page. */
export function findMarkdown(exchange: Exchange): Scrape | { readonly reason: string } {
  const scrape = findScrape(exchange);
  if ("reason" in scrape) return scrape;
  if (isHtmlDocument(scrape)) return { reason: "The response was an HTML document." };
  const page = findPage(exchange.id);
  const others = Object.entries(ownWords).filter(([name]) => name !== page);
  const isOther = !scrape.text.includes(ownWords[page ?? "article"] ?? "");
  if (isOther && others.some(([, word]) => scrape.text.includes(word)))
    return { reason: "The Markdown is of another page." };
  return scrape;
}

/** Words of the site, by what they are. */
export type Markers = Readonly<Record<string, string>>;

/** Judges that every one of the words is in the Markdown. */
export function judgePresent(scrape: Scrape, markers: Markers, requirement?: string): Judgement {
  return judgeWords(scrape, markers, true, requirement);
}

/** Judges that none of the words is in the Markdown. */
export function judgeAbsent(scrape: Scrape, markers: Markers): Judgement {
  return judgeWords(scrape, markers, false);
}

function judgeWords({ text }: Scrape, markers: Markers, isThere: boolean, requirement?: string): Judgement {
  return combine(
    Object.entries(markers).map(([what, word]) =>
      verdict(text.includes(word) === isThere, {
        requirement,
        where: "body /markdown",
        expected: isThere ? `the ${what} of the page (${word})` : `nothing of the ${what} of the page (${word})`,
        received: isThere ? "Markdown without it" : `Markdown with ${quoteAround(text, word)}`,
      }),
    ),
    "",
  );
}

/** Characters around a word that a finding quotes. */
const quoteWidth = 40;

/** Quotes a word with the text around it. */
export function quoteAround(text: string, word: string): string {
  const at = text.indexOf(word);
  return JSON.stringify(text.slice(Math.max(0, at - quoteWidth), at + word.length + quoteWidth));
}

/** Markers in the texts of the links of the article. */
export const linkTexts: Markers = Object.fromEntries(linkTextMarkers.map((word) => [`text of a link (${word})`, word]));

/** Markers in the addresses of the links of the article; their texts may stay where links are left out. */
export const linkAddresses: Markers = Object.fromEntries(
  Object.entries(linkMarkers).map(([what, word]) => [`address of the ${what}`, word]),
);

/** Markers of the two images of the article's content, which every definition of content images includes. */
export const contentImages: Markers = {
  "first picture": imageMarkers.content,
  "second picture": imageMarkers["second content"],
};

/** Kind of a picture of the site. */
export type SitePicture = keyof typeof pictureNames;

/** Returns the picture whose file an address names, on whatever server; undefined for another file. */
export function findPictureAt(address: unknown): SitePicture | undefined {
  const file = typeof address === "string" ? address.split(/[?#]/, 1)[0]?.split("/").at(-1) : undefined;
  return pictureKinds.find((kind) => pictureNames[kind] === file);
}

const foldedTexts: ReadonlyMap<string, string> = new Map(
  Object.entries(pictureTexts).map(([kind, text]) => [kind, foldText(text)]),
);

/** Returns the picture whose alternative text a text is, word for word; undefined for any other text. */
export function findPicture(text: unknown): SitePicture | undefined {
  const folded = typeof text === "string" ? foldText(text).trim() : "";
  return pictureKinds.find((kind) => foldedTexts.get(kind) === folded);
}

/** Paths of the pictures, seen from the folder of the pages. */
const picturePaths: ReadonlySet<string> = new Set(
  Object.values(pictureNames).map((name) => `/${pictureFolder}/${name}`),
);

/** Path of the icon that browsers request without a link. */
const commonFavicon = "/favicon.ico";

/** Target of a listed image's address. */
export type ImageAddress = "picture" | "elsewhere-on-the-site" | "off-the-site" | "none" | "no-address";

/**
 * Classifies an image's `url`, seen from the page. Copies of pictures that are kept elsewhere, data and markup are off the site; a text
 * that is neither is not an address.
 *
 * Source: interface § ImageData.
 */
export function classifyAddress(url: unknown, exchange: Exchange, pages: OpenedPages): ImageAddress {
  const page = pages.findAddress(findPage(exchange.id) ?? "article");
  if (typeof url !== "string" || url === "") return "none";
  if (/^\s*(data:|<svg[\s>])/i.test(url)) return "off-the-site";
  if (!/^(https?:\/\/|\/|[\w.%~-]+(\/|\.))[^\s<>"]*$/i.test(url)) return "no-address";
  const address = URL.parse(url, page);
  const { origin, pathname } = new URL(page);
  if (address?.origin !== origin) return "off-the-site";
  const folder = pathname.slice(0, pathname.lastIndexOf("/"));
  const inFolder = address.pathname.startsWith(folder) && picturePaths.has(address.pathname.slice(folder.length));
  return inFolder || address.pathname === commonFavicon ? "picture" : "elsewhere-on-the-site";
}

/** Returns an own property of an object. */
export function readMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Makes a check of scrapes, whatever is in their Markdown. */
export const makeScrapeCheck = (
  name: string,
  probes: readonly string[],
  judge: (scrape: Scrape, exchange: Exchange) => Judgement,
): Check => makeCheck(`page/${name}`, probes, (exchange) => onScrape(exchange, (scrape) => judge(scrape, exchange)));
