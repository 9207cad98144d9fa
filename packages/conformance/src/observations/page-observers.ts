import { readReplay } from "../checks/replay/replay-status.ts";
import { bodyBytes, type Exchange } from "../http/exchange.ts";
import { observeProbes, type Observer } from "../checks/observer.ts";
import { listedCookies } from "../checks/pages/cookie-checks.ts";
import { readMp4 } from "../checks/replay/recording/media/mp4.ts";
import { listMp4Ids, recordings } from "../checks/replay/recording/recording-ids.ts";
import { recordingReadProbe, findResponseTime } from "../checks/replay/recording/recording-probe.ts";
import { describeExtraction } from "../checks/circumstances/open-answers.ts";
import { describeCopy, copyIds } from "../checks/pages/image-copies.ts";
import { readMember, findScrape, type Scrape } from "../checks/pages/scrape.ts";
import { linkTextMarkers, markers } from "../site/pages/markers.ts";
import { pictureNames } from "../site/pages/pictures.ts";

type See = (exchange: Exchange) => readonly string[];

/** Observes the scrapes of some probes that succeeded. */
const observeScrapes = (
  id: string,
  probes: readonly string[],
  see: (scrape: Scrape, exchange: Exchange) => readonly string[],
): Observer =>
  observeProbes(id, probes, (exchange) => {
    const scrape = findScrape(exchange);
    return "reason" in scrape ? [] : see(scrape, exchange);
  });

/** Returns the line of the Markdown that has the text of a link, with the site's own words in it. */
function describePlaceholder({ markdown }: Scrape): string[] {
  const line = markdown.split("\n").find((one) => one.includes(linkTextMarkers[0]));
  return line === undefined ? ["the text of the link is gone, too"] : [quoteAround(line, linkTextMarkers[0])];
}

function quoteAround(line: string, word: string): string {
  const at = line.indexOf(word);
  return line.slice(Math.max(0, at - 30), at + word.length + 50);
}

