/**
 * Copies the code that pages and docstrings quote from the programs that the tests run.
 *
 *   node docs/scripts/snippets.ts           fills every fence that names its source
 *   node docs/scripts/snippets.ts --check   compares only; exit code 1 and every place that is not current
 *
 * A fence names a file, and a region of it: ```` ```ts from=examples/scrape.ts#read ````. In the file the region lies between the lines
 * `// #region read` and `// #endregion read`, or the same in comments of another language; without a region the whole file is quoted.
 * An `@example` of a docstring has such a fence.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fillDocstrings } from "./docstring-examples.ts";
import { fillSnippets, type FilledPage, type Page } from "./quoted-code.ts";

const root = new URL("../../", import.meta.url);

/** Pages whose programs are all quoted. */
const quoting = globSync(["docs/*.md", "docs/recipes/**/*.md"], getRoot());
/** Pages in which a program may stand alone, as the tests run it from there: `examples/test/readme.long.test.ts`. */
const tested = globSync(
  ["README.md", "spec/README.md", "packages/*/README.md", "docs/{start,guides,reference}/*.md"],
  getRoot(),
);

/** Source files, whose docstrings may have examples. */
const sources = globSync("packages/*/src/**/*.ts", getRoot());

const pages: Page[] = [
  ...quoting.map((path) => ({ path, text: readText(path), mayStandAlone: false })),
  ...tested.map((path) => ({ path, text: readText(path), mayStandAlone: true })),
];
const check = process.argv.includes("--check");
const complaints: string[] = [];
for (const page of pages) update(page, fillSnippets(page, readSource));
for (const path of sources) {
  const page = { path, text: readText(path), mayStandAlone: false };
  update(page, fillDocstrings(page, readSource));
}
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;

/** Writes a page whose quotes have changed, or complains about it. */
function update(page: Page, { text, problems }: FilledPage): void {
  complaints.push(...problems);
  if (text === page.text) return;
  if (check) complaints.push(`${page.path}: a snippet differs from its source; run: node docs/scripts/snippets.ts`);
  else writeFileSync(new URL(page.path, root), text);
}

function readSource(path: string): string | undefined {
  return existsSync(new URL(path, root)) ? readText(path) : undefined;
}

function getRoot(): { cwd: string } {
  return { cwd: fileURLToPath(root) };
}

function readText(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}
