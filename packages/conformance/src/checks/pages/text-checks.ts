import { combine, notAbout, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { isObject } from "../../http/json.ts";
import { entryWords } from "../../site/pages/almanac.ts";
import { textsIn, type PageText } from "../../site/pages/texts.ts";
import type { Target } from "../../target/target.ts";
import { markdownBlocks } from "./markdown-blocks.ts";
import { normalizedText } from "./normalized-text.ts";
import { pageOf, pageScrapeProbes } from "./page-probes.ts";
import { onMarkdown, type Scraped } from "./scraped.ts";

const base = { operation: "page_scrape", needs: [], probes: pageScrapeProbes.map(({ id }) => id) } as const;
const meaning = "scrape.response.markdown.meaning";
const alone = "scrape.markdown-of-page-alone";

/** The text of the Markdown as it is rendered: markup, escapes and line ends are resolved. */
function renderedText({ markdown }: Scraped): string {
  const blocks = markdownBlocks(markdown)?.map(({ kind, text }) =>
    kind === "html" ? text.replace(/<[^>]*>/g, " ") : text,
  );
  return normalizedText(blocks?.join(" ") ?? markdown);
}

/** Returns whether a scrape of a known page asks for its text as it is: neither for data, nor for changes by instructions. */
function asksForText({ id, operation, plan }: Exchange): boolean {
  if (operation !== "page_scrape" || pageOf(id) === undefined) return false;
  const options: unknown = JSON.parse(plan.body ?? "{}");
  if (!isObject(options)) return false;
  const { response_format: format = null, instructions = null, only_images: only = false } = options;
  return format === null && instructions === null && only === false;
}

/** Returns whether something of every entry of the long page is there, in their order. */
function isWhole({ text }: Scraped): boolean {
  let at = 0;
  return entryWords.every((word) => {
    at = text.indexOf(word, at);
    return at >= 0;
  });
}

/** Judges the texts of which something is there: one that is missing altogether is the matter of other checks. */
function onTexts(exchange: Exchange, { pages }: Target, judge: (one: PageText, text: string) => Judgement): Judgement {
  const page = pageOf(exchange.id);
  if (!pages || page === undefined) return nothingSeen("No page is known.");
  if (!asksForText(exchange)) return notAbout("The request asks for something else than the text of the page.");
  return onMarkdown(exchange, (seen) => {
    const text = renderedText(seen);
    const there = textsIn(pages.sourceOf(page)).filter(({ word }) => seen.text.includes(word));
    if (page === "almanac" && !isWhole(seen))
      return nothingSeen("Paragraphs of the long page are missing, or in another order; another check reports that.");
    return combine(
      there.map((one) => judge(one, text)),
      "No text of the page is there.",
    );
  });
}

/** The first place at which a Markdown differs from a text of the page, in words of that. */
function differenceFrom({ text: wanted, word }: PageText, text: string): string {
  const sentences = wanted.match(/[^.:,]+[.:,]?/g) ?? [wanted];
  const lost = sentences.map((one) => one.trim()).find((one) => one !== "" && !text.includes(one));
  return lost === undefined ? `the text with ${word} in another order` : `Markdown without ${JSON.stringify(lost)}`;
}

/** How texts are compared: headings may be in capitals, as a dialect of Markdown has them. */
const comparable = ({ tag }: PageText, text: string): string => (/^(h\d|th)$/.test(tag) ? text.toLowerCase() : text);

function judgeVerbatim(one: PageText, text: string): Judgement {
  return verdict(comparable(one, text).includes(comparable(one, normalizedText(one.text))), {
    requirement: meaning,
    where: "body /markdown",
    expected: `the text with ${one.word} as it stands on the page`,
    received: differenceFrom(one, text),
  });
}

/** Judges that a paragraph is not repeated. A heading may be, in a table of contents. */
function judgeOnce({ tag, word, text: wanted }: PageText, text: string): Judgement {
  if (tag !== "p") return nothingSeen("It may be in a table of contents, too.");
  const times = text.split(normalizedText(wanted)).length - 1;
  return verdict(times <= 1, {
    requirement: alone,
    where: "body /markdown",
    expected: `the paragraph with ${word} once, as on the page`,
    received: `it ${times} times`,
  });
}

/** Checks of the texts of the page, in every scrape of a known page. Source: interface § DataSpace. */
export const textChecks: readonly Check[] = [
  {
    ...base,
    level: "stated",
    id: "page/markdown-keeps-text",
    title: "Paragraphs, headings, items, cells and code of the page are in the Markdown word for word.",
    requirements: [meaning],
    appliesTo: asksForText,
    judge: (exchange, target) => onTexts(exchange, target, judgeVerbatim),
  },
  {
    ...base,
    level: "assumed",
    id: "page/markdown-has-nothing-twice",
    title: "A paragraph that is on the page once is in the Markdown once.",
    requirements: [alone],
    appliesTo: asksForText,
    judge: (exchange, target) => onTexts(exchange, target, judgeOnce),
  },
];