/** Notations that distinguish dialects of Markdown. */
const notations: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["headings with #", /^#{1,6} /m],
  ["underlined headings", /^(=+|-{3,})\s*$/m],
  ["lists with -", /^\s*- /m],
  ["lists with *", /^\s*\* /m],
  ["tables with |", /^\|.*\|\s*$/m],
  ["fenced code", /^(```|~~~)/m],
  ["indented code", /^ {4}const /m],
  ["inline links", /\]\([^)]+\)/],
  ["reference links", /^\[[^\]]+\]:\s/m],
  ["HTML elements", /<(table|div|a|img|p)[\s>]/i],
  ["absolute addresses", /\]\(https?:/],
  ["relative addresses", /\]\((?!https?:|#)[^)\s]+\)/],
];

const kindsOfPictures: ReadonlyMap<string, string> = new Map(
  Object.entries(pictureNames).map(([kind, file]) => [file, kind]),
);

const describeFile = (image: Readonly<Record<string, unknown>>): string =>
  String(image["url"]).split("?", 1)[0]?.split("/").at(-1) ?? "";

/** Returns the category that each kind of image got. */
function listCategories({ images }: Scrape): string[] {
  return images.flatMap((image) => {
    const kind = kindsOfPictures.get(describeFile(image));
    return kind === undefined ? [] : [`${kind}: ${JSON.stringify(image["category"]) ?? "absent"}`];
  });
}

/** Parts of the article that are neither its main content for certain nor excluded by name. */
const partsOfArticle = {
  table: markers.table["cell of the table"],
  aside: markers.aside["text of the aside"],
  section: markers.chosen["paragraph of the section"],
};

/** Lists the images of a known page in the order in which they came. */
function describeOrder({ images }: Scrape): string[] {
  const kinds = images.flatMap((image) => kindsOfPictures.get(describeFile(image)) ?? []);
  return kinds.length === 0 ? [] : [kinds.join(", ")];
}

/** Returns the time from the answer until `expires_at`, in whole minutes. */
function describeExpiry(exchange: Exchange): string[] {
  const { expires_at: expires } = readReplay(exchange);
  const at = typeof expires === "string" ? Date.parse(expires) : Number.NaN;
  return Number.isNaN(at) ? [] : [`${Math.round((at - findResponseTime(exchange)) / 60_000)} minutes after the answer`];
}

function describeAddress(exchange: Exchange): string[] {
  const { mp4_url: mp4 } = readReplay(exchange);
  const url = typeof mp4 === "string" ? URL.parse(mp4) : null;
  if (!url) return [];
  const names = [...new Set(url.searchParams.keys())].sort();
  return [`${url.protocol.slice(0, -1)}, query: ${names.join(", ") || "none"}`];
}

/** Guesses the unit in which a cookie's expiry is counted: the page has set it to a week from now. */
function guessUnit(field: string): See {
  const week = 7 * 24 * 3600;
  return (exchange) =>
    (listedCookies(exchange) ?? []).flatMap((cookie) => {
      const value = readMember(cookie, field);
      if (typeof value !== "number" || !String(cookie["name"]).startsWith("berth_")) return [];
      const end = exchange.startedAt.getTime() / 1000 + week;
      const near = (want: number): boolean => Math.abs(value - want) < Math.max(3600, want * 1e-6);
      if (near(end)) return [`seconds since 1970${Number.isInteger(value) ? "" : ", with fractions"}`];
      if (Math.abs(value - end * 1000) < 3_600_000) return ["milliseconds since 1970"];
      return Math.abs(value - week) < 3600 ? ["seconds from now"] : ["another unit, or another end"];
    });
}

/** Reads of recordings: of the session that was given, and of one on the suite's own page. */
const replayReads = ["replay/read", recordingReadProbe.id];

/** Observers of the suite's own pages and their recordings. They never judge. */
export const pageObservers: readonly Observer[] = [
  observeProbes("open.scrape.selector-without-match", ["page/selector-without-match"], (exchange) => {
    const scrape = findScrape(exchange);
    if (!exchange.response) return [];
    if ("reason" in scrape) return [String(exchange.response.status)];
    const whole = scrape.text.includes(markers.content.heading);
    return [`200, ${whole ? "the whole page" : scrape.markdown.trim() === "" ? "empty" : "some Markdown"}`];
  }),
  observeScrapes("open.scrape.main-content-choice", ["page/main-content"], ({ text }) =>
    Object.entries(partsOfArticle).map(([part, word]) => `${part}: ${text.includes(word) ? "stays" : "goes"}`),
  ),
  observeScrapes("open.scrape.instructions-alone", ["page/instructions"], ({ structured }) => [
    describeExtraction(structured),
  ]),
  observeScrapes("open.scrape.markdown-with-structure", ["page/structured"], ({ text }) => [
    Object.values(markers.product).some((word) => text.includes(word)) ? "Markdown of the page" : "other Markdown",
  ]),
  observeProbes("open.image.copies", copyIds, describeCopy),
  observeScrapes("open.image.order", ["page/images-on"], describeOrder),
  observeScrapes("open.scrape.placeholder-form", ["page/placeholders"], describePlaceholder),
  observeScrapes("open.scrape.markdown-dialect", ["page/scrape"], ({ markdown }) =>
    notations.flatMap(([name, pattern]) => (pattern.test(markdown) ? [name] : [])),
  ),
  observeScrapes("open.image.category-choice", ["page/images-on", "page/only-images"], listCategories),
  observeScrapes(
    "open.structured.error-when-successful",
    ["page/structured", "page/structured-of-no-ship", "page/instructions"],
    ({ structured }, { id }) => [`${id.replace("page/", "")}: ${describeExtraction(structured)}`],
  ),
  observeProbes("open.cookies.expirationDate-unit", ["page/cookies"], guessUnit("expirationDate")),
  observeProbes("open.cookies.expires-unit", ["page/cookies"], guessUnit("expires")),
  observeProbes("open.replay.expires_at-in-past", replayReads, describeExpiry),
  observeProbes("open.replay.url-form", replayReads, describeAddress),
  observeProbes("open.replay.video_duration_ms-zero", replayReads, (exchange) => {
    const duration = readReplay(exchange)["video_duration_ms"];
    if (typeof duration !== "number") return [];
    return [`video_duration_ms is ${duration === 0 ? "zero" : duration < 0 ? "negative" : "positive"}`];
  }),
  observeProbes("open.replay.video_start_ms-origin", replayReads, (exchange) => {
    const start = readReplay(exchange)["video_start_ms"];
    return typeof start === "number" ? [String(start)] : [];
  }),
  observeProbes("open.replay.video_duration_ms-zero", recordings.flatMap(listMp4Ids), ({ response }) => {
    const durationMs = response?.status === 200 ? readMp4(bodyBytes(response)).durationMs : undefined;
    return durationMs === undefined ? [] : [`the MP4 lasts ${Math.round(durationMs)} ms`];
  }),
];
