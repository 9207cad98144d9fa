import { parseHTML } from "linkedom";
import { markdownOf } from "../../src/in-page/markdown/markdown.ts";
import type { MarkdownSettings } from "../../src/in-page/markdown/markdown-settings.ts";

/** What a fragment of HTML is, what it becomes, and how, where that is not as usual. */
export type MarkdownCase = readonly [
  sentence: string,
  html: string,
  markdown: string,
  settings?: Partial<MarkdownSettings>,
];

const usual: MarkdownSettings = {
  links: true,
  images: true,
  placeholders: false,
  collapsed: true,
  maxCharacters: 10_000_000,
};

/** The Markdown of a fragment of HTML. */
export function convert(html: string, settings: Partial<MarkdownSettings> = {}): string {
  return markdownOf(bodyWith(html), { ...usual, ...settings }).markdown;
}

/** A body with a fragment of HTML in it. */
export function bodyWith(html: string): Element {
  return parseHTML(`<!doctype html><html><head></head><body>${html}</body></html>`).document.body;
}
