import { posix } from "node:path";

/** Where links of pages may lead. */
export interface LinkMap {
  /** Slugs of the pages, by the path of the file that they were made from. */
  readonly pages: ReadonlyMap<string, string>;
  /** Prefix of every path of the site: empty, or a path that begins with a slash. */
  readonly base: string;
  /** Returns whether a path of the repository is a file or a folder. */
  readonly exists: (path: string) => boolean;
  /** Copies a picture of the repository, and returns its path on the site. */
  readonly takePicture: (path: string) => string;
  /** Address of a file of the repository; undefined where the repository has no public address. */
  readonly repositoryUrl: string | undefined;
}

/** How the links of a page are to be written: as pages of the site, or as Markdown files beside these. */
export type LinkForm = "page" | "markdown";

/**
 * Rewrites the links of a page, and leaves code as it is. A link to a page leads to its address; one to another file of the repository
 * leads to the repository, and where that has no address only its text is left.
 *
 * @throws {Error} when a relative link leads to nothing.
 */
export function rewriteLinks(body: string, source: string | undefined, map: LinkMap, form: LinkForm): string {
  return changeProse(body, (text) =>
    text
      .replaceAll(
        /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(<?([^()\s>]+)>?((?:\s+"[^"]*")?)\)/g,
        (whole, mark, label, to, title) => {
          const target = findTarget(to, mark === "!");
          if (target === undefined) return label;
          return target === to ? whole : `${mark}[${label}](${target}${title})`;
        },
      )
      .replaceAll(/(<a\b[^>]*\bhref=")([^"]+)(")/g, (whole, before, to, after) => {
        const target = findTarget(to, false);
        return target === undefined ? whole : `${before}${target}${after}`;
      })
      .replaceAll(/^(\[[^\]]+\]:\s+)(\S+)/gm, (whole, before, to) => {
        const target = findTarget(to, false);
        return target === undefined ? whole : `${before}${target}`;
      }),
  );

  function findTarget(to: string, isPicture: boolean): string | undefined {
    if (/^(?:[a-z][a-z\d+.-]*:|#|\/\/)/i.test(to)) return to;
    const [path = "", fragment] = to.split("#");
    const after = fragment === undefined ? "" : `#${fragment}`;
    if (path.startsWith("/")) return findAddress(path.replaceAll(/^\/|\/$/g, "") || "index", after);
    if (source === undefined) throw new Error(`the link ${to} of a generated page must begin with a slash`);
    const file = posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, "");
    const slug = map.pages.get(file) ?? map.pages.get(posix.join(file, "README.md"));
    if (slug !== undefined) return findAddress(slug, after);
    if (!map.exists(file)) throw new Error(`${source}: the link ${to} leads to ${file}, which does not exist`);
    if (isPicture) return map.takePicture(file);
    return map.repositoryUrl === undefined ? undefined : `${map.repositoryUrl}/${file}${after}`;
  }

  function findAddress(slug: string, after: string): string {
    if (/\.\w+$/.test(slug)) return `${map.base}/${slug}${after}`;
    if (form === "markdown") return `${map.base}/${slug}.md${after}`;
    return slug === "index" ? `${map.base}/${after}` : `${map.base}/${slug}/${after}`;
  }
}

/** Changes the text of a Markdown document that is in no fence and no code span. */
function changeProse(markdown: string, change: (text: string) => string): string {
  const code =
    /^(?<fence>[ \t>]*(?<mark>`{3,}|~{3,})[^\n]*\n[^]*?^[ \t>]*\k<mark>[`~]*[ \t]*$)|(?<span>(?<!`)(?<ticks>`+)(?!`)(?:(?!\n[ \t]*\n)[^])*?(?<!`)\k<ticks>(?!`))/gm;
  const codeParts: string[] = [];
  // What is code is taken out, so that a link whose text has a code span is still seen as one.
  const prose = markdown.replaceAll(code, (part) => `\u{E000}${codeParts.push(part) - 1}\u{E001}`);
  return change(prose).replaceAll(/\u{E000}(\d+)\u{E001}/gu, (_, at) => codeParts[Number(at)] ?? "");
}
