import { readSentOptions } from "../scrape/sent-options.ts";
import { combine, notAbout, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { entryWords } from "../../site/pages/almanac.ts";
import { textsIn, type PageText } from "../../site/pages/texts.ts";
import type { PageName } from "../../target/opened-pages.ts";
import type { Target } from "../../target/target.ts";
import { findBlocks } from "./markdown-blocks.ts";
import { normalizeText, findFirstFrom, findWords, countTimes, type SearchableText } from "./word-places.ts";
import { findPage, pageScrapeProbes } from "./page-probes.ts";
import { findMarkdown, type Scrape } from "./scrape.ts";
import { makeCheck } from "../make-check.ts";

const scrapeIds = pageScrapeProbes.map(({ id }) => id);

/** Returns the text of the Markdown as it is rendered: markup, escapes and line ends are resolved. */
function renderText(scrape: Scrape): string {
  const blocks = findBlocks(scrape)?.map(({ kind, text }) => (kind === "html" ? text.replace(/<[^>]*>/g, " ") : text));
  return normalizeText(blocks?.join(" ") ?? scrape.markdown);
}

/** Returns whether a scrape of a known page asks for its unchanged text: neither for data, nor for changes by instructions. */
function asksForText(exchange: Exchange): boolean {
  if (exchange.operation !== "page_scrape" || findPage(exchange.id) === undefined) return false;
  const options = readSentOptions(exchange);
  if (!options) return false;
  const { response_format: format = null, instructions = null, only_images: only = false } = options;
  return format === null && instructions === null && only === false;
}

/** Returns whether some part of every entry of the long page is present, in their order. */
function isWhole(words: SearchableText): boolean {
  let at = 0;
  return entryWords.every((word) => {
    const next = findFirstFrom(at, words, word);
    at = next ?? at;
    return next !== undefined;
  });
}

/** Judgements of both checks on one scrape. */
interface TextJudgements {
  readonly verbatim: Judgement;
  readonly once: Judgement;
}

/** Cache, since both checks search the Markdown for the same texts. */
const cache = new WeakMap<Exchange, TextJudgements>();

/** Judges the texts of which a part is present: other checks judge one that is missing altogether. */
function judgeTexts(exchange: Exchange, { pages }: Target): TextJudgements {
  const earlier = cache.get(exchange);
  if (earlier) return earlier;
  const page = findPage(exchange.id);
  if (!pages || page === undefined) return judgeBothAs(nothingSeen("No page is known."));
  if (!asksForText(exchange))
    return judgeBothAs(notAbout("The request asks for something else than the text of the page."));
  const scrape = findMarkdown(exchange);
  if ("reason" in scrape) return judgeBothAs(nothingSeen(scrape.reason));
  const judgements = judgeMarkdown(scrape, page, pages.readSource(page));
  cache.set(exchange, judgements);
  return judgements;
}

const judgeBothAs = (judgement: Judgement): TextJudgements => ({ verbatim: judgement, once: judgement });

function judgeMarkdown(scrape: Scrape, page: PageName, source: string): TextJudgements {
  const words = findWords(scrape.text);
  if (page === "almanac" && !isWhole(words)) {
    return judgeBothAs(
      nothingSeen("Paragraphs of the long page are missing, or in another order; another check reports that."),
    );
  }
  const there = textsIn(source).filter(({ word }) => words.places.has(word));
  const text = renderText(scrape);
  const asWritten = findWords(text);
  const inSmallLetters = findWords(text.toLowerCase());
  const judgements = there.map((one) => {
    const ownText = normalizeText(one.text);
    // Headings may be in capitals, as a dialect of Markdown has them.
    const times = isHeading(one)
      ? countTimes(ownText.toLowerCase(), one.word, inSmallLetters)
      : countTimes(ownText, one.word, asWritten);
    return { one, times };
  });
  const reason = "No text of the page is there.";
  return {
    verbatim: combine(
      judgements.map(({ one, times }) => judgeVerbatim(one, times, text)),
      reason,
    ),
    once: combine(
      judgements.map(({ one, times }) => judgeOnce(one, times)),
      reason,
    ),
  };
}

const isHeading = ({ tag }: PageText): boolean => /^(h\d|th)$/.test(tag);

/** Returns the first place at which a Markdown differs from a text of the page, in the words of that text. */
function describeDifference({ text: ownText, word }: PageText, text: string): string {
  const sentences = ownText.match(/[^.:,]+[.:,]?/g) ?? [ownText];
  const sentence = sentences.map((one) => one.trim()).find((one) => one !== "" && !text.includes(one));
  return sentence === undefined
    ? `the text with ${word} in another order`
    : `Markdown without ${JSON.stringify(sentence)}`;
}

function judgeVerbatim(one: PageText, times: number, text: string): Judgement {
  return verdict(times > 0, () => ({
    where: "body /markdown",
    expected: `the text with ${one.word} as it stands on the page`,
    received: describeDifference(one, text),
  }));
}

/** Judges that a paragraph is not repeated. A heading may be, in a table of contents. */
function judgeOnce({ tag, word }: PageText, times: number): Judgement {
  if (tag !== "p") return nothingSeen("It may be in a table of contents, too.");
  return verdict(times <= 1, {
    where: "body /markdown",
    expected: `the paragraph with ${word} once, as on the page`,
    received: `it ${times} times`,
  });
}

/** Makes one of the two checks of texts. */
const makeTextCheck = (name: string, which: keyof TextJudgements): Check =>
  makeCheck(`page/markdown-${name}`, scrapeIds, (exchange, target) => judgeTexts(exchange, target)[which], {
    appliesTo: asksForText,
  });

/** Checks of the texts of the page, in every scrape of a known page. Source: interface § DataSpace. */
export const textChecks: readonly Check[] = [
  makeTextCheck("keeps-text", "verbatim"),
  makeTextCheck("has-nothing-twice", "once"),
];
