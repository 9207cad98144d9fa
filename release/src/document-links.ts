import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { PublishedPackage } from "./workspace.ts";

/**
 * Rewrites the links by which documents of packages lead out of them, in a clone: a tarball has no such files. They lead to the repository
 * instead; where it has no address, the path stands in brackets behind the words of the link.
 *
 * @param address - Of the repository, such as `https://github.com/owner/name`.
 * @throws {Error} naming the link, if it leads nowhere.
 */
export function rewriteDocumentLinks(
  root: string,
  packages: readonly PublishedPackage[],
  address: string | undefined,
): void {
  for (const { directory } of packages) {
    for (const name of readdirSync(join(root, directory)).filter((file) => file.endsWith(".md"))) {
      const file = join(root, directory, name);
      const text = readFileSync(file, "utf8");
      const exists = (path: string): boolean => existsSync(join(root, path));
      const rewritten = linksToRepository(text, `${directory}/${name}`, address, exists);
      if (rewritten !== text) writeFileSync(file, rewritten);
    }
  }
}

/** Code of a document, which holds no links: fences, and what stands between backticks. */
const code = /(^(?<fence>`{3,}|~{3,})[^]*?^\k<fence>|(?<!`)(?<ticks>`+)(?!`)[^]*?(?<!`)\k<ticks>(?!`))/m;

/**
 * Returns a document whose links out of its package lead to the repository.
 *
 * @param file - Path of the document from the root of the repository.
 * @param exists - Tells whether the repository has a file or folder.
 */
export function linksToRepository(
  text: string,
  file: string,
  address: string | undefined,
  exists: (path: string) => boolean,
): string {
  const folder = posix.dirname(file);
  return text.replaceAll(
    new RegExp(`${code.source}|(?<!!)\\[(?<label>(?:[^\\[\\]]|\`[^\`]*\`)*)\\]\\((?<to>[^()\\s]+)\\)`, "gm"),
    (whole: string, ...found: readonly unknown[]) => {
      const { label, to } = groupsOf(found);
      if (label === undefined || to === undefined || /^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(to)) return whole;
      const [path = "", fragment] = to.split("#");
      const target = posix.join(folder, path);
      if (!posix.relative(folder, target).startsWith("..")) return whole;
      if (!exists(target)) throw new Error(`${file}: the link ${to} leads to ${target}, which does not exist`);
      if (address === undefined) return label.includes("`") ? label : `${label} (\`${target}\` in the repository)`;
      return `[${label}](${address.replace(/\.git$/, "")}/blob/HEAD/${target}${fragment === undefined ? "" : `#${fragment}`})`;
    },
  );
}

/** Named groups, which `replaceAll` gives last. */
function groupsOf(found: readonly unknown[]): { readonly label?: string; readonly to?: string } {
  const last = found.at(-1);
  return typeof last === "object" && last !== null ? last : {};
}
