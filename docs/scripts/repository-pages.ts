import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parsePage, type SitePage } from "./page.ts";

/** The repository. */
export const root = new URL("../../", import.meta.url);

/** Returns the text of a file of the repository. */
export function readText(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

/** Returns the paths of files of the repository, with slashes, in order. */
export function listFiles(...patterns: string[]): string[] {
  return globSync(patterns, { cwd: fileURLToPath(root), exclude: ["**/node_modules/**", "docs/{dist,site}/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/** Files outside of `docs/` that are pages, too. */
const others: Readonly<Record<string, string>> = {
  "README.md": "overview",
  "ARCHITECTURE.md": "architecture",
  "CONTRIBUTING.md": "contributing",
  "spec/README.md": "packages/spec",
};

/** Returns the pages that people write: those of `docs/`, and the READMEs. */
export function listWrittenPages(): SitePage[] {
  const packages = listFiles("packages/*/README.md").map((path): [string, string] => [
    path,
    path.replace("/README.md", ""),
  ]);
  const docs = listFiles("docs/**/*.md").map((path): [string, string] => [
    path,
    path.replace(/^docs\//, "").replace(/(?:\/(?:index|README))?\.md$/, ""),
  ]);
  return [...docs, ...Object.entries(others), ...packages].map(([path, slug]) => parsePage(slug, path, readText(path)));
}
