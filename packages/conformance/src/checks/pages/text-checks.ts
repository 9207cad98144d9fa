import { combine, notAbout, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import { isObject } from "../../http/json.ts";
import { paragraphsIn, type Paragraph } from "../../site/pages/paragraphs.ts";
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

/** Returns whether something of every paragraph is there, in their order. */
function isWhole(all: readonly Paragraph[], { text }: Scraped): boolean {
  let at = 0;
  return all.every(({ word }) => {
    at = text.indexOf(word, at);
    return at >= 0;
  });
}

/** Judges the paragraphs of which something is there: one that is missing altogether is the matter of other checks. */
function onParagraphs(
  exchange: Exchange,
  { pages }: Target,
  judge: (paragraph: Paragraph, text: string) => Judgement,
): Judgement {
  const page = pageOf(exchange.id);
  if (!pages || page === undefined) return nothingSeen("No page is known.");
  if (!asksForText(exchange)) return notAbout("The request asks for something else than the text of the page.");
  return onMarkdown(exchange, (seen) => {
    const text = renderedText(seen);
    const all = paragraphsIn(pages.sourceOf(page));
    const there = all.filter(({ word }) => seen.text.includes(word));
    if (page === "almanac" && !isWhole(all, seen))
      return nothingSeen("Paragraphs of the long page are missing, or in another order; another check reports that.");
    return combine(
      there.map((paragraph) => judge(paragraph, text)),
      "No paragraph of the page is there.",
    );
  });
}

/** The first place at which a text differs from a paragraph, in words of that. */
function differenceFrom({ text: wanted, word }: Paragraph, text: string): string {
  const sentences = wanted.match(/[^.:,]+[.:,]?/g) ?? [wanted];
  const lost = sentences.map((one) => one.trim()).find((one) => one !== "" && !text.includes(one));
  return lost === undefined
    ? `the paragraph with ${word} in another order`
    : `Markdown without ${JSON.stringify(lost)}`;
}

function judgeVerbatim(paragraph: Paragraph, text: string): Judgement {
  return verdict(text.includes(normalizedText(paragraph.text)), {
    requirement: meaning,
    where: "body /markdown",
    expected: `the paragraph with ${paragraph.word} as it stands on the page`,
    received: differenceFrom(paragraph, text),
  });
}

function judgeOnce(paragraph: Paragraph, text: string): Judgement {
  const times = text.split(normalizedText(paragraph.text)).length - 1;
  return verdict(times <= 1, {
    requirement: alone,
    where: "body /markdown",
    expected: `the paragraph with ${paragraph.word} once, as on the page`,
    received: `it ${times} times`,
  });
}

/** Checks of the text of paragraphs, in every scrape of a known page. Source: interface § DataSpace. */
export const textChecks: readonly Check[] = [
  {
    ...base,
    level: "stated",
    id: "page/markdown-keeps-text",
    title: "Paragraphs of the page are in the Markdown word for word.",
    requirements: [meaning],
    appliesTo: asksForText,
    judge: (exchange, target) => onParagraphs(exchange, target, judgeVerbatim),
  },
  {
    ...base,
    level: "assumed",
    id: "page/markdown-has-nothing-twice",
    title: "A paragraph that is on the page once is in the Markdown once.",
    requirements: [alone],
    appliesTo: asksForText,
    judge: (exchange, target) => onParagraphs(exchange, target, judgeOnce),
  },
];
