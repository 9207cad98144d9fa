import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import type { PublishedPackage } from "./workspace.ts";

/** Target of the links of a README that leave its package. */
export interface LinkTarget {
  /** Public address of the repository; undefined where it has none. */
  readonly repository: string | undefined;
  /** Commit of the release. */
  readonly commit: string;
}

/** Files that every tarball has. */
const alwaysPacked = ["package.json", "README.md", "LICENSE"];

/** Lets the links of READMEs in a clone lead somewhere where the package stands alone, as in a registry or in `node_modules`. */
export function writeOutwardLinks(root: string, packages: readonly PublishedPackage[], target: LinkTarget): void {
  for (const { directory, manifest } of packages) {
    const file = join(root, directory, "README.md");
    if (!existsSync(file)) continue;
    const packed = [...alwaysPacked, ...manifest.files];
    writeFileSync(file, rewriteOutwardLinks(readFileSync(file, "utf8"), directory, packed, target));
  }
}

/**
 * Rewrites the links of a Markdown document to files that are not packed with it: they lead into the repository, as it was at the commit.
 * Where the repository has no address, their text stays without the link. Code, links within the package and whole addresses stay as they
 * are.
 *
 * @param directory - Folder of the package in the repository.
 * @param packed - Paths in the package that are packed: files, or folders with all that is in them.
 */
export function rewriteOutwardLinks(
  markdown: string,
  directory: string,
  packed: readonly string[],
  { repository, commit }: LinkTarget,
): string {
  const link = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)(\s+"[^"]*")?\)/g;
  const rewrite = (prose: string): string =>
    prose.replaceAll(link, (_, mark: string, label: string, target: string, title = "") => {
      // A picture may be in the text of a link.
      const text = rewrite(label);
      const whole = `${mark}[${text}](${target}${title})`;
      if (/^(?:[a-z][a-z\d+.-]*:|#|\/\/)/i.test(target)) return whole;
      const [path = "", fragment] = target.split("#");
      const full = posix.normalize(posix.join(directory, path));
      const inside = posix.relative(directory, full);
      if (packed.some((name) => inside === name || inside.startsWith(`${name}/`))) return whole;
      if (repository === undefined || full.startsWith("..")) return text;
      const address = `${repository.replace(/\.git$|\/$/, "")}/${mark === "!" ? "raw" : "blob"}/${commit}/${full}`;
      return `${mark}[${text}](${address}${fragment === undefined ? "" : `#${fragment}`}${title})`;
    });
  return mapProse(markdown, rewrite);
}

/** Changes what stands outside of code. */
function mapProse(markdown: string, change: (prose: string) => string): string {
  const code = /(^(?:```|~~~)[^]*?^(?:```|~~~)[^\n]*$|`[^`\n]*`)/m;
  // A link around code, as [`name`](target), is whole once its code is a placeholder.
  const codeParts: string[] = [];
  let text = markdown;
  for (let match = code.exec(text); match; match = code.exec(text)) {
    text = `${text.slice(0, match.index)}\0${codeParts.length}\0${text.slice(match.index + match[0].length)}`;
    codeParts.push(match[0]);
  }
  // oxlint-disable-next-line no-control-regex -- the placeholders
  return change(text).replaceAll(/\0(\d+)\0/g, (_, index: string) => codeParts[Number(index)] ?? "");
}
