import { combine, nothingSeen, verdict, type Check, type Judgement } from "../check.ts";
import type { Exchange } from "../../http/exchange.ts";
import type { PageName } from "../../target/opened-pages.ts";
import { linkTextMarkers, markers } from "../../site/pages/markers.ts";
import { findBlocks, type MarkdownBlock } from "./markdown-blocks.ts";
import { findPage } from "./page-probes.ts";
import { foldText, isHtmlDocument, onMarkdown, onScrape, quoteAround, type Scrape } from "./scrape.ts";
import { makeCheck } from "../make-check.ts";

/** Judges the blocks of a scrape's Markdown. */
function onBlocks(
  exchange: Exchange,
  on: typeof onScrape,
  judge: (blocks: readonly MarkdownBlock[], scrape: Scrape) => Judgement,
): Judgement {
  return on(exchange, (scrape) => {
    const blocks = findBlocks(scrape);
    if (!blocks) return nothingSeen("The Markdown is longer than the suite parses.");
    return judge(blocks, scrape);
  });
}

/** Pattern of HTML tags that are visible in the rendered text, because they were escaped or quoted. */
const shownTag = /<\/?(p|div|span|section|article|main|h[1-6]|ul|ol|li|br)(\s[^<>]*)?\/?>/i;

/** Markers of paragraphs: the Markdown dialect is left open, but a paragraph has to be text. */
const paragraphs: Partial<Record<PageName, readonly string[]>> = {
  article: Object.values(markers.main),
  product: [markers.product["description of the product"]],
  almanac: [markers.after["sentence that has changed"]],
};

function judgeIsMarkdown(exchange: Exchange): Judgement {
  const where = "body /markdown";
  return onBlocks(exchange, onScrape, (blocks, scrape) => {
    if (isHtmlDocument(scrape)) return verdict(false, { where, expected: "Markdown", received: "an HTML document" });
    const words = paragraphs[findPage(exchange.id) ?? "article"] ?? [];
    return combine(
      words.flatMap((word) => {
        const matches = blocks.filter(({ text }) => foldText(text).includes(word));
        const wrong = matches.find(({ kind, text }) => kind === "html" || kind === "code" || shownTag.test(text));
        if (matches.length === 0) return [];
        const isText = matches.length > (wrong === undefined ? 0 : 1);
        const received = wrong?.kind === "code" ? "a block of code" : "HTML";
        return verdict(isText, { where, expected: `the paragraph with ${word} as text of Markdown`, received });
      }),
      "No paragraph of the page is there.",
    );
  });
}

const { content, table, chosen } = markers;

/** Words of the main part of the article, in the order of the page. */
const inOrder: readonly string[] = [
  content.heading,
  content.paragraph,
  content["second sentence of a paragraph"],
  content["second paragraph"],
  content.subheading,
  content["list item"],
  content["nested list item"],
  content["second list item"],
  content["item of a numbered list"],
  content["second item of a numbered list"],
  content.quotation,
  content["code block"],
  table["header of the table"],
  table["cell of the table"],
  table["second cell of the table"],
  chosen["heading of the section"],
  chosen["paragraph of the section"],
  ...linkTextMarkers,
];

/** Judges the order of the content. A table of contents may repeat words, so each is searched after the one before it. */
function judgeOrder({ text }: Scrape): Judgement {
  let at = 0;
  let before = "";
  for (const word of inOrder) {
    if (!text.includes(word)) continue;
    const next = text.indexOf(word, at);
    if (next < 0) {
      return verdict(false, {
        where: "body /markdown",
        expected: `the content in the order of the page: ${word} after ${before}`,
        received: `it before, in ${quoteAround(text, word)}`,
      });
    }
    at = next;
    before = word;
  }
  return before === "" ? nothingSeen("No word of the page is there.") : { assertions: 1, findings: [] };
}

/** Kinds of markup in the article, with the HTML tags that express the same. */
const markup: readonly (readonly [
  what: string,
  words: readonly string[],
  is: (block: MarkdownBlock) => boolean,
  tag: RegExp,
])[] = [
  ["a heading", [content.heading, content.subheading], ({ kind }) => kind === "heading", /<h[1-6][\s>]/i],
  [
    "an item of a list",
    [
      content["list item"],
      content["nested list item"],
      content["second list item"],
      content["item of a numbered list"],
      content["second item of a numbered list"],
    ],
    ({ listDepth }) => listDepth > 0,
    /<li[\s>]/i,
  ],
];

function judgeStructure(blocks: readonly MarkdownBlock[]): Judgement {
  const judgements = markup.flatMap(([what, words, is, tag]) =>
    words.flatMap((word) => {
      const matches = blocks.filter(({ text }) => foldText(text).includes(word));
      if (matches.length === 0) return [];
      const holds = matches.some((block) => is(block) || (block.kind === "html" && tag.test(block.text)));
      const received = `${matches[0]?.kind ?? "text"} outside of one`;
      return verdict(holds, { where: "body /markdown", expected: `${word} in ${what}, as on the page`, received });
    }),
  );
  return combine(judgements, "No heading and no item of a list is there.");
}

/** Minimum number of words, of four letters or more, of a block that is judged: shorter ones may be labels. */
const minWords = 6;

/** Minimum share of its words that the page must have, for the block to count as content of the page. */
const knownShare = 0.5;

function listWords(text: string): string[] {
  return foldText(text).match(/\p{L}[\p{L}\p{M}]{3,}/gu) ?? [];
}

function judgeNothingElse(blocks: readonly MarkdownBlock[], source: string): Judgement {
  const pageWords = new Set(listWords(source));
  const judgements = blocks.flatMap(({ text }) => {
    const words = listWords(text.replace(/https?:\S+/g, ""));
    if (words.length < minWords) return [];
    const share = words.filter((word) => pageWords.has(word)).length / words.length;
    return verdict(share >= knownShare, {
      where: "body /markdown",
      expected: "nothing but what the page says",
      received: JSON.stringify(text),
    });
  });
  return combine(judgements, "No sentence is there.");
}

const wholeIds = ["page/scrape", "page/scrape-product", "page/almanac"];
const aloneIds = ["page/scrape", "page/scrape-product", "page/main-content", "page/almanac"];

/** Checks of the form of the Markdown, parsed by a library. How headings, links and tables are written is left open. */
export const markdownChecks: readonly Check[] = [
  makeCheck("page/markdown-is-no-html-document", wholeIds, judgeIsMarkdown),
  makeCheck("page/markdown-keeps-order", ["page/scrape", "page/main-content"], (exchange) =>
    onMarkdown(exchange, judgeOrder),
  ),
  makeCheck("page/markdown-keeps-structure", ["page/scrape"], (exchange) =>
    onBlocks(exchange, onMarkdown, judgeStructure),
  ),
  makeCheck("page/markdown-has-nothing-else", aloneIds, (exchange, { pages }) =>
    onBlocks(exchange, onMarkdown, (blocks) =>
      judgeNothingElse(blocks, pages?.readSource(findPage(exchange.id) ?? "article") ?? ""),
    ),
  ),
];
