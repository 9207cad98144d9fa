import { notAbout, nothingSeen, verdict, type Judgement, type Exchanges, combine } from "../check.ts";
import { bodyBytes, findRedirect, type Exchange } from "../../http/exchange.ts";
import { pictureKinds, pictureNames, pictures } from "../../site/pages/pictures.ts";
import type { Target } from "../../target/target.ts";
import { followDownload, listHops, parseWebAddress, type Download, isForDocumentation } from "../follow-download.ts";
import {
  classifyAddress,
  type SitePicture,
  contentImages,
  findPicture,
  type ImageAddress,
  type Scrape,
  findScrapeIn,
} from "./scrape.ts";

/**
 * Finding about an address that is not the page's own.
 *
 * - a picture of the page: the same bytes are there.
 * - `image`: an image is there, in other bytes; it may be the same one in another coding or size.
 * - `unreached`: its host can't be reached from here.
 * - `nothing`: no image is there.
 */
export type Copy = SitePicture | "image" | "unreached" | "nothing";

/** Scrapes whose images are looked at. */
export const askingForImages = ["page/images-on", "page/only-images", "page/only-images-asked"];

/** Maximum number of addresses of one scrape that are downloaded. */
const copiesOfScrape = 8;

const firstIds = Array.from(
  { length: askingForImages.length * copiesOfScrape },
  (_, at) => `page/image-copy-${at + 1}`,
);

/** Ids of the exchanges that download images from other addresses than the page's own. */
export const copyIds: readonly string[] = firstIds.flatMap(listHops);

/** Returns an address without the parts that a presigned one has anew in each answer. */
function formatPlace(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : address;
}

/** Returns the address of an image elsewhere than on the site; undefined for any other, and for one that is written out as data. */
function findElsewhere(url: unknown, exchange: Exchange, { pages }: Target): string | undefined {
  if (!pages || classifyAddress(url, exchange, pages) !== "off-the-site") return undefined;
  return parseWebAddress(URL.parse(String(url), pages.findAddress("article"))?.href ?? "");
}

const leadsNowhere = (address: string, { baseUrl }: Target): boolean =>
  isForDocumentation(address) && URL.parse(address)?.host !== URL.parse(baseUrl)?.host;

/**
 * Downloads images that the answers list at addresses elsewhere than on the page's site: some of each answer, each once, without
 * credentials. A host that can't be reached is asked once. Source: interface § DataSpace.
 */
export async function downloadCopies(
  exchanges: ReadonlyMap<string, Exchange>,
  target: Target,
  send: Download["send"],
): Promise<void> {
  const places = new Set<string>();
  const dead = new Set<string>();
  const addresses = askingForImages.flatMap((id) => {
    const exchange = exchanges.get(id);
    const scrape = findScrapeIn(exchanges, id);
    if (!exchange || !scrape) return [];
    const urls = scrape.images.flatMap(({ url }) => findElsewhere(url, exchange, target) ?? []);
    const fresh = urls.filter((address) => !places.has(formatPlace(address)) && places.add(formatPlace(address)));
    return fresh.filter((address) => !leadsNowhere(address, target)).slice(0, copiesOfScrape);
  });
  for (const [at, address] of addresses.entries()) {
    const { origin } = new URL(address);
    if (dead.has(origin)) continue;
    const id = firstIds[at] ?? "";
    const received = await followDownload({ id, operation: "page_scrape", address, send });
    if (received === undefined) dead.add(origin);
  }
}

const pictureBytes: readonly (readonly [SitePicture, Buffer])[] = pictureKinds.map((kind) => [
  kind,
  Buffer.from(pictures.get(pictureNames[kind])?.body ?? ""),
]);

/** First bytes of formats of images, in hexadecimal: PNG, JPEG, GIF, WebP, AVIF and HEIC, BMP, ICO and JPEG XL. */
const formats =
  /^(?:89504e470d0a|ffd8ff|47494638|52494646.{8}57454250|.{8}66747970(?:617669|686569|6d6966|6d7366)|424d|00000100|ff0a|0000000c4a584c20)/;

