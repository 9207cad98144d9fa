/** A page of the site, before its links are turned into addresses. */
export interface SitePage {
  /** Path of the page below the address of the site, without slashes at its ends: `guides/first-verdict`; `index` is the first page. */
  readonly slug: string;
  readonly title: string;
  /** One sentence for search engines and for `llms.txt`. */
  readonly description: string;
  /** Markdown without the title. A link is a path from `source`, or from the root of the site, as in `/checks/`. */
  readonly body: string;
  /** Path of the file that it was made from, which its links are relative to; undefined for pages that have none. */
  readonly source?: string;
  /** Content that the site shows in place of `body`, which is then for readers of Markdown alone. */
  readonly shown?: { readonly body: string; readonly format: "md" | "mdx" };
  /** Further lines of front matter, as YAML. */
  readonly settings?: readonly string[];
  /** True for one of many pages of a kind: `llms.txt` names the page that lists them. Default: false. */
  readonly isOneOfMany?: true;
}

/** Returns a page from a Markdown file: its title is in the front matter, or is the first heading. */
export function parsePage(slug: string, source: string, text: string): SitePage {
  const [, front = "", rest = text] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
  const fields = new Map<string, string>();
  const settings: string[] = [];
  for (const line of front.split("\n").filter((one) => one !== "")) {
    const [, name = "", value = ""] = /^(title|description):\s*(.*)$/.exec(line) ?? [];
    if (name === "") settings.push(line);
    else fields.set(name, unquote(value.trim()));
  }
  const [heading = "", headed = ""] = /^\s*# (.*)\n/.exec(rest) ?? [];
  const title = fields.get("title") ?? plainText(headed);
  if (title === "") throw new Error(`${source} has no title; begin it with front matter, or with a line "# Title"`);
  const body = rest.slice(heading.length).trim();
  return { slug, title, description: fields.get("description") ?? firstSentence(body), body, source, settings };
}

/** Returns the text of a line of Markdown, without marks. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]|(?<!\w)_|_(?!\w)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Returns the first sentence of the first paragraph that is prose; an empty text when there is none. */
export function firstSentence(markdown: string): string {
  const prose = markdown.replaceAll(/^(`{3,}).*?^\1`*$/gms, "").split(/\n\s*\n/);
  const paragraph = prose.find((one) => /^[\w`*[_("“]/.test(one.trim())) ?? "";
  const text = plainText(paragraph);
  return (/^.+?[.!?:](?=\s|$)/.exec(text)?.[0] ?? text).replace(/:$/, ".");
}

/** Returns the front matter of a page as Starlight reads it. */
export function frontMatter({ slug, title, description, settings = [] }: SitePage): string {
  const fields = [`title: ${JSON.stringify(title)}`];
  if (slug !== "index") fields.push(`slug: ${JSON.stringify(slug)}`);
  if (description !== "") fields.push(`description: ${JSON.stringify(description)}`);
  return `---\n${[...fields, ...settings].join("\n")}\n---\n\n`;
}

function unquote(value: string): string {
  const [, quote = "", inner = value] = /^(["'])(.*)\1$/.exec(value) ?? [];
  if (quote === '"') return String(JSON.parse(value));
  return quote === "'" ? inner.replaceAll("''", "'") : inner;
}

/** Address of the site, as far as it is known. */
export interface SiteAddress {
  /** Public address without a slash at its end; undefined for a site on loopback. */
  readonly url: string | undefined;
  /** Path of the address: empty, or one that begins with a slash and ends without. */
  readonly base: string;
  /** Address of the files of the repository, such as `https://git.example/cloud-browser/blob/main`; undefined when they have none. */
  readonly repositoryUrl: string | undefined;
}
