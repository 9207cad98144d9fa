import MarkdownIt, { type Token } from "markdown-it";
import type { Scrape } from "./scrape.ts";

/** One block of a Markdown document: a list item, a table cell, a paragraph, a piece of HTML. */
export interface MarkdownBlock {
  /** Kind of block. `text` is a paragraph; `html` and `code` hold their source. */
  readonly kind: "heading" | "text" | "cell" | "code" | "html";
  /** Its rendered text: escapes are resolved, markup and addresses are removed. */
  readonly text: string;
  /** Depth of nested list items that contain it. */
  readonly listDepth: number;
}

/** Maximum length of Markdown that is parsed, in characters; a longer one is judged by its text alone. */
const parsedLength = 1024 * 1024;

/** Maximum number of blocks of one scrape that are kept: those of a page that consists of millions are parsed again. */
const keptBlocks = 10_000;

/** Cache, since several checks judge the same scrape. */
const cache = new WeakMap<Scrape, readonly MarkdownBlock[]>();

const parser = new MarkdownIt({ html: true });

/**
 * Parses the Markdown of a scrape (CommonMark with tables) into its blocks, in their order.
 *
 * @returns undefined when it is too long to be parsed.
 */
export function findBlocks(scrape: Scrape): readonly MarkdownBlock[] | undefined {
  if (scrape.markdown.length > parsedLength) return undefined;
  const blocks = cache.get(scrape) ?? parseBlocks(scrape.markdown);
  if (blocks.length <= keptBlocks) cache.set(scrape, blocks);
  return blocks;
}

function parseBlocks(markdown: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  const open: string[] = [];
  for (const token of parser.parse(markdown, {})) {
    if (token.nesting === 1) open.push(token.type);
    if (token.nesting === -1) open.pop();
    const kind = findKind(token, open.at(-1));
    if (kind === undefined) continue;
    const text = token.type === "inline" ? formatText(token.children ?? []) : token.content;
    blocks.push({ kind, text, listDepth: open.filter((type) => type === "list_item_open").length });
  }
  return blocks;
}

function findKind({ type }: Token, within: string | undefined): MarkdownBlock["kind"] | undefined {
  if (type === "html_block") return "html";
  if (type === "fence" || type === "code_block") return "code";
  if (type !== "inline") return undefined;
  if (within === "heading_open") return "heading";
  return within === "td_open" || within === "th_open" ? "cell" : "text";
}

function formatText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "softbreak" || token.type === "hardbreak") return " ";
      if (token.type === "image") return formatText(token.children ?? []);
      return token.type === "html_inline" ? "" : token.content;
    })
    .join("");
}