const svg = /^(?:\uFEFF)?\s*(?:<\?xml[^>]*>|<!--[^]*?-->|<!DOCTYPE svg[^>]*>|\s)*<svg[\s>]/i;

/** Identifies bytes: a picture of the page, another image, or none. */
function identifyCopy(bytes: Uint8Array): Copy {
  const picture = pictureBytes.find(([, content]) => content.equals(bytes));
  if (picture) return picture[0];
  const start = Buffer.from(bytes.subarray(0, 1024));
  return formats.test(start.toString("hex")) || svg.test(start.toString()) ? "image" : "nothing";
}

/** Statuses that mean that nothing is at an address: others may be a refusal of the suite, or temporary. */
const absent: ReadonlySet<number> = new Set([400, 404, 405, 410]);

function identifyAt({ response }: Exchange): Copy {
  if (!response || response.end !== "complete") return "unreached";
  if (response.status === 200 || response.status === 206) return identifyCopy(bodyBytes(response));
  return absent.has(response.status) ? "nothing" : "unreached";
}

/** Returns what is known of the addresses that were downloaded, by their places. */
function listCopies(run: Exchanges): ReadonlyMap<string, Copy> {
  return new Map(
    firstIds.flatMap((id): [string, Copy][] => {
      const downloads = listHops(id).flatMap((hop) => run?.get(hop) ?? []);
      const [first, last] = [downloads[0], downloads.at(-1)];
      return first && last ? [[formatPlace(first.url), identifyAt(last)]] : [];
    }),
  );
}

/** Returns the bytes that a data URL or a markup holds; undefined for any other text. */
function readInlineBytes(url: string): Uint8Array | undefined {
  if (/^\s*<svg[\s>]/i.test(url)) return Buffer.from(url);
  const [, parameters, data] = /^\s*data:([^,]*),([^]*)$/i.exec(url) ?? [];
  if (parameters === undefined || data === undefined) return undefined;
  if (/;\s*base64\s*$/i.test(parameters)) return Buffer.from(data, "base64");
  try {
    return Buffer.from(decodeURIComponent(data));
  } catch {
    return Buffer.from(data);
  }
}

/** Returns the identity of an address elsewhere: a presigned one differs in each answer. */
const identify = (url: string): string => (readInlineBytes(url) ? url : formatPlace(url));

/** Returns what is at an address that is not the page's own. */
export type FindCopy = (url: unknown) => Copy;

/**
 * Makes a function that returns what the `url` of an image leads to, as far as the run shows it.
 *
 * @param run - Undefined: as far as the address itself shows it.
 */
export function makeFindCopy(exchange: Exchange, target: Target, run: Exchanges): FindCopy {
  const copies = listCopies(run);
  return (url) => {
    if (typeof url !== "string") return "unreached";
    const bytes = readInlineBytes(url);
    if (bytes) return identifyCopy(bytes);
    const address = findElsewhere(url, exchange, target);
    if (address === undefined) return "unreached";
    if (leadsNowhere(address, target)) return "nothing";
    return copies.get(formatPlace(address)) ?? "unreached";
  };
}

/** Judges that the download of an image is an image. The check of the list that names it judges which one. */
export function judgeCopy(exchange: Exchange): Judgement {
  const next = findRedirect(exchange);
  if (next !== undefined) return notAbout("The response is a redirect.");
  const copy = identifyAt(exchange);
  if (copy === "unreached") return nothingSeen("What the address of an image leads to could not be seen from here.");
  const { status = 0 } = exchange.response ?? {};
  const isFile = status === 200 || status === 206;
  return verdict(copy !== "nothing", {
    where: isFile ? "body" : "status",
    expected: "the image that was listed with this address",
    received: isFile ? "something that is not an image" : String(status),
  });
}

