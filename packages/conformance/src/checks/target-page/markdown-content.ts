import MarkdownIt, { type Token } from "markdown-it";
import { foldText, type Scrape } from "../pages/scrape.ts";

/** Kinds of markup in which words of a page stand, each a bit. */
export const markupKinds = { link: 1, image: 2, table: 4, heading: 8, list: 16 } as const;

/** Name of such a kind. */
export type MarkupPlace = keyof typeof markupKinds;

/** Content of a Markdown text, in a form that its dialect does not change. */
export interface MarkdownContent {
  /** Its words in their order, without addresses. */
  readonly text: string;
  /** Number of occurrences of each word, and the places that all of them have in common. */
  readonly words: ReadonlyMap<string, { readonly count: number; readonly common: number }>;
  /** Addresses that links lead to. */
  readonly links: ReadonlySet<string>;
  /** Addresses of images. */
  readonly images: ReadonlySet<string>;
  /** Number of rows of tables. */
  readonly rows: number;
}

/** Longest Markdown that is parsed, in characters: there are many answers of one page. */
export const parsedLength = 300_000;

const cache = new WeakMap<Scrape, MarkdownContent>();

/** Parses the Markdown of a scrape; undefined when it is too long. */
export function parseScrape(scrape: Scrape): MarkdownContent | undefined {
  if (scrape.markdown.length > parsedLength) return undefined;
  const content = cache.get(scrape) ?? readMarkdown(scrape.markdown);
  cache.set(scrape, content);
  return content;
}

const parser = new MarkdownIt({ html: true });

/** Reads what a Markdown text shows. */
export function readMarkdown(markdown: string): MarkdownContent {
  const reading = new Reading();
  for (const token of parser.parse(markdown, {})) reading.block(token);
  return reading;
}

const placeOfToken: Readonly<Record<string, MarkupPlace>> = {
  link: "link",
  table: "table",
  heading: "heading",
  bullet_list: "list",
  ordered_list: "list",
};
const placeOfTag: Readonly<Record<string, MarkupPlace>> = {
  a: "link",
  table: "table",
  ul: "list",
  ol: "list",
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, "heading"] as const)),
};

/** Reads the tokens of a text, one after the other. */
class Reading implements MarkdownContent {
  readonly words = new Map<string, { count: number; common: number }>();
  readonly links = new Set<string>();
  readonly images = new Set<string>();
  rows = 0;
  readonly #texts: string[] = [];
  readonly #depths: Record<MarkupPlace, number> = { link: 0, image: 0, table: 0, heading: 0, list: 0 };

  get text(): string {
    return this.#texts.join(" ");
  }

  block(token: Token): void {
    if (token.type === "inline") {
      for (const child of this.#joined(token.children ?? [])) this.#inline(child);
    } else if (token.type === "html_block") this.#html(token.content);
    else if (token.type === "fence" || token.type === "code_block") this.#say(token.content);
    else {
      if (token.type === "tr_open") this.rows += 1;
      this.#move(placeOfToken[token.type.replace(/_(open|close)$/, "")], token.nesting);
    }
  }

  /** Joins text that escapes, references and emphasis cut into pieces: they may stand within a word. */
  #joined(tokens: readonly Token[]): Token[] {
    const all: Token[] = [];
    for (const token of tokens) {
      const before = all.at(-1);
      if (/^(em|strong|s)_/.test(token.type)) continue;
      if (before?.type === "text" && token.type === "text") before.content += token.content;
      else all.push(token.type === "text" ? Object.assign(Object.create(token), { content: token.content }) : token);
    }
    return all;
  }

  #inline(token: Token): void {
    if (token.type === "link_open") {
      this.links.add(String(token.attrGet("href") ?? ""));
      this.#move("link", 1);
    } else if (token.type === "link_close") this.#move("link", -1);
    else if (token.type === "image") {
      this.images.add(String(token.attrGet("src") ?? ""));
      this.#sayInImage(`${token.content} ${token.attrGet("title") ?? ""}`);
    } else if (token.type === "html_inline") this.#html(token.content);
    else this.#say(token.content);
  }

  /** Reads HTML as far as it shows text, links, images and tables. */
  #html(source: string): void {
    let at = 0;
    for (const match of source.matchAll(/<(\/?)([a-z][a-z0-9]*)([^<>]*)>/gi)) {
      this.#say(source.slice(at, match.index));
      at = match.index + match[0].length;
      const [, slash = "", name = "", attributes = ""] = match;
      this.#tag(name.toLowerCase(), slash === "/", attributes);
    }
    this.#say(source.slice(at).replace(/<!--[^]*?-->/g, ""));
  }

  #tag(name: string, closes: boolean, attributes: string): void {
    const findValue = (attribute: string): string | undefined => {
      const match = new RegExp(String.raw`\b${attribute}\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))`, "i").exec(
        attributes,
      );
      return match
        ?.slice(1)
        .find((value) => value !== undefined)
        ?.replaceAll("&amp;", "&");
    };
    if (!closes && name === "tr") this.rows += 1;
    if (!closes && name === "img") {
      this.images.add(findValue("src") ?? "");
      this.#sayInImage(findValue("alt") ?? "");
    }
    const href = closes || name !== "a" ? undefined : findValue("href");
    if (href !== undefined) this.links.add(href);
    this.#move(placeOfTag[name], closes ? -1 : 1);
  }

  #move(place: MarkupPlace | undefined, by: number): void {
    if (place !== undefined) this.#depths[place] = Math.max(0, this.#depths[place] + by);
  }

  #sayInImage(text: string): void {
    this.#move("image", 1);
    this.#say(text);
    this.#move("image", -1);
  }

  #say(text: string): void {
    const words = listWords(text);
    const here = Object.entries(markupKinds).reduce((sum, [place, bit]) => sum + (this.#isIn(place) ? bit : 0), 0);
    for (const word of words) {
      const { count, common } = this.words.get(word) ?? { count: 0, common: here };
      this.words.set(word, { count: count + 1, common: common & here });
    }
    this.#texts.push(...words);
  }

  #isIn(place: string): boolean {
    return Object.entries(this.#depths).some(([name, depth]) => name === place && depth > 0);
  }
}

/** Returns the words of a text, of two letters or digits and more, without addresses. */
export function listWords(text: string): string[] {
  return foldText(text.replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, " ")).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Returns the words that stand in such markup, and nowhere else. */
export function listWordsOnlyIn({ words }: MarkdownContent, place: MarkupPlace): string[] {
  return [...words].flatMap(([word, { common }]) => ((common & markupKinds[place]) === 0 ? [] : word));
}

/** Returns the words that stand outside of such markup, too. */
export function listWordsOutside({ words }: MarkdownContent, ...without: readonly MarkupPlace[]): string[] {
  const mask = without.reduce((sum, place) => sum | markupKinds[place], 0);
  return [...words].flatMap(([word, { common }]) => ((common & mask) === 0 ? word : []));
}
