/** Returns what the options of a scrape leave of a page whose Markdown has headings, paragraphs and inline links. */

const link = /\[([^\]]*)\]\(([^)]*)\)/g;

/** Parts of the page that a selector may name, as far as it has them; any other selector is taken for one of the whole. */
const parts: Readonly<Record<string, (markdown: string) => string>> = {
  a: (markdown) => [...markdown.matchAll(link)].map(([, text]) => text).join("\n"),
  table: () => "",
  form: () => "",
  "body > nav": () => "",
  "body > footer": () => "",
  "#there-is-no-such-part": () => "",
};

/** Changes the Markdown of the whole page to what the options of a request leave of it. */
export function leaveMarkdown(markdown: string, options: ReadonlyMap<string, unknown>): string {
  if (options.get("only_images") === true) return "";
  const selector = options.get("selector");
  const tags = options.get("ignored_tags");
  const isIgnored = (tag: string): boolean => Array.isArray(tags) && tags.includes(tag);
  let text = isIgnored("a") ? markdown.replaceAll(link, "") : markdown;
  if (isIgnored("h1")) text = text.replaceAll(/^#.*\n*/gm, "");
  if (typeof selector === "string") text = parts[selector]?.(text) ?? text;
  if (options.get("scrape_links") === false) return text.replaceAll(link, "$1");
  let number = 0;
  return options.get("use_link_placeholders") === true
    ? text.replaceAll(link, (_, label) => `[${label}](link-${(number += 1)})`)
    : text;
}

/** Returns whether the options of a request ask for images. */
export const asksImages = (options: ReadonlyMap<string, unknown>): boolean =>
  options.get("scrape_images") === true || options.get("only_images") === true;