/** Describes in words what was found at the address of an image elsewhere; nothing for a redirect. */
export function describeCopy(exchange: Exchange): string[] {
  if (findRedirect(exchange) !== undefined) return [];
  const copy = identifyAt(exchange);
  const status = exchange.response?.status ?? exchange.failure?.code ?? "no response";
  if (copy === "unreached") return [`not to be seen from here: ${status}`];
  if (copy === "image") return ["an image in other bytes than those of the page"];
  return [copy === "nothing" ? `no image: ${status}` : "the image of the page, byte by byte"];
}

/** An entry of a list of images, and what its address leads to. */
interface Entry {
  readonly url: unknown;
  readonly description: unknown;
  readonly kind: ImageAddress;
  readonly copy: ReturnType<FindCopy>;
}

/** The pictures of the article's content, with the words of their names. */
const contentPictures: readonly (readonly [SitePicture, what: string, word: string])[] = [
  ["content", "first picture", contentImages["first picture"] ?? ""],
  ["second content", "second picture", contentImages["second picture"] ?? ""],
];

/** Returns whether an entry is of a picture: by its name, by the bytes at its address, or by its description. */
function showsPicture(entry: Entry, picture: SitePicture, word: string): boolean {
  const { url, description, copy } = entry;
  if (typeof url === "string" && url.toLowerCase().includes(word)) return true;
  return copy === picture || (mayBeAny(entry) && findPicture(description) === picture);
}

/** Returns whether only its description shows what an entry is of. */
const mayBeAny = ({ kind, copy }: Entry): boolean =>
  kind === "none" || (kind === "off-the-site" && (copy === "image" || copy === "unreached"));

/** Counts the entries that may be of any picture, each address once. */
function countOpen(entries: readonly Entry[]): number {
  // An image without an address may be any one, unless others of the page have theirs.
  const isNamed = entries.some(({ kind }) => kind === "picture");
  const open = entries.filter(
    (entry) => mayBeAny(entry) && findPicture(entry.description) === undefined && (entry.kind !== "none" || !isNamed),
  );
  const different = new Set(open.map(({ url }, at) => (typeof url === "string" && url !== "" ? identify(url) : at)));
  // What is no address at all, or leads to no image, is reported by the check of addresses.
  return different.size + entries.filter(({ kind, copy }) => kind === "no-address" || copy === "nothing").length;
}

/**
 * Judges that both content images are listed. Where there are entries that can't be compared with them, such as copies in another
 * coding, and they are as many as are missing, nothing is shown.
 *
 * @param inText - True when the Markdown may have them as well.
 */
export function judgeListed(
  exchange: Exchange,
  scrape: Scrape,
  target: Target,
  { inText, run }: ListedRule,
): Judgement {
  const { pages } = target;
  if (!pages) return nothingSeen("No page is known.");
  const findCopy = makeFindCopy(exchange, target, run);
  const entries = scrape.images.map(({ url, description }): Entry => {
    return { url, description, kind: classifyAddress(url, exchange, pages), copy: findCopy(url) };
  });
  const missing = contentPictures.filter(
    ([picture, , word]) =>
      !entries.some((entry) => showsPicture(entry, picture, word)) && !(inText && scrape.text.includes(word)),
  );
  if (missing.length > 0 && countOpen(entries) >= missing.length)
    return nothingSeen("Nothing shows whether the images are those of the page: they have other addresses, or none.");
  return combine(
    contentPictures.map((row) => {
      const [, what, word] = row;
      return verdict(!missing.includes(row), {
        where: "body /images",
        expected: `the ${what} of the page (${word})`,
        received: `a list of ${scrape.images.length} without it`,
      });
    }),
    "",
  );
}

/** Options of judging a list of images. */
export interface ListedRule {
  /** True when the Markdown may have the images as well. */
  readonly inText: boolean;
  /** The other exchanges of the run; among them what was downloaded. */
  readonly run: Exchanges;
}
