import { copyFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { writeForAgents } from "./agents.ts";
import { rewriteLinks, type LinkForm, type LinkMap } from "./links.ts";
import { frontMatter, type SiteAddress, type SitePage } from "./page.ts";
import { root } from "./repository-pages.ts";

const content = new URL("docs/site/content/docs/", root);
const files = new URL("docs/site/public/", root);

/**
 * Writes all pages for Astro, each as Markdown beside itself, and what agents read first.
 *
 * @throws {Error} when two pages have one path, or a link leads nowhere.
 */
export function stagePages(pages: readonly SitePage[], address: SiteAddress): void {
  for (const folder of [content, files]) rmSync(folder, { recursive: true, force: true });
  const slugs = new Set<string>();
  for (const { slug } of pages) {
    if (slugs.has(slug)) throw new Error(`two pages have the path ${slug}`);
    slugs.add(slug);
  }
  const map: LinkMap = {
    pages: new Map(pages.flatMap(({ slug, source }) => (source === undefined ? [] : [[source, slug] as const]))),
    base: address.base,
    exists: (path) => existsSync(new URL(path, root)),
    takePicture: (path) => takePicture(path, address.base),
    repositoryUrl: address.repositoryUrl,
  };
  const write = (page: SitePage, form: LinkForm, body = page.body): string => {
    try {
      const text = rewriteLinks(body, page.source, map, form);
      return form === "page" ? nameSources(text) : text;
    } catch (error) {
      throw new Error(`the page ${page.slug} can't be written: ${String(error)}`, { cause: error });
    }
  };
  const asMarkdown = new Map<string, string>();
  for (const page of pages) {
    const { slug, shown } = page;
    const format = shown?.format ?? "md";
    put(new URL(`${slug}.${format}`, content), frontMatter(page) + write(page, "page", shown?.body));
    const lead = page.description === "" ? "" : `> ${page.description}\n\n`;
    const markdown = `# ${page.title}\n\n${lead}${write(page, "markdown").trim()}\n`;
    asMarkdown.set(slug, markdown);
    put(new URL(`${slug}.md`, files), markdown);
  }
  for (const [name, text] of writeForAgents(pages, asMarkdown, address)) put(new URL(name, files), text);
  copyFileSync(new URL("packages/console/src/icon.svg", root), new URL("favicon.svg", files));
}

/** Shows, over code that is quoted, the file that it comes from. */
export function nameSources(markdown: string): string {
  return markdown.replaceAll(/^([ \t>]*(?:`{3,}|~{3,})\S+.*?) from=([^\s#]+)(?:#\S+)?/gm, '$1 title="$2" frame="code"');
}

/** Copies a picture beside the pages. */
function takePicture(path: string, base: string): string {
  const name = `pictures/${path.replaceAll("/", "-")}`;
  if (!statSync(new URL(path, root)).isFile()) throw new Error(`${path} is not a picture`);
  const to = new URL(name, files);
  mkdirSync(dirname(fileURLToPath(to)), { recursive: true });
  copyFileSync(new URL(path, root), to);
  return posix.join("/", base, name);
}

function put(file: URL, text: string): void {
  mkdirSync(dirname(fileURLToPath(file)), { recursive: true });
  writeFileSync(file, text);
}
